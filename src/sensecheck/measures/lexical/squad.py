"""Exact match and words in common, as the SQuAD question sets count them."""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.tokens import REMEMBERED_CHARS, REMEMBERED_TEXTS, clipped, nothing_to_compare

_NO_SIGNS = str.maketrans("", "", string.punctuation)
ARTICLES = frozenset(("a", "an", "the"))
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


@dataclass(frozen=True, slots=True)
class SquadExactMatch:
    """Whether the answer is the expected one but for case, punctuation, articles and spaces: 1 or 0."""

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "squad_exact_match"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 for the same words in the same order; two texts without words are the same."""
        expected = sample.require_expected() if self.expected is None else self.expected
        mine, theirs = squad_words(sample.answer), squad_words(expected)
        if mine == theirs:
            return Reading(1.0, f"the answer is the expected one{'' if mine else ': neither holds a word'}")
        return Reading(0.0, nothing_to_compare(mine, theirs) or "the answer is not the expected one")


@dataclass(frozen=True, slots=True)
class SquadF1:
    """The F1 of words that both texts have, but for case, punctuation and articles: from 0 to 1."""

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "squad_f1"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """Twice the shared words by all words; 1 for two texts without words."""
        expected = sample.require_expected() if self.expected is None else self.expected
        mine, theirs = squad_words(sample.answer), squad_words(expected)
        if not mine and not theirs:
            return Reading(1.0, "the answer is the expected one: neither holds a word")
        value = squad_f1(sample.answer, expected)
        shared = f"the F1 of words shared with the expected answer is {value:.3f}"
        return Reading(value, nothing_to_compare(mine, theirs) or shared)


@dataclass(frozen=True, slots=True)
class GoldRecall:
    """The share of the expected answer's words that the answer holds, but for case, signs and articles.

    A long answer that holds a short expected one reads 1, where F1 and BLEU punish its length.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "gold_recall"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """Found words by expected words, a word that is expected twice being looked for twice."""
        expected = sample.require_expected() if self.expected is None else self.expected
        mine, theirs = squad_words(sample.answer), squad_words(expected)
        if missing := nothing_to_compare(mine, theirs):
            return Reading(0.0, missing)
        value = gold_recall(sample.answer, expected)
        shared = round(value * len(theirs))
        return Reading(value, f"the answer holds {shared} of the expected answer's {len(theirs)} words")


def squad_exact_match(answer: str, expected: str) -> float:
    """1 where both texts have the same words in the same order, else 0."""
    return float(squad_words(answer) == squad_words(expected))


def squad_f1(answer: str, expected: str) -> float:
    """Twice the shared words by all words; 1 for two texts without words."""
    mine, theirs = squad_words(answer), squad_words(expected)
    total = len(mine) + len(theirs)
    return 2 * clipped(mine, theirs) / total if total else 1.0


def gold_recall(answer: str, expected: str) -> float:
    """The share of the expected words that the answer holds; 0 where none are expected."""
    mine, theirs = squad_words(answer), squad_words(expected)
    return clipped(mine, theirs) / len(theirs) if theirs else 0.0


def squad_words(text: str) -> tuple[str, ...]:
    """The words in small letters, without punctuation and articles; a short text is divided once."""
    return _remembered(text) if len(text) <= REMEMBERED_CHARS else _divided(text)


def _divided(text: str) -> tuple[str, ...]:
    return tuple(_without_articles(text.lower().translate(_NO_SIGNS)))


def _without_articles(plain: str) -> Iterator[str]:
    for word in plain.split():
        if word.isalnum():  # most are, and an article cannot stand inside of one
            if word not in ARTICLES:
                yield word
        else:
            yield from _ARTICLE.sub(" ", word).split()


_remembered = lru_cache(maxsize=REMEMBERED_TEXTS)(_divided)
