"""How well a sentence fits a question: a few numbers that are seen of the two."""

import math
from collections.abc import Collection, Mapping
from dataclasses import astuple, dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.grounding.asking.question import Question
from sensecheck.grounding.asking.quotable import Quotable, Quotables
from sensecheck.measures.facts.dates import agree
from sensecheck.measures.facts.fact import Fact, Moment, Name

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Features:
    """One number for each thing that is seen; as weights, how much each of them counts."""

    near: float
    """How close the sentence lies to the question."""
    held: float
    """The share of the question's words that it holds, each by its rarity."""
    around: float
    """The same, with what leads to it and the sentence before."""
    wanted: float
    """Whether it has something of the kind that is asked for, and that the question does not say itself."""
    lacking: float
    """Whether a kind is asked for that it does not have."""
    strange: float
    """Whether the question speaks of a name or a date that the whole passage lacks."""

    def values(self) -> tuple[float, ...]:
        """The numbers alone, in their order."""
        return astuple(self)


def features(question: Question, found: Quotables, near: npt.NDArray[np.float32]) -> Matrix:
    """A row for each."""
    unknown = math.log(1 + len(found.each))  # a word that stands nowhere in the passage says most
    # in one order, so that sums are always the same
    weights = {word: found.rarity.get(word, unknown) for word in sorted(question.stems)}
    total = sum(weights.values())
    strange = float(any(not _speaks_of(fact, found) for fact in question.facts))
    rows = (
        Features(
            float(close),
            _held(weights, total, one.stems),
            _held(weights, total, one.around),
            *_kind(question, one),
            strange,
        ).values()
        for one, close in zip(found.each, near, strict=True)
    )
    return np.array(list(rows), np.float64)


def has_wanted(question: Question, one: Quotable) -> bool:
    """Whether a sentence has something of the kind that is asked for, apart from what the question says."""
    said = {fact.value for fact in question.facts}
    return any(fact.kind == question.wanted and fact.value not in said for fact in one.facts)


def _kind(question: Question, one: Quotable) -> tuple[float, float]:
    if question.wanted is None:
        return 0.0, 0.0
    has = has_wanted(question, one)
    return float(has), float(not has)


def _held(weights: Mapping[str, float], total: float, stems: Collection[str]) -> float:
    return sum(weight for word, weight in weights.items() if word in stems) / total if total else 0.0


def _speaks_of(fact: Fact, found: Quotables) -> bool:
    """Whether the passage has a name, or its initials, or a date that agrees."""
    if isinstance(fact.value, Moment):
        others = (other.value for other in found.facts if isinstance(other.value, Moment))
        return any(agree(fact.value, other) for other in others)
    if not isinstance(fact.value, Name):
        return True
    name = fact.value
    if any(word in found.folded for word in name.words):
        return True
    if name.initials:
        return name.initials in found.openings
    return len(name.words) > 1 and "".join(word[:1] for word in name.words) in found.folded
