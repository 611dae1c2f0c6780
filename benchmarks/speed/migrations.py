"""Measure how long writers wait while tables are changed: `python benchmarks/speed/migrations.py --full`.

A PostgreSQL holds a million readings, and others write and read all the time. Meanwhile three revisions add
an index, an index of a partitioned table, and a column; then they are undone.
"""

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import machine, python_version
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed.measured import Goal, Measured
from tests.databases import postgresql_database

from sensecheck.store.migrations.base import HEAD, VERSIONS_FOLDER
from sensecheck.store.upgrade import downgrade, upgrade

RESULTS = Path(__file__).resolve().parents[1] / "results" / "migrations.json"
LONGEST = 1.0
"""Seconds that a write may take while tables are changed."""
METRICS = 10
NEW_RUN = 1000

REVISION_FILES = {
    "m001": f'''"""An index (a revision for measuring)."""

from sensecheck.store.migrations import online

revision, down_revision = "m001", "{HEAD}"


def upgrade() -> None:
    online.create_index("ix_readings_value", "readings", ("value", "run"))


def downgrade() -> None:
    online.drop_index("ix_readings_value")
''',
    "m002": '''"""An index of a partitioned table (a revision for measuring)."""

from sensecheck.store.migrations import online

revision, down_revision = "m002", "m001"


def upgrade() -> None:
    online.create_partitioned_index("ix_messages_outcome", "messages", ("project", "outcome"))


def downgrade() -> None:
    online.drop_partitioned_index("ix_messages_outcome", "messages")
''',
    "m003": '''"""A column (a revision for measuring)."""

import sqlalchemy as sa

from sensecheck.store.migrations import online

revision, down_revision = "m003", "m002"
OLD = ("run", "position", "metric", "value", "because", "error")


def upgrade() -> None:
    online.add_column("readings", sa.Column("grade", sa.Double))
    online.protect("readings", (*OLD, "grade"))


def downgrade() -> None:
    online.protect("readings", OLD)
    online.drop_column("readings", "grade")
''',
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    readings: int
    writers: int
    calm: float
    """Seconds of writing before anything is changed."""


SHORT = Size(50_000, 2, 0.5)
FULL = Size(1_000_000, 4, 20.0)


@dataclass(slots=True)
class Traffic:
    """Others who use the tables all the time; every write is timed."""

    address: str
    writers: int
    spent: list[float] = field(default_factory=list)
    """Seconds of each write since somebody looked."""
    failed: list[BaseException] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def flowing(self) -> Iterator[None]:
        """Write and read in threads until the block ends; a write that was refused is raised."""
        jobs = [partial(self._write, NEW_RUN + number) for number in range(self.writers)]
        threads = [threading.Thread(target=self._watched, args=(job,)) for job in (*jobs, self._read)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()
        if self.failed:
            raise self.failed[0]

    def look(self) -> list[float]:
        """How long each write took since the last look."""
        spent, self.spent = self.spent, []
        return spent

    def _watched(self, job: Callable[[], None]) -> None:
        try:
            job()
        except psycopg.Error as wrong:
            self.failed.append(wrong)

    def _write(self, run: int) -> None:
        """An answer, its readings and a message, one transaction after the other."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            for position in range(1 << 30):
                if self._over.is_set():
                    return
                start = time.perf_counter()
                with connection.transaction():
                    connection.execute(_ANSWER, (run, position))
                    connection.execute(_READINGS, (run, position))
                    connection.execute(_MESSAGE, (f"{run}-{position}",))
                self.spent.append(time.perf_counter() - start)

    def _read(self) -> None:
        """Transactions that read for a while, so that no strong lock is to be had at once."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            while not self._over.wait(0.3):
                with connection.transaction():
                    connection.execute("SELECT count(*) FROM readings WHERE run = 1").fetchone()
                    self._over.wait(0.4)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure how long writers wait while tables are changed.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="50,000 readings; writes nothing")
    size.add_argument("--full", action="store_true", help="1,000,000; writes results/migrations.json")
    chosen = FULL if parser.parse_args().full else SHORT
    with postgresql_database() as address:
        found = measure(address, chosen)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    if chosen is FULL:
        RESULTS.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(address: str, size: Size) -> dict[str, Any]:
    """Everything, as plain data."""
    fill(address, size)
    with TemporaryDirectory() as folder:
        rows = list(phases(address, size, steps(Path(folder))))
    with psycopg.connect(address) as connection:
        server = connection.info.parameter_status("server_version")
    return {
        "readings": size.readings,
        "writers": size.writers,
        "python": python_version(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in ("sensecheck", "sqlalchemy", "alembic", "psycopg")},
        "postgresql": server,
        "load while measuring": round(os.getloadavg()[0], 1),
        "measured": [row.to_data() for row in rows],
    }


def phases(address: str, size: Size, versions: tuple[Path, ...]) -> Iterator[Measured]:
    """What is done to the tables, one after the other, with the longest write of each."""
    traffic = Traffic(address, size.writers)

    with traffic.flowing():
        yield _measured("nothing is changed", traffic, lambda: time.sleep(size.calm), goal=False)
        yield _measured("an index is built", traffic, lambda: upgrade(address, "m001", versions=versions))
        yield _measured(
            "an index of a partitioned table is built",
            traffic,
            lambda: upgrade(address, "m002", versions=versions),
        )
        yield _measured("a column is added", traffic, lambda: upgrade(address, "m003", versions=versions))
        yield _measured(
            "the column is dropped", traffic, lambda: downgrade(address, "m002", versions=versions)
        )
        yield _measured(
            "the indexes are dropped", traffic, lambda: downgrade(address, HEAD, versions=versions)
        )


def fill(address: str, size: Size) -> None:
    """Readings, as ten metrics of runs of 10,000 answers, and a message for each answer."""
    upgrade(address)
    answers = size.readings // METRICS
    with psycopg.connect(address) as connection:
        for statement in _BEGINNING:
            connection.execute(statement)
        numbers = {"new": NEW_RUN, "writers": size.writers, "answers": answers, "metrics": METRICS}
        for statement in _FILLING:
            connection.execute(statement, numbers)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
    say(f"{size.readings:,} readings are there")


def steps(folder: Path) -> tuple[Path, ...]:
    """The folders of the revisions: ours, and those for measuring."""
    for name, source in REVISION_FILES.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return VERSIONS_FOLDER, folder


def say(what: str) -> None:
    """Tell people how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def _measured(name: str, traffic: Traffic, work: Callable[[], object], *, goal: bool = True) -> Measured:
    traffic.look()
    start = time.perf_counter()
    work()
    took, spent = time.perf_counter() - start, traffic.look()
    if not spent:
        raise RuntimeError(f"nobody wrote while {name}")
    ordered = sorted(spent)
    say(f"{name}: {took:.1f} s, longest of {len(spent)} writes {ordered[-1]:.3f} s")
    return Measured.of(
        f"longest write while {name}",
        f"time on the clock of the longest write while {name}, by {LONGEST:g} s",
        ratios=[ordered[-1] / LONGEST],
        goal=Goal(1, "below") if goal else None,
        notes={
            "writes": len(spent),
            "longest write, ms": round(1000 * ordered[-1], 1),
            "p99 of writes, ms": round(1000 * ordered[int(0.99 * (len(spent) - 1))], 1),
            "median write, ms": round(1000 * ordered[len(spent) // 2], 1),
            "it took, s": round(took, 1),
        },
    )


_BEGINNING = (
    "INSERT INTO projects (id, name, created_at) VALUES ('p', 'p', now())",
    "INSERT INTO pairs (id, project, question, expected, passages, slices, digest) "
    "VALUES ('q', 1, 'q', 'a', '[]', '{}', 'd')",
    "INSERT INTO sets (project, digest, size, created_at) VALUES (1, 'd', 1, now())",
    "INSERT INTO tests (id, project, name, embedding, generation, digest, created_at) "
    "VALUES ('t', 1, 't', '{}', '{}', 'd', now())",
)
_MESSAGES = (
    "INSERT INTO messages (at, id, project, mode, assistant_response, selected_text, in_selected_text, "
    "outcome, policy, truncated) SELECT "
)
_MESSAGE_VALUES = "1, 'm', 'a', 's', true, 'pass', 'p', false"
_MESSAGE = _MESSAGES + f"now(), %s, {_MESSAGE_VALUES}"
_RUN = "INSERT INTO runs (key, id, test, set, name, encoder, conditions, started_at) SELECT n, 'r' || n, "
_FILLING = (
    "INSERT INTO metrics (name, encoder, fingerprint) SELECT 'm' || n, '', '' "
    "FROM generate_series(1, %(metrics)s) AS n",
    _RUN + "1, 1, '', 'e', '{}', now() FROM generate_series(1, 1 + %(answers)s / 10000) AS n",
    _RUN + "1, 1, '', 'e', '{}', now() FROM generate_series(%(new)s, %(new)s + %(writers)s - 1) AS n",
    "INSERT INTO answers (run, position, pair, answer, passages) "
    "SELECT 1 + n / 10000, n %% 10000, 1, 'a', '[]' FROM generate_series(0, %(answers)s - 1) AS n",
    "INSERT INTO readings (run, position, metric, value) SELECT a.run, a.position, m.key, random() "
    "FROM answers AS a CROSS JOIN metrics AS m",
    "CREATE TABLE messages_old PARTITION OF messages FOR VALUES FROM (MINVALUE) TO ('2026-01-01 00:00Z')",
    _MESSAGES + "timestamptz '2025-01-01 00:00:00+00' + n * interval '1 second', 'm' || n, "
    f"{_MESSAGE_VALUES} FROM generate_series(1, %(answers)s) AS n",
)
_ANSWER = "INSERT INTO answers (run, position, pair, answer, passages) VALUES (%s, %s, 1, 'a', '[]')"
_READINGS = (
    "INSERT INTO readings (run, position, metric, value) "
    f"SELECT %s, %s, n, 0.5 FROM generate_series(1, {METRICS}) AS n"
)


if __name__ == "__main__":
    main()
