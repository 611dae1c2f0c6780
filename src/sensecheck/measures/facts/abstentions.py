"""Negations that deny no fact: `the passages do not mention it`, `I am unable to say`."""

from collections.abc import Iterator, Sequence
from functools import cache

from sensecheck.measures.facts.negation import Negation
from sensecheck.measures.facts.parsed import Sentence
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import stem

_BEFORE, _AFTER = 8, 12
"""Among how many words on each side the text that is spoken of is looked for."""
_SPEAKERS = frozenset(("i", "we", "i'm", "we're"))
_WHERE = frozenset(("in", "by", "from", "within", "on"))


def abstains(sentence: Sentence, negation: Negation, other: Sentence) -> bool:
    """Whether a negation says what is left open, where `other` does not itself speak of a text."""
    if other.content & _stems("source"):
        return False
    heads = set(negation.scope[: negation.heads])
    if heads & other.content <= _stems("untold"):
        return True
    before = [word.text for word in sentence.words if word.start < negation.start][-_BEFORE:]
    after = [word.text for word in sentence.words if word.start > negation.start][:_AFTER]
    head = negation.scope[0]
    if head in _stems("unsure") and not _SPEAKERS.isdisjoint(before):
        return True
    return head in _stems("tell") and any(_is_source(word) for word in (*before, *_places(after)))


def _places(said: Sequence[str]) -> Iterator[str]:
    """The words that come soon after `in`, `by` and the like: `in the given passages`."""
    return (word for at, word in enumerate(said) if not _WHERE.isdisjoint(said[max(0, at - 3) : at]))


def _is_source(word: str) -> bool:
    return stem(word) in _stems("source")


@cache
def _stems(group: str) -> frozenset[str]:
    return frozenset(stem(word) for word in read_groups("cues.txt", __package__)[group])
