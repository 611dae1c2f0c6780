"""Negations, and what they negate."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sensecheck.measures.facts.parsed import Sentence
from sensecheck.measures.text.lists import read_groups
from sensecheck.measures.text.stopwords import is_stop_word
from sensecheck.measures.text.words import Word, stem

_REACH, _FAR = 3, 12
"""How many content words a negation reaches, and among how many words they are looked for."""
_NEAR = 6
"""How many words before a `not` that ends its sentence are searched for a contrast."""


@dataclass(frozen=True, slots=True)
class Negation:
    """A negation: where it stands, and the stems of the content words that it governs, nearest first."""

    start: int
    end: int
    scope: tuple[str, ...]
    heads: int
    """How many of them can carry the negation: the verb after `not`; the thing and its verb after `no`."""


def negations(text: str, sentence: Sentence) -> list[Negation]:
    """The negations of a sentence."""
    found: list[Negation] = []
    words = sentence.words
    for at, word in enumerate(words):
        if _negates(words, at):
            reached = list(_reached(text, words, at + 1)) or list(_before(words, at))
            last = max([word.end, *(other.end for other in reached[:1])])
            head = 1 if word.text.endswith("n't") or word.text in ("not", "never", "cannot") else 2
            found.append(Negation(word.start, last, tuple(stem(other.text) for other in reached), head))
    return found


def negated(found: Sequence[Negation]) -> frozenset[str]:
    """The stems that are negated once, not twice."""
    times = Counter(word for negation in found for word in set(negation.scope))
    return frozenset(word for word, count in times.items() if count % 2)


def unclaimed(text: str, sentence: Sentence) -> frozenset[str]:
    """The stems after `if`, `avoid` and the like: what the sentence neither affirms nor denies."""
    words = sentence.words
    cues = (at for at, word in enumerate(words) if word.text in _group("unclaimed"))
    return frozenset(stem(word.text) for at in cues for word in _reached(text, words, at + 1))


def _negates(words: Sequence[Word], at: int) -> bool:
    word = words[at].text
    following = words[at + 1].text if at + 1 < len(words) else ""
    if f"{stem(word)}+{following}" in _group("negation-when"):
        return True
    if at > 1 and (words[at - 2].text, words[at - 1].text) == ("whether", "or"):
        return False
    cue = word.endswith("n't") or word in _group("negation") or stem(word) == "lack"
    return cue and following not in _group("idle") and not following.isdigit()


def _reached(text: str, words: Sequence[Word], at: int) -> Iterator[Word]:
    """The content words after a negation, up to the end of its clause."""
    count, end = 0, words[at - 1].end
    for word in words[at : at + _FAR]:
        if any(mark in text[end : word.start] for mark in ",;:()—–") or word.text in _group("clause"):
            return
        end = word.end
        if not is_stop_word(word.text) and not word.text.endswith(("n't", "ly")):
            yield word
            count += 1
        if count == _REACH:
            return


def _before(words: Sequence[Word], at: int) -> Iterator[Word]:
    """The content word before a `not` that governs nothing after it; none in `while cats do not`."""
    contrasted = any(word.text in _group("contrast") for word in words[max(0, at - _NEAR) : at])
    if words[at].text == "no" or contrasted:
        return
    for word in reversed(words[max(0, at - _FAR) : at]):
        if not is_stop_word(word.text):
            yield word
            return


@cache
def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
