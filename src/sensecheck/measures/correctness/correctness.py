"""How likely people would call an answer correct, given the expected one, by a small model in a file."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.correctness.features import AGAINST, FEATURES, Compared, compared
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.linear_model import FiledModel
from sensecheck.measures.similarity import (
    both_texts,
    expected_alternatives,
    left_out,
    read_as_empty,
    validate_separator,
)

_SHOWN = 4
"""How many missing words are reported."""


@dataclass(frozen=True, slots=True, eq=False)
class CorrectnessModel(FiledModel):
    """A weight a feature; what speaks for an answer can never count against it, nor the other way round."""

    kind: ClassVar[str] = "model of correctness"
    shipped: ClassVar[str] = "answers"

    name: str
    encoder: str
    """The fingerprint of the encoder whose vectors the weights are for."""
    bias: float
    weights: dict[str, float]
    sources: dict[str, str] = field(default_factory=dict)
    """What it was trained on: sets, with rows and licences."""
    date: str = ""

    def __post_init__(self) -> None:
        if tuple(self.weights) != FEATURES:
            raise SpecError(f"the model `{self.name}` weighs {', '.join(self.weights)}; wanted {FEATURES}")
        if not all(map(math.isfinite, (self.bias, *self.weights.values()))):
            raise SpecError(f"the model `{self.name}` has a weight that is not finite")
        if any((weight > 0) if name in AGAINST else (weight < 0) for name, weight in self.weights.items()):
            raise SpecError(f"the model `{self.name}` is not monotone: a weight has the wrong sign")

    @property
    def digest(self) -> str:
        """Changes whenever the readings would."""
        content = json.dumps([self.encoder, self.bias, self.weights])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def chance(self, features: Mapping[str, float]) -> float:
        """How likely people would call the answer correct, from 0 to 1."""
        odds = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-odds))


def shipped_model() -> CorrectnessModel:
    """The model that comes with sensecheck."""
    return CorrectnessModel.ours()


@dataclass(frozen=True, slots=True)
class Correctness:
    """Reads words, letters, facts and meaning of the expected answer in the answer, and weighs them.

    The question, where there is one, tells which words of the expected answer are news.
    """

    model: CorrectnessModel = field(default_factory=shipped_model)
    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    separator: str | None = None
    """What stands between alternatives in the expected answer, the best of which counts; None: it is one."""

    def __post_init__(self) -> None:
        validate_separator(self.separator)

    @property
    def name(self) -> str:
        """What people call it."""
        return "correctness"

    def needs(self, sample: Sample) -> Needs:
        """The answer and the expected one; nothing when one of them is empty."""
        return both_texts(sample, expected_alternatives(sample, self.expected, self.separator))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer and all that it may be."""
        alternatives = expected_alternatives(sample, self.expected, self.separator)
        return {"answer": sample.answer, "expected": (self.separator or " ").join(alternatives)}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The chance of the alternative that the answer comes nearest to, with what does not fit."""
        alternatives = expected_alternatives(sample, self.expected, self.separator)
        if (empty := read_as_empty(sample, alternatives)) is not None:
            return empty
        self.model.require_encoder(space.encoder)
        readable = space.readable(alternatives)
        comparisons = compared(sample, readable, space)
        chances = [self.model.chance(comparison.features) for comparison in comparisons]
        best = chances.index(max(chances))
        reading = _reading(sample, readable[best], comparisons[best], chances[best], space)
        return reading.beside(left_out(alternatives, readable))


def _reading(sample: Sample, expected: str, comparison: Compared, chance: float, space: Space) -> Reading:
    """The chance that people would call the answer correct, with what does not fit."""
    return Reading(
        chance,
        _because(sample.answer, expected, comparison),
        tuple(_evidence(sample.answer, expected, comparison)),
        space.unread(sample.answer, expected),
    )


def _because(answer: str, expected: str, comparison: Compared) -> str:
    """The reasons, the strongest first."""
    reasons = [_differs(difference, answer, expected) for difference in comparison.changed]
    if comparison.abstains is not None:
        reasons.insert(0, f"the answer says `{answer[slice(*comparison.abstains)]}`")
    reported = {difference.source for difference in comparison.changed}
    lost = [fact for fact in comparison.lost if not fact.weak and (fact.start, fact.end) not in reported]
    missing = [expected[fact.start : fact.end] for fact in lost]
    missing += [
        expected[word.start : word.end]
        for word in comparison.missing
        if not any(fact.start <= word.start < fact.end for fact in comparison.lost)
    ]
    if missing:
        reasons.append(_not_in(list(dict.fromkeys(missing))))
    return "; ".join(reasons) or "the answer holds all words of the expected one"


def _differs(each: Difference, answer: str, expected: str) -> str:
    if each.answer is None or each.source is None:
        return each.note
    return f"the answer says `{answer[slice(*each.answer)]}`; expected is `{expected[slice(*each.source)]}`"


def _not_in(missing: Sequence[str]) -> str:
    shown = [f"`{each}`" for each in missing][:_SHOWN]
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    return f"the answer does not say {', '.join(shown)}{more}"


def _evidence(answer: str, expected: str, comparison: Compared) -> Iterator[Evidence]:
    closeness = comparison.features["closeness"]
    yield Evidence("nearest", Span.of("answer", answer), Span.of("expected", expected), closeness)
    if comparison.abstains is not None:
        yield Evidence("abstention", Span.of("answer", answer, *comparison.abstains))
    for difference in comparison.changed:
        mine = Span.of("answer", answer, *difference.answer) if difference.answer else None
        theirs = Span.of("expected", expected, *difference.source) if difference.source else None
        yield Evidence(difference.kind, mine, theirs, note=difference.note)
    for word in comparison.missing:
        span = Span.of("expected", expected, word.start, word.end)
        yield Evidence("missing_term", source=span, note="is not in the answer:")
