"""The facts of an answer beside those of its references."""

from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.measures.facts.alignment import Alignment
from sensecheck.measures.facts.bounds import bound_flips, quantifier_flips
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.flips import negation_flips
from sensecheck.measures.facts.negation import negations
from sensecheck.measures.facts.opposites import opposites
from sensecheck.measures.facts.references import Reference
from sensecheck.measures.facts.slots import slot_differences


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs, and how many facts the answer has."""

    differences: tuple[Difference, ...]
    facts: int
    """The numbers, dates, names and negations of the answer."""


def differences(answer: str, references: Sequence[str]) -> list[Difference]:
    """The facts in which an answer differs from the references; one found in any of them agrees."""
    return list(compare(answer, references).differences)


def compare(answer: str, references: Sequence[str]) -> Comparison:
    """The differences in the order of the answer, those that it lacks last, and the number of its facts."""
    mine, theirs = Reference.of(answer), [Reference.of(text) for text in references]
    found = [*slot_differences(mine, theirs), *_cue_differences(mine, theirs)]
    denials = sum(len(negations(answer, sentence)) for sentence in mine.parsed.sentences)
    values = {(fact.kind, fact.value) for fact in mine.parsed.facts if not fact.weak}
    ordered = sorted(found, key=lambda difference: difference.answer or (len(answer) + 1, 0))
    return Comparison(tuple(ordered), len(values) + denials)


def _cue_differences(mine: Reference, theirs: Sequence[Reference]) -> list[Difference]:
    """Negations, opposites, bounds and quantifiers, sentence by sentence."""
    answer, references = mine.parsed, [reference.parsed for reference in theirs]
    alignment = Alignment(references)
    found: list[Difference] = []
    for sentence in answer.sentences:
        if alignment.repeats(sentence):
            continue
        near = alignment.near(sentence)
        for flips in (negation_flips, opposites, bound_flips, quantifier_flips):
            found += flips(answer, sentence, near, references)
    return found
