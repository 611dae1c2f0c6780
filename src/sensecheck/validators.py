"""Validators under the names, arguments and boundaries that the field's documents give them.

Thin faces over our core. They keep the documents' rules; for better ones see `Sense`. What they do not keep:
an analysis that cannot be made raises `CannotJudge` and never passes; a classification that could never fail
is refused; and a selected text beyond the model's limit is read whole, not cut.
"""

import asyncio
import math
from abc import ABC, abstractmethod
from copy import copy
from functools import cache
from threading import Lock
from typing import Any, Self

from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import similarity_or_keywords
from sensecheck.checks.refusals import REFUSAL_EXEMPLARS
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.measures.circling import Circling
from sensecheck.measures.clusters import ClusterMargin
from sensecheck.measures.cosine import cosine_similarity
from sensecheck.measures.exemplars import NearestExemplar
from sensecheck.measures.given import clusters_of
from sensecheck.measures.overlap import long_words
from sensecheck.measures.similarity import Similarity
from sensecheck.sense import Sense
from sensecheck.wiring import Settings

__all__ = [
    "REFUSAL_EXEMPLARS",
    "ClusterClassificationValidator",
    "DriftThresholdValidator",
    "RefusalClusterValidator",
    "SelectedTextValidator",
    "SemanticValidator",
    "TrajectoryValidator",
    "cosine_similarity",
]


_LOADING = Lock()


@cache
def _loaded(settings: Settings) -> Sense:
    return Sense.load(settings=settings)


def _shared() -> Sense:
    """One model in memory, however many validators and threads there are."""
    with _LOADING:
        return _loaded(Settings.from_environment())


def _number(name: str, value: float) -> float:
    if isinstance(value, bool) or not math.isfinite(value):
        raise SpecError(f"`{name}` wants a finite number; found {value}")
    return value


class _Sensing:
    """Something that judges with a `Sense`: a given one, or the one that the environment describes."""

    _sense: Sense | None = None

    def using(self, sense: Sense) -> Self:
        """The same validator, judging with this `Sense`."""
        other = copy(self)
        other._sense = sense
        return other

    def _judge(self, sample: Sample, check: Check) -> Verdict:
        verdict = (self._sense or _shared()).judge(sample, check)
        if verdict.outcome == "error":
            raise CannotJudge(verdict.because)
        return verdict


class SemanticValidator(_Sensing, ABC):
    """Says whether a response is valid, and why."""

    @abstractmethod
    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """(valid?, why), or `CannotJudge`."""

    async def _read(self, measure: Measure, response: str) -> Reading:
        verdict = await asyncio.to_thread(self._judge, Sample(response), Gate(measure))
        if verdict.reading is None:
            raise CannotJudge(verdict.because)
        return verdict.reading


class DriftThresholdValidator(SemanticValidator):
    """Valid while the response drifts no further from the expected text than the threshold."""

    def __init__(self, expected: str, threshold: float = 0.3) -> None:
        self.expected = expected
        self.threshold = _number("threshold", threshold)

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """Drift is one minus closeness; exactly on the threshold is valid."""
        drift = 1 - (await self._read(Similarity(self.expected), response)).value
        if drift > self.threshold:
            return False, f"Semantic drift {drift:.3f} exceeds threshold {self.threshold}"
        return True, f"Within threshold (drift: {drift:.3f})"


class ClusterClassificationValidator(SemanticValidator):
    """Valid when the response lies nearest, on average, to the exemplars of the expected cluster."""

    def __init__(self, clusters: dict[str, list[str]], expected_cluster: str) -> None:
        self.clusters = clusters
        self.expected_cluster = expected_cluster

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """The cluster with the smallest mean drift is the response's."""
        measure = ClusterMargin(clusters_of(self.clusters), self.expected_cluster)
        reading = await self._read(measure, response)
        nearest = reading.evidence[0].note
        if nearest != self.expected_cluster:
            return False, f"Classified as '{nearest}' (expected '{self.expected_cluster}')"
        return True, f"Correctly classified as '{nearest}'"


class RefusalClusterValidator(SemanticValidator):
    """Valid unless the response lies nearer than the threshold to some refusal."""

    def __init__(self, threshold: float = 0.25) -> None:
        self.threshold = _number("threshold", threshold)
        self.exemplars = list(REFUSAL_EXEMPLARS)

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """Exactly on the threshold is not a refusal."""
        reading = await self._read(NearestExemplar(tuple(self.exemplars)), response)
        closest = reading.evidence[0].source
        drift = min(1 - reading.value, 1.0)
        if drift < self.threshold and closest is not None:
            return False, f"Refusal detected (drift {drift:.3f} from: '{closest.text[:50]}...')"
        return True, f"Not a refusal (min drift: {drift:.3f})"


class TrajectoryValidator(SemanticValidator):
    """Valid while the response's heller score is no higher than the limit."""

    def __init__(self, max_heller_score: float = 0.6) -> None:
        self.max_heller_score = _number("max_heller_score", max_heller_score)

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """Exactly on the limit is valid; fewer than two sentences cannot be judged."""
        heller = (await self._read(Circling(), response)).value
        if heller > self.max_heller_score:
            return False, f"Circular reasoning detected (heller: {heller:.2f})"
        return True, f"Reasoning structure OK (heller: {heller:.2f})"


class SelectedTextValidator(_Sensing):
    """Accepts a response that is near the selected text, or shares half of its key words with it."""

    def __init__(self) -> None:
        self.similarity_threshold = 0.7
        self.keyword_overlap_threshold = 0.5

    def validate_response_in_context(self, response: str, selected_text: str) -> bool:
        """Either of the two is enough; a response without key words is accepted, as the document has it."""
        if not long_words(response):
            return True
        check = similarity_or_keywords(self.similarity_threshold, self.keyword_overlap_threshold)
        return bool(self._judge(Sample(response, passages=(selected_text,)), check))
