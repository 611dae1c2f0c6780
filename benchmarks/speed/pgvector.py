"""Measure the index in PostgreSQL: `python benchmarks/speed/pgvector.py --full`, or `--short` for CI.

A million vectors go in, a graph is built over them, and what it finds is held against exact search; then, how
much of a query the guards behind it take.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from platform import machine, python_version
from typing import Any

import numpy as np
import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it
sys.path.remove(str(Path(__file__).resolve().parent))  # where this file would pass for the package `pgvector`

from benchmarks.speed.clock import seconds
from benchmarks.speed.many_vectors import Many, many
from benchmarks.speed.measured import Measured
from benchmarks.speed.own_postgres import server
from benchmarks.speed.share_of_guards import guards
from models.heads.public import data_folder

from sensecheck.core.backends import Vectors
from sensecheck.retrieval.indexes.index import IndexEntry, Reference
from sensecheck.retrieval.indexes.pgvector import PgVectorIndex

RESULTS = Path(__file__).resolve().parents[1] / "results" / "pgvector.json"
MADE_BY = "minilm, and neighbours"
WIDTHS = (40, 100, 200)
K = 10
SAME = 1e-6
"""Cosines that differ by less are equally near: either row is a right answer."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    vectors: int
    real: int
    queries: int
    bare: int
    """Rows of the race against a bare COPY."""
    rounds: int


SHORT = Size(20_000, 2_000, 200, 4_000, 2)
FULL = Size(1_000_000, 40_000, 500, 20_000, 5)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure the index in PostgreSQL, and the guards behind it.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="20,000 vectors; writes nothing")
    size.add_argument("--full", action="store_true", help="1,000,000 vectors; writes results/pgvector.json")
    arguments = parser.parse_args()
    chosen = FULL if arguments.full else SHORT
    found = measure(many(data_folder(), chosen.vectors, real=chosen.real, queries=chosen.queries), chosen)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    if arguments.full:
        RESULTS.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(given: Many, size: Size) -> dict[str, Any]:
    """Everything, as plain data."""
    exact = exact_search(given)
    say(f"exact search of {len(given.queries)} queries is done")
    with server() as address:
        bare = against_copy(address, given, size)
        index = PgVectorIndex.open(address, "many", encoder=MADE_BY, dimension=given.vectors.shape[1])
        loaded = seconds(lambda: index.add(entries(given, range(len(given.vectors)))))
        say(f"loaded in {loaded:.0f} s")
        built = seconds(lambda: index.create_index(m=16, ef_construction=64, memory="4GB", workers=2))
        say(f"graph built in {built:.0f} s")
        rows = [
            bare,
            Measured.of(
                "graph by load",
                "time on the clock of building the graph, by that of putting the references in",
                ratios=[built / loaded],
                notes={
                    "load, s": round(loaded, 1),
                    "graph, s": round(built, 1),
                    "m": 16,
                    "ef_construction": 64,
                },
            ),
            *(recall(replace(index, ef=width), given, exact) for width in WIDTHS),
            *guards(index, given.queries, rounds=size.rounds),
        ]
        notes = about_server(index)
        index.close()
    return {
        "about": given.about,
        "vectors": len(given.vectors),
        "dimension": given.vectors.shape[1],
        "queries": len(given.queries),
        "python": python_version(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in ("sensecheck", "psycopg", "pgvector", "numpy")},
        **notes,
        "load while measuring": round(os.getloadavg()[0], 1),
        "measured": [row.to_data() for row in rows],
    }


def exact_search(given: Many) -> Vectors:
    """For each query, the cosine of the last of the nearest `K`, by plain arithmetic over all rows."""
    best = np.full((len(given.queries), K), -1, np.float32)
    for start in range(0, len(given.vectors), 50_000):
        near = given.queries @ given.vectors[start : start + 50_000].T
        best = -np.sort(-np.concatenate([best, near], axis=1), axis=1)[:, :K]
    last: Vectors = best[:, -1]
    return last


def entries(given: Many, rows: Sequence[int]) -> Iterator[IndexEntry]:
    """Rows as they go into an index."""
    for row in rows:
        yield IndexEntry(Reference(f"r{row}", given.text(row), f"row {row}"), given.vectors[row])


def against_copy(address: str, given: Many, size: Size) -> Measured:
    """Putting references in, by a COPY of the same that checks and replaces nothing; in turns."""
    rows, wide = range(size.bare), given.vectors.shape[1]
    index = PgVectorIndex.open(address, "race", encoder=MADE_BY, dimension=wide)
    ratios = []
    for _ in range(size.rounds):
        ours = seconds(lambda: index.add(entries(given, rows)))
        ratios.append(ours / seconds(lambda: _bare_copy(index.database.connection, given, rows)))
        index.database.connection.execute("TRUNCATE race")
    index.close()
    return Measured.of(
        "load by a bare COPY",
        "time on the clock of `add`, by that of a binary COPY of the same rows into an empty table",
        ratios=ratios,
        notes={"rows": size.bare},
    )


def recall(index: PgVectorIndex, given: Many, exact: Vectors) -> Measured:
    """The share of the nearest `K` that a search through the graph finds; one query after the other."""
    found, spent = [], []
    for query, last in zip(given.queries, exact, strict=True):
        start = time.perf_counter()
        matches = index.search(query, K)
        spent.append(time.perf_counter() - start)
        found.append(sum(match.closeness >= last - SAME for match in matches) / K)
    say(f"recall at ef {index.ef}: {np.mean(found):.4f}")
    return Measured.of(
        f"recall@{K}, ef_search {index.ef}",
        f"of the nearest {K} by exact search, the share found through the graph; the mean of the queries",
        ratios=[float(np.mean(found))],
        notes={
            "worst query": min(found),
            "all found, share of queries": round(float(np.mean(np.equal(found, 1))), 4),
            **percentiles(spent),
        },
    )


def about_server(index: PgVectorIndex) -> dict[str, Any]:
    """What was measured, and how much room it takes."""
    with index.database.transaction(keep=False) as cursor:
        cursor.execute(
            "SELECT current_setting('server_version'), extversion, pg_table_size('many'), "
            "pg_indexes_size('many') FROM pg_extension WHERE extname = 'vector'"
        )
        found = cursor.fetchone()
    names = ("postgresql", "pgvector extension", "bytes of the table", "bytes of its indexes")
    return dict(zip(names, found or (), strict=True))


def percentiles(spent: Sequence[float]) -> dict[str, float]:
    """The median and the slowest of a hundred, in milliseconds."""
    return {f"p{rank}, ms": round(1000 * float(np.percentile(spent, rank)), 3) for rank in (50, 99)}


def say(what: str) -> None:
    """Tell people how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def _bare_copy(connection: psycopg.Connection[Any], given: Many, rows: Sequence[int]) -> None:
    with connection.transaction(force_rollback=True), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bare (id text, text text, source text, embedding vector)")
        with cursor.copy("COPY bare FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(("text", "text", "text", "vector"))
            for row in rows:
                copy.write_row((f"r{row}", given.text(row), f"row {row}", given.vectors[row]))


if __name__ == "__main__":
    main()
