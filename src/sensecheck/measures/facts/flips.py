"""Negations that one of two near sentences has and the other has not."""

from collections.abc import Iterator, Sequence

from sensecheck.measures.facts.alignment import Aligned
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.negation import Negation, negated, negations
from sensecheck.measures.facts.opposites import opposites_of
from sensecheck.measures.facts.parsed import Parsed, Sentence
from sensecheck.measures.text.words import stem

_GOVERNED = 2
"""How many of the words that a negation reaches are looked for on the other side."""


def negation_flips(
    answer: Parsed, sentence: Sentence, near: Sequence[Aligned], references: Sequence[Parsed]
) -> Iterator[Difference]:
    """The negations that the answer adds or drops, against the nearest sentence of the references."""
    if not near:
        return
    mine = negations(answer.text, sentence)
    all_theirs = [negations(references[other.reference].text, other.sentence) for other in near]
    supported = {word for theirs in all_theirs for word in negated(theirs)}
    best, theirs = near[0], all_theirs[0]
    for negation in mine:
        if not supported & set(negation.scope) and _affirmed(negation, best.sentence, theirs):
            place = _place(negation, best.sentence)
            note = _note(answer.text, (negation.start, negation.end), references[best.reference].text, place)
            yield Difference(
                "negation", "changed", note, (negation.start, negation.end), place, best.reference
            )
    denied = {word for negation in mine for word in negation.scope}
    for negation in theirs:
        if not denied & set(negation.scope) and _affirmed(negation, sentence, mine):
            if any(
                _affirmed(negation, other.sentence, own)
                for other, own in zip(near[1:], all_theirs[1:], strict=True)
            ):
                continue
            place, there = _place(negation, sentence), (negation.start, negation.end)
            note = _note(answer.text, place, references[best.reference].text, there)
            yield Difference("negation", "changed", note, place, there, best.reference)


def _affirmed(negation: Negation, sentence: Sentence, own: Sequence[Negation]) -> bool:
    """Whether a sentence affirms what the negation governs."""
    governed = set(negation.scope[:_GOVERNED])
    if any(opposite in sentence.content for word in governed for opposite in opposites_of(word)):
        return False
    return bool(governed & (sentence.content - negated(own)))


def _place(negation: Negation, sentence: Sentence) -> tuple[int, int]:
    """Where a sentence has the word that the negation governs."""
    governed = negation.scope[:_GOVERNED]
    word = next(word for word in sentence.words if stem(word.text) in governed)
    return word.start, word.end


def _note(mine: str, here: tuple[int, int], theirs: str, there: tuple[int, int]) -> str:
    return f"the answer says `{mine[slice(*here)]}`; it says `{theirs[slice(*there)]}`"
