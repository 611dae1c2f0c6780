"""Negations that one of two near sentences has and the other has not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.measures.facts.abstentions import abstains
from sensecheck.measures.facts.alignment import Beside
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.negation import Negation, negated, negations, unclaimed
from sensecheck.measures.facts.opposites import opposites_of
from sensecheck.measures.facts.parsed import Parsed, Sentence
from sensecheck.measures.text.words import stem

_VERBS = frozenset(("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "can", "will"))


@dataclass(frozen=True, slots=True)
class _Side:
    """A sentence, with its negations."""

    sentence: Sentence
    found: Sequence[Negation]
    denied: frozenset[str]
    open: frozenset[str]
    """What it neither affirms nor denies."""

    @classmethod
    def of(cls, parsed: Parsed, sentence: Sentence) -> "_Side":
        found = negations(parsed.text, sentence)
        return cls(sentence, found, negated(found), unclaimed(parsed.text, sentence))

    def affirms(self, negation: Negation, other: "_Side") -> bool:
        """Whether it affirms what a negation of the other side governs."""
        heads = set(negation.scope[: negation.heads])
        if any(opposite in self.sentence.content for word in heads for opposite in opposites_of(word)):
            return False
        return bool(heads & (self.sentence.content - self.denied - (self.open - other.open)))


def negation_flips(beside: Beside) -> Iterator[Difference]:
    """The negations that the answer adds, and those that it drops."""
    mine = _Side.of(beside.answer, beside.sentence)
    theirs = [_Side.of(other.parsed, other.sentence) for other in beside.near]
    yield from _added(beside, mine, theirs)
    yield from _dropped(beside, mine, theirs)


def _added(beside: Beside, mine: _Side, theirs: Sequence[_Side]) -> Iterator[Difference]:
    """The answer negates what the nearest sentence affirms, and no near sentence negates it too."""
    best, supported = theirs[0], {word for side in theirs for word in side.denied}
    for negation in mine.found:
        if supported & set(negation.scope) or abstains(mine.sentence, negation, best.sentence):
            continue
        if best.affirms(negation, mine):
            there = _place(negation, best.sentence)
            yield beside.changed("negation", (negation.start, negation.end), beside.near[0], there)


def _dropped(beside: Beside, mine: _Side, theirs: Sequence[_Side]) -> Iterator[Difference]:
    """The answer affirms what the nearest sentence negates, and no near sentence affirms it too."""
    best, denied = beside.near[0], {word for negation in mine.found for word in negation.scope}
    for negation in theirs[0].found:
        if denied & set(negation.scope) or not mine.affirms(negation, theirs[0]):
            continue
        claimed = best.framed or _claims(mine.sentence, best.sentence, negation)
        if claimed and not any(side.affirms(negation, theirs[0]) for side in theirs[1:]):
            here = _place(negation, mine.sentence)
            yield beside.changed("negation", here, best, (negation.start, negation.end))


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
