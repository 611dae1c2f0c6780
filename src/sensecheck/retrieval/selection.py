"""What came of a chain: what was kept, what was dropped and why, and what budgets spent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from sensecheck.core.serialization import encode
from sensecheck.retrieval.match import Match, UnreadReference
from sensecheck.text.escaping import cut


class Dropped(NamedTuple):
    """A match that a stage let go, and why."""

    match: Match
    stage: str
    because: str
    twin: Match | None = None
    """The better-ranked match that says nearly the same, where that is why."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A match of which only the beginning was kept."""

    match: Match
    """As it came in."""
    kept: Match
    stage: str
    because: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What a budget's stage let through, of what it had."""

    stage: str
    unit: Literal["chars", "tokens"]
    used: int
    budget: int


class Step(NamedTuple):
    """What one stage made of the matches that reached it."""

    kept: tuple[Match, ...]
    dropped: tuple[Dropped, ...] = ()
    cut: tuple[Cut, ...] = ()
    spent: Spent | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """What may enter the prompt, in the order in which it should; and what each stage did."""

    kept: tuple[Match, ...]
    dropped: tuple[Dropped, ...] = ()
    cut: tuple[Cut, ...] = ()
    spent: tuple[Spent, ...] = ()
    query: str | None = None
    unread: tuple[UnreadReference, ...] = ()
    """References whose similarity could not be measured."""

    def explain(self) -> str:
        """The selection in words, a line for each match and each budget."""
        lines = [f"kept {len(self.kept)} of {len(self.kept) + len(self.dropped) + len(self.unread)}"]
        lines += [f"  + {match.closeness:.3f}  {_short(match)}" for match in self.kept]
        lines += [
            f"  - {gone.match.closeness:.3f}  {_short(gone.match)}: {gone.stage}, {gone.because}"
            for gone in self.dropped
        ]
        lines += [f"  ? {_quoted(one.text)}: cannot be read: {one.because}" for one in self.unread]
        lines += [f"  ~ {_short(one.match)}: {one.stage}, {one.because}" for one in self.cut]
        lines += [f"  {one.stage}: {one.used} of {one.budget} {one.unit}" for one in self.spent]
        return "\n".join(lines)

    def to_data(self) -> dict[str, Any]:
        """The selection as plain data, ready for JSON; vectors are left out."""
        return {
            **({"query": self.query} if self.query is not None else {}),
            "kept": [match_to_data(match) for match in self.kept],
            "dropped": [
                {
                    **match_to_data(gone.match),
                    "stage": gone.stage,
                    "because": gone.because,
                    **({"twin": match_to_data(gone.twin)} if gone.twin is not None else {}),
                }
                for gone in self.dropped
            ],
            "cut": [
                {
                    "from": match_to_data(one.match),
                    "to": match_to_data(one.kept),
                    "stage": one.stage,
                    "because": one.because,
                }
                for one in self.cut
            ],
            "spent": [encode(one) for one in self.spent],
            **({"unread": [one._asdict() for one in self.unread]} if self.unread else {}),
        }


def match_to_data(match: Match) -> dict[str, Any]:
    """A match as plain data; what it does not have is left out."""
    optional: Mapping[str, Any] = {
        "source": match.source or None,
        "metadata": dict(match.metadata) or None,
        "reference_score": match.reference_score,
        "encoder": match.encoder,
    }
    present = {key: value for key, value in optional.items() if value is not None}
    identity = {} if match.id is None else {"id": match.id}
    return {**identity, "text": match.text, "closeness": match.closeness, **present}


def _short(match: Match) -> str:
    return _quoted(match.text) + (f" ({match.source})" if match.source else "")


def _quoted(text: str) -> str:
    return f"“{cut(' '.join(text.split()), 60)}”"
