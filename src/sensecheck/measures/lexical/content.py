"""Content words that two texts share, changes of letters between them, and several lexical numbers as one.

Also the recall of words together with the cosine, for answers that say the expected one otherwise.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.extras import extra
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.bleu import sentence_bleu
from sensecheck.measures.lexical.rouge import rouge_l
from sensecheck.measures.lexical.squad import gold_recall, squad_exact_match, squad_f1
from sensecheck.measures.lexical.tokens import REMEMBERED_CHARS, REMEMBERED_TEXTS, clipped, nothing_to_compare
from sensecheck.measures.similarity import (
    both_texts,
    expected_alternatives,
    left_out,
    read_as_empty,
    validate_separator,
)
from sensecheck.text.words import Word, is_stop_word, words

# The list of stop words holds these too; without them, `is not safe` would share every word with `is safe`.
_NEGATIONS = frozenset(("no", "nor", "not"))
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d+\.\d+")
_MINUS = re.compile(r"(?<![^\s(])[-−]$")
_RECALL_WEIGHT = 0.7
"""Of the words, next to the cosine, which has the rest."""


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
        expected = sample.require_expected() if self.expected is None else self.expected
        missing = nothing_to_compare(content_words(sample.answer), content_words(expected))
        value = content_f1(sample.answer, expected)
        return Reading(value, missing or f"the F1 of shared content words is {value:.3f}")


@dataclass(frozen=True, slots=True)
class Levenshtein:
    """The fewest letters to add, leave out or exchange; 0 for the same text.

    A letter is a code point: an emoji outside the basic plane counts once, where JavaScript counts two.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "levenshtein"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The distance."""
        with extra("lexical"):
            from rapidfuzz.distance.Levenshtein import distance  # noqa: PLC0415 - an extra
        expected = sample.require_expected() if self.expected is None else self.expected
        changes = distance(sample.answer, expected)
        pair = Evidence("compared", Span.of("answer", sample.answer), Span.of("expected", expected))
        return Reading(float(changes), f"{changes} changes of letters make it the expected answer", (pair,))


@dataclass(frozen=True, slots=True)
class LexicalAggregate:
    """0.30 sentence BLEU + 0.40 ROUGE-L F1 + 0.20 content F1 + 0.10 SQuAD exact match, from 0 to 1.

    Two empty texts are an exact match and nothing else, which is 0.1.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "lexical_aggregate"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The weighted sum, and its parts in words."""
        expected = sample.require_expected() if self.expected is None else self.expected
        scores = _aggregate_parts(sample.answer, expected)
        value = _weighted_sum(scores)
        missing = None if value else nothing_to_compare(sample.answer.strip(), expected.strip())
        parts = ", ".join(f"{name} {part:.3f}" for name, part in scores.items())
        return Reading(value, missing or f"the lexical aggregate is {value:.3f}: {parts}")


@dataclass(frozen=True, slots=True)
class RecallAndCosine:
    """The share of the expected answer's words in the answer, and the cosine of both, as one weighted mean.

    Words tell a long answer that holds a short expected one; the cosine tells one that says it otherwise.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    separator: str | None = None
    """What stands between alternatives in the expected answer, the best of which counts; None: it is one."""

    def __post_init__(self) -> None:
        validate_separator(self.separator)

    @property
    def name(self) -> str:
        """What people call it."""
        return "recall_and_cosine"

    def needs(self, sample: Sample) -> Needs:
        """The answer and the expected one; nothing when one of them is empty."""
        return both_texts(sample, expected_alternatives(sample, self.expected, self.separator))

    def read(self, sample: Sample, space: Space) -> Reading:
        """The weighted mean, of the best alternative."""
        alternatives = expected_alternatives(sample, self.expected, self.separator)
        if (empty := read_as_empty(sample, alternatives)) is not None:
            return empty
        readable = space.readable(alternatives)
        best = max(
            (_recall_reading(sample.answer, alternative, space) for alternative in readable),
            key=lambda reading: reading.value,
        )
        return best.beside(left_out(alternatives, readable))


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """What an answer and the expected one have in common letter by letter; each number from 0 to 1."""

    sentence_bleu: float
    rouge_l: float
    """The F1."""
    rouge_l_precision: float
    rouge_l_recall: float
    squad_exact_match: float
    squad_f1: float
    gold_recall: float
    content_f1: float
    lexical_aggregate: float


def lexical_scores(answer: str, expected: str) -> LexicalScores:
    """All of them; the same numbers that the measures of these names read."""
    row = rouge_l(answer, expected)
    return LexicalScores(
        sentence_bleu=sentence_bleu(answer, expected),
        rouge_l=row.f1,
        rouge_l_precision=row.precision,
        rouge_l_recall=row.recall,
        squad_exact_match=squad_exact_match(answer, expected),
        squad_f1=squad_f1(answer, expected),
        gold_recall=gold_recall(answer, expected),
        content_f1=content_f1(answer, expected),
        lexical_aggregate=lexical_aggregate(answer, expected),
    )


def content_f1(answer: str, expected: str) -> float:
    """Twice the shared content words by all content words; 0 where there are none."""
    mine, theirs = content_words(answer), content_words(expected)
    total = len(mine) + len(theirs)
    return 2 * clipped(mine, theirs) / total if total else 0.0


def content_words(text: str) -> tuple[str, ...]:
    """The content words in the form in which they are compared; a short text is divided once."""
    return _remembered_words(text) if len(text) <= REMEMBERED_CHARS else _divided(text)


def lexical_aggregate(answer: str, expected: str) -> float:
    """The weighted sum of the parts."""
    return _weighted_sum(_aggregate_parts(answer, expected))


def recall_and_cosine(recall: float, cosine: float) -> float:
    """The weighted mean of a share of words and a cosine, of which what is below 0 counts as 0."""
    return _RECALL_WEIGHT * recall + (1 - _RECALL_WEIGHT) * max(cosine, 0.0)


def _divided(text: str) -> tuple[str, ...]:
    return tuple(
        _form(text, word) for word in words(text) if _negates(word.text) or not is_stop_word(word.text)
    )


_remembered_words = lru_cache(maxsize=REMEMBERED_TEXTS)(_divided)


def _negates(word: str) -> bool:
    return word in _NEGATIONS or word.endswith("n't") or word == "cannot"


def _form(text: str, word: Word) -> str:
    """A word as it is compared: numbers by value, negations as `not`, all else without case."""
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


_AGGREGATE: Mapping[str, tuple[float, Callable[[str, str], float]]] = {
    "BLEU": (0.30, sentence_bleu),
    "ROUGE-L": (0.40, lambda answer, expected: rouge_l(answer, expected).f1),
    "content F1": (0.20, content_f1),
    "exact match": (0.10, squad_exact_match),
}
"""By name: the weight, and who reads the number."""


def _aggregate_parts(answer: str, expected: str) -> dict[str, float]:
    """The parts of the aggregate, by name."""
    return {name: measure(answer, expected) for name, (_, measure) in _AGGREGATE.items()}


def _weighted_sum(parts: Mapping[str, float]) -> float:
    """The sum of the parts by their weights, without errors of rounding: a perfect answer is 1."""
    return math.fsum(_AGGREGATE[name][0] * part for name, part in parts.items())


def _recall_reading(answer: str, expected: str, space: Space) -> Reading:
    """The recall of one expected answer and its cosine."""
    recall, cosine = gold_recall(answer, expected), space.similarity(answer, expected)
    pair = Evidence("nearest", Span.of("answer", answer), Span.of("expected", expected), cosine)
    because = (
        f"the answer holds {recall:.0%} of the expected answer's words, and their cosine is {cosine:.3f}"
    )
    return Reading(recall_and_cosine(recall, cosine), because, (pair,), space.unread(answer, expected))
