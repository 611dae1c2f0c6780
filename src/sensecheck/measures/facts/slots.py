"""Numbers, dates and names that the answer and the references do not share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.measures.facts import dates
from sensecheck.measures.facts.fact import Difference, Fact, Kind, distinct
from sensecheck.measures.facts.parsed import Parsed
from sensecheck.measures.facts.references import Reference
from sensecheck.measures.facts.values import Moment, Name, Quantity


@dataclass(frozen=True, slots=True)
class _Partner:
    """A fact of a reference that the answer lacks."""

    reference: int
    fact: Fact


def slot_differences(answer: Reference, references: Sequence[Reference]) -> Iterator[Difference]:
    """The facts that only one side has: paired where they fill the same slot, else added or missing."""
    lacking = [
        _Partner(at, fact)
        for at, reference in enumerate(references)
        for fact in distinct(reference.parsed.facts)
        if not answer.holds(fact)
    ]
    used: set[int] = set()
    for fact in distinct(answer.parsed.facts):
        if any(reference.holds(fact) for reference in references):
            continue
        best = _best(fact, answer.parsed, lacking, references)
        if best is not None:
            used.add(best)
            yield _changed(fact, answer.parsed, lacking[best], references)
        elif not fact.weak:
            yield _added(fact, answer.parsed)
    for at, partner in enumerate(lacking):
        if at not in used and not partner.fact.weak:
            yield _missing(partner, references)


def _best(
    fact: Fact, answer: Parsed, lacking: Sequence[_Partner], references: Sequence[Reference]
) -> int | None:
    """Which of the facts that the answer lacks stands in the place of this one."""
    scored = [
        (_closeness(fact, answer, partner.fact, references[partner.reference].parsed), -at)
        for at, partner in enumerate(lacking)
        if _comparable(fact, partner.fact)
    ]
    score, place = max(scored, default=(0.0, 0))
    return -place if score > 0 else None


def _comparable(mine: Fact, theirs: Fact) -> bool:
    one, other = mine.value, theirs.value
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return one.dimension == other.dimension or one.amount == other.amount
    if isinstance(one, Moment) and isinstance(other, Moment):
        return bool(dates.fields(one).keys() & dates.fields(other).keys())
    return isinstance(one, Name) and isinstance(other, Name)


def _closeness(mine: Fact, answer: Parsed, theirs: Fact, reference: Parsed) -> float:
    """How much speaks for two facts filling the same slot; 0 when nothing does."""
    follower = answer.follower(mine)
    same_next = bool(follower) and follower == reference.follower(theirs)
    if mine.weak or theirs.weak:
        return float(same_next)
    shared = len(answer.context(mine) & reference.context(theirs))
    alone = len(answer.sentences) == 1 == len(reference.sentences)
    return shared + 2.0 * same_next + 0.5 * alone


def _changed(fact: Fact, answer: Parsed, partner: _Partner, references: Sequence[Reference]) -> Difference:
    other, source = partner.fact, references[partner.reference].parsed.text
    note = f"`{answer.text[fact.start : fact.end]}` is not there; it says `{source[other.start : other.end]}`"
    spans = (fact.start, fact.end), (other.start, other.end)
    return Difference(_kind(fact, other), "changed", note, *spans, partner.reference)


def _kind(mine: Fact, theirs: Fact) -> Kind:
    one, other = mine.value, theirs.value
    both = isinstance(one, Quantity) and isinstance(other, Quantity) and one.amount == other.amount
    return "unit" if both else mine.kind


def _added(fact: Fact, answer: Parsed) -> Difference:
    note = f"`{answer.text[fact.start : fact.end]}` is not there"
    return Difference(fact.kind, "added", note, (fact.start, fact.end))


def _missing(partner: _Partner, references: Sequence[Reference]) -> Difference:
    fact, source = partner.fact, references[partner.reference].parsed.text
    note = f"`{source[fact.start : fact.end]}` is missing from the answer"
    return Difference(fact.kind, "missing", note, None, (fact.start, fact.end), partner.reference)
