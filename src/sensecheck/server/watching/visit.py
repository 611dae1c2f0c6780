"""One request, from its arrival to its last byte."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter, time_ns


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of an answer, without a word of it."""

    policy: str
    outcome: str
    at: int = field(default_factory=time_ns)


@dataclass(slots=True)
class Visit:
    """What becomes known of a request while it is answered."""

    id: str
    """Told to the client and to the log, so that the two can be brought together."""
    began: float = field(default_factory=perf_counter)
    began_at: int = field(default_factory=time_ns)
    origin: str | None = None
    """The page that may read the answer; None for no page."""
    key: str | None = None
    """The id of the key that it came with, once that was found good."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers of the answer, whatever the answer will be."""
    trouble: str | None = None
    """The name of the problem that it was answered with."""
    verdicts: list[Judged] = field(default_factory=list)
    """The first of what was found of answers, for whoever follows requests by their traces."""
    decision: str | None = None
    """What became of the answer, where one was to be written."""
    outcome: str | None = None
    """What was found of the answer; the worst, where there were several."""


MOST_VERDICTS = 20
WORST_FIRST = ("fail", "error", "unsure", "measured", "pass")
VISIT: ContextVar[Visit | None] = ContextVar("sensecheck_visit", default=None)


def note_verdict(policy: str, outcome: str) -> None:
    """Note what was found of an answer, with the request that is under way, if one is."""
    if (visit := VISIT.get()) is None:
        return
    visit.outcome = min(outcome, visit.outcome or outcome, key=WORST_FIRST.index)
    if len(visit.verdicts) < MOST_VERDICTS:
        visit.verdicts.append(Judged(policy, outcome))


def note_decision(decision: str, outcome: str) -> None:
    """Note what became of an answer, with the request that is under way, if one is."""
    if (visit := VISIT.get()) is not None:
        visit.decision, visit.outcome = decision, outcome


def note_trouble(problem: str) -> None:
    """Note the name of the problem that the request under way is answered with, if one is."""
    if (visit := VISIT.get()) is not None:
        visit.trouble = problem


def request_id() -> dict[str, str]:
    """The request that is under way, as a line of the log names it; nothing where none is."""
    return {} if (visit := VISIT.get()) is None else {"request": visit.id}


def tell(headers: dict[str, str]) -> None:
    """Put headers on the answer to the request that is under way, if one is."""
    if (visit := VISIT.get()) is not None:
        visit.headers.update(headers)
