"""PostgreSQL itself is stopped, and started again, while the service is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tests.faults.service.cluster import Cluster
from tests.faults.service.kept import Kept
from tests.faults.service.reader import Reader, Told
from tests.faults.service.readers import Readers
from tests.faults.service.surroundings import kept_at, key_at
from tests.faults.service.unit import Unit
from tests.faults.service.waiting import seconds_until, until_spool_is_empty
from tests.faults.service.wires import unknown_key
from tests.server.running import PEPPER

ACKNOWLEDGED = 30
"""As many answers are wanted while the database is away."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """What came of it."""

    spooled: float
    """Messages that waited on this machine when the database came back."""
    ready: bool
    """Whether `/readyz` still wanted readers."""
    stranger: Told
    """What somebody with a key that was never seen was told meanwhile."""
    stranger_after: Told
    recovery: float
    """Seconds from the start of the database until it had everything."""
    kept: Kept
    told: dict[str, int]


def stopped(database: Cluster, folder: Path, end: Callable[[], None]) -> Stopped:
    """Ask before, while and after the database is away; `end` takes it away."""
    key = key_at(database.address)
    settings = {
        "SENSECHECK_STORE": database.address,
        "SENSECHECK_SERVE_SPOOL": str(folder / "spool.sqlite3"),
        "SENSECHECK_SERVE_PEPPER": PEPPER,
    }
    with Unit(folder, settings) as unit:
        with Readers(lambda: unit.url, key).asking() as readers:
            readers.wait_for(ACKNOWLEDGED)
            end()
            readers.wait_for(ACKNOWLEDGED)
            stranger = _stranger(unit)
            seconds_until(lambda: not unit.ready()["store"], 5, "told that the database is away")
            ready, spooled = bool(unit.ready()["ready"]), unit.metric("sensecheck_spool_waiting")
            database.start()
            began = monotonic()
            seconds_until(lambda: bool(unit.ready()["store"]), 10, "told that the database is back")
            until_spool_is_empty(unit)
            recovery, after = monotonic() - began, _stranger(unit)
            readers.wait_for(ACKNOWLEDGED)
        assert unit.end() == 0
        kept = Kept.of(readers.acknowledged, kept_at(database.address))
    return Stopped(spooled, ready, stranger, after, recovery, kept, dict(readers.told))


def _stranger(unit: Unit) -> Told:
    stranger = Reader(unit.url, unknown_key())
    try:
        return stranger.get("/v1/limits")
    finally:
        stranger.close()
