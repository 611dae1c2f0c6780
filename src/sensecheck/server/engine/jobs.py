"""Jobs, their results, and the protocol of an engine: plain values that go between processes."""

from asyncio import Future
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
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
    max_claims: int = 0
    """How many claims of the answer are read; 0 for all. The result says how many were not."""


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
    unread_claims: int = 0
    """How many claims at the end of the answer were not read, since there are too many."""


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

    def __init__(self, retry_after: float, *, own: bool = False) -> None:
        super().__init__("more is waiting than can be done in time")
        self.retry_after = retry_after
        """Seconds after which there will be room, about."""
        self.own = own
        """Whether the client's key has used up its own share."""


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
    """How many batches worker processes were given, since the start."""
    remembered: int = 0
    """How many jobs nobody had to do, since the same was done before, or under way."""


@dataclass(frozen=True, slots=True)
class WorkerReady:
    """A worker process has loaded its model."""

    fingerprint: str | None
    """That of its encoder."""
    tokens_per_second: float
    """How fast it just was with a short text."""


@dataclass(frozen=True, slots=True)
class WorkerUnready:
    """A worker process cannot begin: weights that are missing, a setting that is wrong."""

    because: str


@dataclass(frozen=True, slots=True)
class Client:
    """Whose requests are served in turn with those of others."""

    key: str = ""
    """All clients of a key together may use a share of the queue."""
    name: str = ""
    """One client of the key: an address, say."""


class Engine(Protocol):
    """Does jobs."""

    def admit(self, jobs: Sequence[Job], client: Client) -> AbstractContextManager[None]:
        """Take room for the jobs of a request at once, or raise `Overloaded` or `EngineAway`.

        Within the context, `run` uses that room; at its end, what was not used is free again.
        """

    async def run(self, job: Job) -> Result:
        """What the job comes to; one that was not admitted is admitted as if nobody had asked for it.

        A caller who is cancelled takes a job that has not begun with them.
        """

    def begin(self, jobs: Sequence[Job], client: Client) -> "Sequence[Future[Result]]":
        """All jobs of a large request, admitted or refused as one; cancel what is no longer wanted."""

    def load(self) -> Load:
        """How busy it is now."""
