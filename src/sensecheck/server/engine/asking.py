"""How the rest of the service asks the engine."""

from asyncio import Future
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sensecheck.core.errors import SensecheckError
from sensecheck.server.engine.jobs import Job, Result


class Overloaded(SensecheckError):
    """More is waiting than can be done in time."""

    def __init__(self, retry_after: float) -> None:
        super().__init__("more is waiting than can be done in time")
        self.retry_after = retry_after
        """Seconds after which it is worth to try again."""


class EngineAway(SensecheckError):
    """No engine runs: it is starting, or it fell over this very job."""


@dataclass(frozen=True, slots=True)
class Load:
    """How busy the engine is."""

    waiting: int
    """Jobs that have not begun."""
    seconds_ahead: float
    """How long what is waiting and under way will take, about."""
    alive: int
    """Engine processes that are ready."""
    wanted: int
    batches: int = 0
    """How many batches engines were given, since the start."""
    remembered: int = 0
    """How many jobs nobody had to do, since the same was done before, or under way."""


class Engine(Protocol):
    """Does jobs."""

    async def run(self, job: Job, *, promised: bool = False) -> Result:
        """What the job comes to. Raises `Overloaded` at once when there is no room, `EngineAway` when nobody
        is there. A caller who is cancelled takes a job that has not begun with them.

        What was `promised`, because its request was admitted before, may wait several times as long: work
        that is thrown away halfway helps nobody.
        """
        ...

    def begin(self, jobs: Sequence[Job]) -> "Sequence[Future[Result]]":
        """All that a large request wants, as one: taken whole, or turned away whole as `run` does it.

        What is taken waits for its turn, so that others have theirs; cancel what is no longer wanted.
        """
        ...

    def admit(self, job: Job) -> None:
        """Raise `Overloaded` if `run` would; costs nothing."""
        ...

    def load(self) -> Load:
        """How busy it is now."""
        ...
