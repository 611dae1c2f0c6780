"""One wire of the service misbehaves: to the database, to Redis, or to the writer."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import count
from time import monotonic
from typing import Any, Literal

from sensecheck.store.service.api_keys import new_parts, written
from tests.faults.kinds import BLACKHOLE, RESET, Fault, cut, latency, slow
from tests.faults.proxy import FaultProxy
from tests.faults.service.reader import WAYS, Reader, Told
from tests.faults.service.surroundings import Surroundings
from tests.faults.service.unit import Unit
from tests.faults.service.waiting import seconds_until, until_spool_is_empty

Part = Literal["database", "redis", "writer"]
PARTS: tuple[Part, ...] = ("database", "redis", "writer")
FAULTS: tuple[Fault, ...] = (latency(300), RESET, cut(40), slow(60), BLACKHOLE)
WELL = 10.0
"""Seconds within which all is as before."""
_NUMBERS = count(100_000)


@dataclass(slots=True)
class Suffered:
    """What readers were told while a wire misbehaved, and how long it took until all was well."""

    part: Part
    fault: str
    told: list[tuple[str, Told]] = field(default_factory=list)
    """In which way something was asked, and the answer."""
    recovery: float = 0.0

    def kinds(self, way: str) -> list[str]:
        """What was told to those who asked in a way."""
        return [f"{told.status} {told.kind}" for asked, told in self.told if asked == way]

    @property
    def slowest(self) -> float:
        """Seconds until the slowest answer."""
        return max(told.seconds for _, told in self.told)

    def to_data(self) -> dict[str, Any]:
        """For a report."""
        told = [{"asked": way, **asdict(one)} for way, one in self.told]
        return {"part": self.part, "fault": self.fault, "recovery": self.recovery, "told": told}


def suffered(around: Surroundings, unit: Unit, part: Part, fault: Fault, *, rounds: int = 2) -> Suffered:
    """Ask in every way while a wire misbehaves; then wait until all is well."""
    found = Suffered(part, fault.kind)
    reader, stranger = Reader(unit.url, around.key), Reader(unit.url, unknown_key())
    proxy: FaultProxy = getattr(around, part)
    with around.suffering(proxy, fault):
        for _ in range(rounds):
            found.told += [(way, reader.ask(way, next(_NUMBERS))) for way in WAYS]
        if part == "database":
            found.told.append(("stranger", stranger.get("/v1/limits")))
            if fault in (RESET, BLACKHOLE):  # on a wire that is only late, nobody knows which comes first
                found.told.append(("stats", reader.get("/v1/stats")))
    found.recovery = _RECOVERED[part](unit, reader)
    reader.close()
    stranger.close()
    return found


def unknown_key() -> str:
    """A key that nobody has made."""
    return written(new_parts("secret"))


def _database_is_back(unit: Unit, reader: Reader) -> float:
    began = monotonic()
    seconds_until(lambda: bool(unit.ready()["store"]), WELL, "a database that answers")
    stranger = Reader(unit.url, unknown_key())
    seconds_until(lambda: stranger.get("/v1/limits").status == 401, WELL, "told that a key is unknown")
    seconds_until(lambda: reader.get("/v1/stats").status == 200, WELL, "told numbers")
    until_spool_is_empty(unit, WELL)
    stranger.close()
    return monotonic() - began


def _redis_is_back(unit: Unit, reader: Reader) -> float:
    return seconds_until(lambda: unit.metric("sensecheck_redis_up") == 1, WELL, "limits counted together")


def _writer_is_back(unit: Unit, reader: Reader) -> float:
    def answers() -> bool:
        return reader.ask("whole", next(_NUMBERS)).kind == "accepted"

    return seconds_until(answers, 2 * WELL, "an answer")


_RECOVERED: dict[Part, Callable[[Unit, Reader], float]] = {
    "database": _database_is_back,
    "redis": _redis_is_back,
    "writer": _writer_is_back,
}
