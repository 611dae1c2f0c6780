"""Negations that one of two near sentences has and the other has not."""

from collections.abc import Iterator, Sequence

from sensecheck.measures.facts.alignment import Beside
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.negation import Negation, negated, negations
from sensecheck.measures.facts.opposites import opposites_of
from sensecheck.measures.facts.parsed import Sentence
from sensecheck.measures.text.words import stem

_VERBS = frozenset(("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "can", "will"))
_Found = Sequence[Negation]


def negation_flips(beside: Beside) -> Iterator[Difference]:
    """The negations that the answer adds, and those that it drops."""
    mine = negations(beside.answer.text, beside.sentence)
    theirs = [negations(other.parsed.text, other.sentence) for other in beside.near]
    yield from _added(beside, mine, theirs)
    yield from _dropped(beside, mine, theirs)


def _added(beside: Beside, mine: _Found, theirs: Sequence[_Found]) -> Iterator[Difference]:
    """The answer negates what the nearest sentence affirms, and no near sentence negates it too."""
    best, supported = beside.near[0], {word for found in theirs for word in negated(found)}
    for negation in mine:
        if not supported & set(negation.scope) and _affirms(best.sentence, theirs[0], negation):
            there = _place(negation, best.sentence)
            yield beside.changed("negation", (negation.start, negation.end), best, there)


def _dropped(beside: Beside, mine: _Found, theirs: Sequence[_Found]) -> Iterator[Difference]:
    """The answer affirms what the nearest sentence negates, and no near sentence affirms it too."""
    best, denied = beside.near[0], {word for negation in mine for word in negation.scope}
    rest = [(other.sentence, found) for other, found in zip(beside.near, theirs, strict=True)][1:]
    for negation in theirs[0]:
        if denied & set(negation.scope) or not _affirms(beside.sentence, mine, negation):
            continue
        if _claims(beside.sentence, best.sentence, negation) and not any(
            _affirms(*one, negation) for one in rest
        ):
            here = _place(negation, beside.sentence)
            yield beside.changed("negation", here, best, (negation.start, negation.end))


def _affirms(sentence: Sentence, own: _Found, negation: Negation) -> bool:
    """Whether a sentence affirms what the negation governs."""
    heads = set(negation.scope[: negation.heads])
    if any(opposite in sentence.content for word in heads for opposite in opposites_of(word)):
        return False
    return bool(heads & (sentence.content - negated(own)))


def _claims(sentence: Sentence, other: Sentence, negation: Negation) -> bool:
    """Whether a sentence says something of what the other negates, and is no mere fragment of it."""
    if sentence.content & other.content - set(negation.scope):
        return True
    said = sentence.said
    return said[0] not in ("if", "whether", "that") and any(word in _VERBS for word in said)


def _place(negation: Negation, sentence: Sentence) -> tuple[int, int]:
    """Where a sentence has the word that the negation governs."""
    heads = negation.scope[: negation.heads]
    word = next(word for word in sentence.words if stem(word.text) in heads)
    return word.start, word.end
