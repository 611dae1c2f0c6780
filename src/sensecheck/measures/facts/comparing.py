"""The facts of an answer beside those of its references."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.measures.facts.alignment import Alignment
from sensecheck.measures.facts.bounds import bound_flips, quantifier_flips
from sensecheck.measures.facts.fact import Difference, distinct
from sensecheck.measures.facts.flips import negation_flips
from sensecheck.measures.facts.negation import negations
from sensecheck.measures.facts.opposites import opposites
from sensecheck.measures.facts.parsed import Parsed
from sensecheck.measures.facts.polarity import polarity_flips
from sensecheck.measures.facts.references import taken_apart
from sensecheck.measures.facts.slots import slot_differences


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs, and how many facts of the answer do not."""

    differences: tuple[Difference, ...]
    agreeing: int
    """The numbers, dates, names and negations of the answer that differ from nothing."""


def differences(answer: str, references: Sequence[str]) -> list[Difference]:
    """The facts in which an answer differs from the references; one found in any of them agrees."""
    found = compare(answer, references).differences
    return [one for one in found if not (one.derived and one.change == "added")]


def compare(answer: str, references: Sequence[str], question: str | None = None) -> Comparison:
    """The differences in the order of the answer, what it lacks last, and how many of its facts agree."""
    return _compared(answer, tuple(references), question or "")


@lru_cache(maxsize=16)
def _compared(answer: str, references: tuple[str, ...], question: str) -> Comparison:
    """Remembered, since several measures ask for the same texts, one after the other."""
    mine, theirs = taken_apart(answer), [taken_apart(text) for text in references]
    asked = taken_apart(question) if question else None
    found = [
        *slot_differences(mine, theirs, asked),
        *_cue_differences(mine.parsed, [held.parsed for held in theirs]),
    ]
    if len(theirs) == 1 and not any(one.kind == "negation" and one.change == "changed" for one in found):
        found += polarity_flips(mine.parsed, theirs[0].parsed, asked.parsed if asked else None)
    ordered = sorted(found, key=lambda difference: difference.answer or (len(answer) + 1, 0))
    return Comparison(tuple(ordered), len(_places(mine.parsed) - {other.answer for other in found}))


def _cue_differences(answer: Parsed, references: Sequence[Parsed]) -> list[Difference]:
    """Negations, opposites, bounds and quantifiers, sentence by sentence."""
    alignment = Alignment(references)
    besides = [alignment.beside(answer, sentence) for sentence in answer.sentences]
    kinds = (negation_flips, opposites, bound_flips, quantifier_flips)
    return [found for beside in besides if beside for flips in kinds for found in flips(beside)]


def _places(answer: Parsed) -> set[tuple[int, int]]:
    """Where the answer states a fact; one that it states twice counts once."""
    facts = [(fact.start, fact.end) for fact in distinct(answer.facts) if not fact.weak]
    denials = (denial for sentence in answer.sentences for denial in negations(answer.text, sentence))
    return {*facts, *((denial.start, denial.end) for denial in denials)}
