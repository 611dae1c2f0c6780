"""What was found of an answer beside the expected one, as a reading with its evidence."""

from collections.abc import Iterator, Sequence

from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.correctness.comparing import Compared
from sensecheck.measures.facts.fact import Difference

_SHOWN = 4
"""How many missing words are told."""


def reading_of(sample: Sample, expected: str, found: Compared, chance: float, space: Space) -> Reading:
    """The chance that people would call the answer correct, with what does not fit."""
    return Reading(
        chance,
        _because(sample.answer, expected, found),
        tuple(_evidence(sample.answer, expected, found)),
        space.unread(sample.answer, expected),
    )


def _because(answer: str, expected: str, found: Compared) -> str:
    """The reasons, the strongest first."""
    reasons = [_differs(each, answer, expected) for each in found.changed]
    if found.abstains is not None:
        reasons.insert(0, f"the answer says `{answer[slice(*found.abstains)]}`")
    told = {difference.source for difference in found.changed}
    lost = [fact for fact in found.lost if not fact.weak and (fact.start, fact.end) not in told]
    missing = [expected[fact.start : fact.end] for fact in lost]
    missing += [
        expected[word.start : word.end]
        for word in found.missing
        if not any(fact.start <= word.start < fact.end for fact in found.lost)
    ]
    if missing:
        reasons.append(_not_in(dict.fromkeys(missing)))
    return "; ".join(reasons) or "the answer holds all words of the expected one"


def _differs(each: Difference, answer: str, expected: str) -> str:
    if each.answer is None or each.source is None:
        return each.note
    return f"the answer says `{answer[slice(*each.answer)]}`; expected is `{expected[slice(*each.source)]}`"


def _not_in(missing: Sequence[str] | dict[str, None]) -> str:
    shown = [f"`{each}`" for each in missing][:_SHOWN]
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    return f"the answer does not say {', '.join(shown)}{more}"


def _evidence(answer: str, expected: str, found: Compared) -> Iterator[Evidence]:
    closeness = found.features["closeness"]
    yield Evidence("nearest", Span.of("answer", answer), Span.of("expected", expected), closeness)
    if found.abstains is not None:
        yield Evidence("abstention", Span.of("answer", answer, *found.abstains))
    for each in found.changed:
        mine = Span.of("answer", answer, *each.answer) if each.answer else None
        theirs = Span.of("expected", expected, *each.source) if each.source else None
        yield Evidence(each.kind, mine, theirs, note=each.note)
    for word in found.missing:
        span = Span.of("expected", expected, word.start, word.end)
        yield Evidence("missing_term", source=span, note="is not in the answer:")
