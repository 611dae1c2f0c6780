"""Jobs, their results, and the protocol of an engine: plain values that go between processes."""

from asyncio import Future
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sensecheck.core.errors import SensecheckError
from sensecheck.core.unicode import Encoding
from sensecheck.core.verdict import Outcome


@dataclass(frozen=True, slots=True)
class CheckJob:
    """Check an answer against passages."""

    answer: str
    passages: tuple[str, ...]
    question: str | None = None
    policy: str = "default"
    """One of ours, by name or as `name@version`."""
    cutoff: tuple[tuple[str, Any], ...] | None = None
    """A fitted threshold, as sorted items of its data, instead of the policy's own."""
    offsets: Encoding = "code_points"
    trusting: bool = True
    """Whether passages may speak to the model; where they may not, what does so is no evidence."""


@dataclass(frozen=True, slots=True)
class ExtractJob:
    """Find the sentences of a passage that answer a question."""

    question: str
    passage: str
    thorough: bool = False
    """Whether the cross-encoder reads the best sentences as well."""


Job = CheckJob | ExtractJob


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found of an answer."""

    outcome: Outcome
    accepted: bool
    because: str
    value: float | None
    """The reading that the policy's threshold decides on."""
    similarity: float | None
    """The closeness of the whole answer to the nearest stretch of the passages."""
    overlap: float | None
    """How many of the answer's long words the passages hold."""
    fingerprint: str | None
    data: Mapping[str, Any]
    """All of it, as `Grounding.to_data` lays it out."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The sentences that answer, where they stand; none when the passage does not answer."""

    spans: tuple[tuple[int, int], ...]
    sure: tuple[float, ...] = ()
    """How surely each answers, from 1 down to 0."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A job that cannot be done, whoever tries: its texts or its policy are wrong."""

    because: str


Result = Checked | Extracted | Refused


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
        """What the job comes to. Raises `Overloaded` at once when too much is waiting, `EngineAway` when
        nobody is there. A caller who is cancelled takes a job that has not begun with them.

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
