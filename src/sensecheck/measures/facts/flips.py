"""Negations that one of two near sentences has and the other has not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sensecheck.measures.facts.abstentions import abstains
from sensecheck.measures.facts.alignment import Beside
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.facts.negation import Negation, denied_around, negated, negations, unclaimed
from sensecheck.measures.facts.opposites import opposites_of
from sensecheck.measures.facts.parsed import Parsed, Sentence
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import stem

_RESTRICTING = frozenset(("only", "just", "but", "except", "some", "unless", "if"))
_VERBS = frozenset(("is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "can", "will"))


@dataclass(frozen=True, slots=True)
class _Side:
    """A sentence, with its negations."""

    sentence: Sentence
    found: Sequence[Negation]
    denied: frozenset[str]
    open: frozenset[str]
    """What it neither affirms nor denies."""
    quiet: frozenset[str]
    """What it denies without a negation, or of which it denies something: `pets are prohibited`."""

    @classmethod
    def of(cls, parsed: Parsed, sentence: Sentence) -> "_Side":
        found = negations(parsed.text, sentence)
        quiet = {word for negation in found for word in (*negation.subject, *negation.scope)}
        quiet |= denied_around(parsed.text, sentence)
        return cls(sentence, found, negated(found), unclaimed(parsed.text, sentence), frozenset(quiet))

    def affirms(self, negation: Negation, other: "_Side") -> bool:
        """Whether it affirms what a negation of the other side governs."""
        heads = set(negation.scope[: negation.heads])
        if not negation.exception:
            heads = {word for word in heads if not word[0].isdigit()}
        elif _RESTRICTING.intersection(self.sentence.said):
            return False
        if any(opposite in self.sentence.content for word in heads for opposite in opposites_of(word)):
            return False
        if negation.antecedent and negation.antecedent not in self.sentence.content:
            return False
        said = self.sentence.content - self.denied - (self.open - other.open)
        if negation.heads == 1:
            said -= _title(self.sentence)
        if negation.heads > 1 and negation.scope[:1] and negation.scope[0] not in said:
            return False
        return bool(heads & said)


def negation_flips(beside: Beside) -> Iterator[Difference]:
    """The negations that the answer adds, and those that it drops."""
    mine = _Side.of(beside.answer, beside.sentence)
    theirs = [_Side.of(other.parsed, other.sentence) for other in beside.near]
    yield from _added(beside, mine, theirs)
    yield from _dropped(beside, mine, theirs)


def _added(beside: Beside, mine: _Side, theirs: Sequence[_Side]) -> Iterator[Difference]:
    """The answer negates what the nearest sentence affirms, and no near sentence negates it too."""
    best, supported = theirs[0], {word for side in theirs for word in side.denied}
    quiet = {word for side in theirs for word in side.quiet}
    for negation in mine.found:
        if negation.restricted or supported & set(negation.scope):
            continue
        if there := _wanted(negation, best):
            yield beside.changed("negation", (negation.start, negation.end), beside.near[0], there)
            continue
        if quiet & set(negation.scope[: negation.heads]) or abstains(mine.sentence, negation, best.sentence):
            continue
        if best.affirms(negation, mine):
            there = _place(negation.scope[: negation.heads], best.sentence)
            yield beside.changed("negation", (negation.start, negation.end), beside.near[0], there)


def _dropped(beside: Beside, mine: _Side, theirs: Sequence[_Side]) -> Iterator[Difference]:
    """The answer affirms what the nearest sentence negates, and no near sentence affirms it too."""
    best = beside.near[0]
    for negation in theirs[0].found:
        taken_back = negation.exception and any(own.restricted for own in mine.found)
        if (
            negation.restricted
            or taken_back
            or mine.quiet & set(negation.scope)
            or not mine.affirms(negation, theirs[0])
        ):
            continue
        claimed = best.framed or _claims(mine.sentence, best.sentence, negation)
        if claimed and not any(side.affirms(negation, theirs[0]) for side in theirs[1:]):
            here = _place(negation.scope[: negation.heads], mine.sentence)
            yield beside.changed("negation", here, best, (negation.start, negation.end))


def _wanted(negation: Negation, other: _Side) -> tuple[int, int] | None:
    """Where the other side wants or lists the thing of which it is said that it is not needed or there."""
    thing = [word for word in negation.subject[:2] if word in other.sentence.content]
    if not negation.scope or negation.scope[0] not in _stems("existing") or set(thing) & other.quiet:
        return None
    said = other.sentence.said
    asked = not _VERBS.isdisjoint(said) or any(word in _group("wanting") for word in said)
    wanting = any(word in _group("wanting") for word in said)
    if not thing or (asked and not wanting):
        return None
    return _place(thing, other.sentence)


def _title(sentence: Sentence) -> frozenset[str]:
    """The first word where it is a thing: `Returns: …`, `Returns are free` do not say that one returns."""
    words = sentence.words
    if len(words) < 2 or not words[0].text.endswith("s"):
        return frozenset()
    again = {stem(word.text) for word in words[1:]}
    titled = words[1].start - words[0].end > 1 or words[1].text in _group("auxiliary")
    return frozenset((stem(words[0].text),)) - again if titled else frozenset()


def _claims(sentence: Sentence, other: Sentence, negation: Negation) -> bool:
    """Whether a sentence says something of what the other negates, and is no mere fragment of it."""
    if sentence.content & other.content - set(negation.scope):
        return True
    said = sentence.said
    return said[0] not in ("if", "whether", "that") and any(word in _VERBS for word in said)


def _place(heads: Sequence[str], sentence: Sentence) -> tuple[int, int]:
    """Where a sentence has the word that the negation governs."""
    word = next(word for word in sentence.words if stem(word.text) in heads)
    return word.start, word.end


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _group(name))


def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
