"""An answer beside the expected one: everything that speaks for or against it, unweighed."""

from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.correctness.side import Side, side_of
from sensecheck.measures.correctness.unknowing import unknowing
from sensecheck.measures.facts.comparing import differences
from sensecheck.measures.facts.fact import Difference, Fact
from sensecheck.measures.facts.references import Reference, taken_apart
from sensecheck.measures.lexical.squad import gold_recall
from sensecheck.text.words import Word, stem

FOR = ("recall", "held", "letters", "whole", "shorter", "back", "closeness")
"""What speaks for an answer."""
AGAINST = (
    "no_number",
    "number_changed",
    "no_name",
    "name_changed",
    "new_number",
    "new_name",
    "negation",
    "opposite",
    "quantifier",
    "abstains",
)
"""What speaks against it."""
FEATURES = (*FOR, *AGAINST)


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found."""

    features: dict[str, float]
    """By name, in the order of `FEATURES`; each from 0 to 1."""
    missing: tuple[Word, ...]
    """The words of the expected answer that the answer does not hold."""
    lost: tuple[Fact, ...]
    """The numbers, dates and names of the expected answer that the answer does not hold."""
    changed: tuple[Difference, ...]
    """The facts that the answer says otherwise."""
    abstains: tuple[int, int] | None
    """Where the answer says that it does not know."""


def compared(sample: Sample, expected: Sequence[str], space: Space) -> list[Compared]:
    """Holds an answer against each of the alternatives that were expected."""
    answered = _answered(sample)
    return [_compared(answered, each, space) for each in expected]


@dataclass(frozen=True, slots=True)
class _Answered:
    """What is known of an answer before anything is held against it: found once for all alternatives."""

    text: str
    side: Side
    question: Reference
    asked: frozenset[str]
    """The stems of the question's words."""
    abstains: tuple[int, int] | None


def _answered(sample: Sample) -> _Answered:
    question = taken_apart(sample.question or "")
    asked = frozenset(stem(word.text) for word in question.parsed.words)
    return _Answered(sample.answer, side_of(sample.answer, asked), question, asked, unknowing(sample.answer))


def _compared(answered: _Answered, expected: str, space: Space) -> Compared:
    mine, theirs = answered.side, side_of(expected, answered.asked)
    lost = [fact for fact in theirs.reference.parsed.facts if not mine.reference.holds(fact)]
    held = [_is_held(word, mine, theirs, lost) for word in theirs.own]
    changed = [each for each in differences(answered.text, (expected,)) if each.change == "changed"]
    found = {
        "recall": gold_recall(answered.text, expected),
        **_by_words(mine, theirs, held),
        "closeness": max(space.closeness(answered.text, expected), 0.0),
        **_by_facts(mine, theirs, lost, answered.question),
        **_by_changes(changed),
        "abstains": float(answered.abstains is not None),
    }
    return Compared(
        {name: found[name] for name in FEATURES},
        tuple(word for word, is_held in zip(theirs.own, held, strict=True) if not is_held),
        tuple(lost),
        tuple(changed),
        answered.abstains,
    )


def _is_held(word: Word, mine: Side, theirs: Side, lost: Sequence[Fact]) -> bool:
    """Whether the answer says a word, or the number, date or name that it belongs to, however written."""
    if mine.says(word.text):
        return True
    facts = theirs.reference.parsed.facts
    return any(fact.start <= word.start < fact.end and fact not in lost for fact in facts)


def _by_words(mine: Side, theirs: Side, held: Sequence[bool]) -> dict[str, float]:
    alike = [
        1.0 if is_held else mine.likeness(word.text) for word, is_held in zip(theirs.own, held, strict=True)
    ]
    back = _mean([theirs.says(word.text) for word in mine.own])
    share = _mean(held)
    return {
        "held": share,
        "letters": _mean(alike),
        "whole": float(bool(theirs.letters) and theirs.letters in mine.letters),
        "shorter": share if len(theirs.own) <= len(mine.own) else back,
        "back": back,
    }


def _by_facts(mine: Side, theirs: Side, lost: Sequence[Fact], question: Reference) -> dict[str, float]:
    found = {}
    for kind, names in (("number", False), ("name", True)):
        wanted = theirs.facts(names=names)
        said = [fact for fact in mine.facts(names=names) if not fact.weak]
        new = [not theirs.reference.holds(fact) and not question.holds(fact) for fact in said]
        found[f"no_{kind}"] = float(bool(wanted) and all(fact in lost for fact in wanted))
        found[f"new_{kind}"] = _mean(new)
    return found


def _by_changes(changed: Sequence[Difference]) -> dict[str, float]:
    kinds = {difference.kind for difference in changed}
    return {
        "number_changed": float(not kinds.isdisjoint(("number", "unit", "date"))),
        "name_changed": float("name" in kinds),
        "negation": float("negation" in kinds),
        "opposite": float(not kinds.isdisjoint(("opposite", "comparison"))),
        "quantifier": float("quantifier" in kinds),
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
