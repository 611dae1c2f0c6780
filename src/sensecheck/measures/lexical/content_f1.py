"""How many words that carry content both texts have."""

import re
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.clipped import clipped
from sensecheck.measures.lexical.nothing import nothing_to_compare
from sensecheck.measures.lexical.remembering import SHORT, TEXTS
from sensecheck.text.words import Word, is_stop_word, words

# The list of stop words holds these too; without them, `is not safe` would share every word with `is safe`.
_NEGATIONS = frozenset(("no", "nor", "not"))
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d+\.\d+")
_MINUS = re.compile(r"(?<![^\s(])[-−]$")


@dataclass(frozen=True, slots=True)
class ContentF1:
    """The F1 of content words that both texts have, from 0 to 1.

    Stop words are left out, but no negation is: `isn't` and `cannot` count as `not`. Case does not count, and
    numbers are compared by value: `1,000` is `1000`, `2.50` is `2.5`, and `-5` is not `5`.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "content_f1"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """Twice the shared content words by all content words."""
        expected = sample.must_have_expected() if self.expected is None else self.expected
        missing = nothing_to_compare(carried(sample.answer), carried(expected))
        value = content_f1(sample.answer, expected)
        return Reading(value, missing or f"the F1 of shared content words is {value:.3f}")


def content_f1(answer: str, expected: str) -> float:
    """Twice the shared content words by all content words; 0 where there are none."""
    mine, theirs = carried(answer), carried(expected)
    total = len(mine) + len(theirs)
    return 2 * clipped(mine, theirs) / total if total else 0.0


def carried(text: str) -> tuple[str, ...]:
    """The content words in the form in which they are compared; a short text is divided once."""
    return _remembered(text) if len(text) <= SHORT else _divided(text)


def _divided(text: str) -> tuple[str, ...]:
    return tuple(_form(text, word) for word in words(text) if _counts(word.text))


_remembered = lru_cache(maxsize=TEXTS)(_divided)


def _counts(word: str) -> bool:
    return _negates(word) or not is_stop_word(word)


def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't") or word == "cannot"


def _form(text: str, word: Word) -> str:
    if word.text[0].isdigit():
        return _sign(text, word.start) + _number(word.text)
    if _negates(word.text) and word.text not in _NEGATIONS:
        return "not"
    return word.text.casefold()


def _number(written: str) -> str:
    """The digits without what groups thousands, and without zeros at the end of decimals."""
    plain = written.replace(",", "") if _GROUPED.fullmatch(written) else written
    return plain.rstrip("0").rstrip(".") if _DECIMAL.fullmatch(plain) else plain.casefold()


def _sign(text: str, start: int) -> str:
    """A minus that stands before the number and after a space; a dash inside `3-5` is none."""
    return "-" if _MINUS.search(text[max(0, start - 2) : start]) else ""
