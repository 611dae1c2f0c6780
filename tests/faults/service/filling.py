"""The disk of the spool is full, while the database is away."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from tests.faults.kinds import REFUSE
from tests.faults.service.kept import Kept
from tests.faults.service.readers import Readers
from tests.faults.service.surroundings import Surroundings
from tests.faults.service.unit import Unit
from tests.faults.service.waiting import seconds_until, until_spool_is_empty

NO_ROOM = "503 no-room"


@dataclass(frozen=True, slots=True)
class Filled:
    """What came of it."""

    refused: int
    """Questions that were told `no-room`."""
    other_problems: dict[str, int]
    """Whatever else readers were told but an answer."""
    recovery: float
    """Seconds until readers were answered, and the spool was empty."""
    kept: Kept


def filled(around: Surroundings, folder: Path, *, spool_mb: int | None = None) -> Filled:
    """Fill the spool: a small one up to its limit, or any, by a disk that takes no byte more."""
    settings = around.settings(folder)
    if spool_mb is not None:
        # long questions, which a writer that repeats them would not get to the end of
        settings |= {"SENSECHECK_SERVE_SPOOL_MB": str(spool_mb), "SENSECHECK_SERVE_WRITER": "extractive"}
    with Unit(folder, settings) as unit:
        long = "" if spool_mb is None else f" {'x' * 3900}"
        with Readers(lambda: unit.url, around.key, more=long).asking() as readers:
            readers.wait_for(6)
            with around.suffering(around.database, REFUSE):
                readers.wait_for(12)
                with _no_byte_more(unit) if spool_mb is None else nullcontext():
                    seconds_until(lambda: readers.told[NO_ROOM] >= 12, 60, "told that there is no room")
            recovery = readers.wait_for(12, 10)
            recovery += until_spool_is_empty(unit)
        assert unit.end() == 0
        kept = Kept.of(readers.acknowledged, around.kept())
    other = {told: times for told, times in readers.told.items() if told not in (NO_ROOM, "200 accepted")}
    return Filled(readers.told[NO_ROOM], other, recovery, kept)


@contextmanager
def _no_byte_more(unit: Unit) -> Iterator[None]:
    """No file of the service grows, or can be written to at all."""
    before = resource.prlimit(unit.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(unit.process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(unit.process.pid, resource.RLIMIT_FSIZE, before)
