"""Bounds and quantifiers: `at least 5` against `at most 5`, `all` against `some`."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from sensecheck.measures.facts.alignment import Beside
from sensecheck.measures.facts.fact import Difference, Fact
from sensecheck.measures.facts.negation import denies
from sensecheck.measures.facts.numbers import agree
from sensecheck.measures.facts.parsed import Parsed, Sentence
from sensecheck.measures.facts.values import Quantity
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem, words

_SOME = 2
"""From `some` upwards, the weaker word follows from the stronger one."""


class _Bound(NamedTuple):
    amount: Quantity
    side: str
    start: int
    end: int


def bound_flips(beside: Beside) -> Iterator[Difference]:
    """The numbers that are a lower bound on one side and an upper bound on the other."""
    theirs = [(other, bound) for other in beside.near for bound in _bounds(other.parsed, other.sentence)]
    for mine in _bounds(beside.answer, beside.sentence):
        same = [(other, bound) for other, bound in theirs if agree(mine.amount, bound.amount)]
        if same and all(bound.side != mine.side for _, bound in same):
            other, bound = same[0]
            if denies(beside.answer.text, beside.sentence) != denies(other.parsed.text, other.sentence):
                continue  # `less than 25 is accepted` and `25 or more is declined` say the same
            yield beside.changed("comparison", (mine.start, mine.end), other, (bound.start, bound.end))


def quantifier_flips(beside: Beside) -> Iterator[Difference]:
    """The quantifiers of the answer that claim more than the reference, or few where it has many."""
    theirs = [(other, word, head) for other in beside.near for word, head in _quantified(other.sentence)]
    for mine, head in _quantified(beside.sentence):
        same = [(other, word) for other, word, held in theirs if held == head]
        if same and all(_contradicts(mine.text, word.text) for _, word in same):
            other, word = same[0]
            yield beside.changed("quantifier", (mine.start, mine.end), other, (word.start, word.end))


def _bounds(parsed: Parsed, sentence: Sentence) -> Iterator[_Bound]:
    for fact in parsed.within(sentence):
        if not fact.weak and isinstance(fact.value, Quantity) and (side := _side(parsed.text, fact)):
            yield _Bound(fact.value, side, fact.start, fact.end)


def _side(text: str, fact: Fact) -> str:
    before = [word.text for word in words(text[max(0, fact.start - 24) : fact.start])][-3:]
    after = [word.text for word in words(text[fact.end : fact.end + 24])][:2]
    phrases = ["+".join(before[-count:]) for count in (3, 2, 1) if len(before) >= count]
    for phrase in (*phrases, "+".join(after)):
        for side in ("up", "down"):
            if phrase in _cues()[side]:
                denied = phrase in phrases and _is_denied(text, fact, phrase)
                return {"up": "down", "down": "up"}[side] if denied else side
    return ""


def _is_denied(text: str, fact: Fact, phrase: str) -> bool:
    """Whether a negation before a bound turns it: `may not be shorter than`, `nobody under`."""
    before = [word.text for word in words(text[max(0, fact.start - 60) : fact.start])]
    cut = before[: len(before) - phrase.count("+") - 1][-4:]
    if phrase.startswith(("no+", "not+")):
        return False
    return any(word in _cues()["negation"] or word.endswith("n't") for word in cut)


def _quantified(sentence: Sentence) -> Iterator[tuple[Word, str]]:
    """The quantifiers of a sentence, each with the next content word; `a few` is left out."""
    for at, word in enumerate(sentence.words):
        few = word.text == "few" and at and sentence.words[at - 1].text == "a"
        if word.text in _scale() and not few:
            following = sentence.words[at + 1 : at + 4]
            head = next((stem(other.text) for other in following if not is_stop_word(other.text)), "")
            if head:
                yield word, head


def _contradicts(mine: str, theirs: str) -> bool:
    one, other = _scale()[mine], _scale()[theirs]
    return one > other or (one < other and one < _SOME)


def _cues() -> dict[str, frozenset[str]]:
    return read_groups("cues.txt", __package__)


@cache
def _scale() -> dict[str, int]:
    return {word: int(rank) for word, rank in (entry.split("=") for entry in _cues()["quantifier"])}
