"""The shape of a stage: it keeps, drops or reorders what reaches it, and says so."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from sensecheck.core.backends import Backends
from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step


@dataclass(frozen=True, slots=True)
class StageContext:
    """What a stage may look at besides the matches: the query, and the vectors that it asked for."""

    query: str | None = None
    space: Space = field(default_factory=Space)

    def require_query(self, stage: str) -> str:
        """The query, or `MissingInput`."""
        if self.query is None:
            raise MissingInput(f"the stage `{stage}` compares references with the query, and there is none")
        return self.query


class Stage(Protocol):
    """Holds no state from one query to the next: the same matches come to the same, in any chain."""

    @property
    def name(self) -> str:
        """What people call it, and what a dropped match says of who dropped it."""
        ...

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """What is left of the matches, in their new order."""
        ...


@runtime_checkable
class AskingStage(Protocol):
    """A stage that wants texts encoded, or pairs scored, before it is called."""

    @property
    def answerers(self) -> Backends | None:
        """Who answers this stage; None for what answers the chain."""
        ...

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """What must be known before the stage is called with these matches."""
        ...


def require_within(found: object, least: float, most: float, wanted: str) -> None:
    """Raise `SpecError` unless it is a number in this range."""
    if not isinstance(found, int | float) or isinstance(found, bool) or not least <= found <= most:
        raise SpecError(f"{wanted} from {least:g} to {most:g}; got {found!r:.40}")
