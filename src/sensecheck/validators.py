"""Validators under the names, arguments and boundaries that the field's documents give them.

Thin faces over our core. They keep the documents' rules; for better ones see `Sense`. What they do not keep:
an analysis that cannot be made raises `CannotJudge` and never passes; a classification that could never fail
is refused; and a selected text beyond the model's limit is read whole, not cut.

Distances come from a `Sense`, or from whoever has the tools that the documents name; the rules are the same.
"""

import asyncio
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from itertools import islice
from operator import itemgetter
from statistics import fmean
from typing import Any, Protocol, Self, runtime_checkable

from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import similarity_or_keywords
from sensecheck.checks.presets import REFUSAL_EXEMPLARS
from sensecheck.core.errors import CannotJudge, SensecheckError, SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.measures.distances import cosine_similarity
from sensecheck.measures.exemplars import ClusterMargin, clusters_of, require_texts
from sensecheck.measures.overlap import long_words
from sensecheck.measures.repetition import Circling
from sensecheck.measures.similarity import Similarity
from sensecheck.sense import Sense, shared_sense
from sensecheck.text.escaping import truncate_to_tokens

__all__ = [
    "REFUSAL_EXEMPLARS",
    "ClusterClassificationValidator",
    "DriftThresholdValidator",
    "EmbeddingValidator",
    "RefusalClusterValidator",
    "SelectedTextValidator",
    "SemanticValidator",
    "ToolCaller",
    "TrajectoryValidator",
    "cosine_similarity",
    "truncate_to_tokens",
]


MAX_CONCURRENCY = 8
"""How many calls of remote tools are under way at the same time."""


@runtime_checkable
class ToolCaller(Protocol):
    """Calls `calculate_drift` and `analyze_trajectory` wherever they are: a `SemanticToolsClient`, say."""

    async def call_tool(self, name: str, arguments: dict[str, Any], /) -> Mapping[str, Any]:
        """What the tool gives: `drift`, or `heller_score`; an `error` in it is one."""
        ...


def _number(name: str, value: float) -> float:
    if isinstance(value, bool) or not math.isfinite(value):
        raise SpecError(f"`{name}` must be a finite number; got {value}")
    return value


class _LocalDistances:
    """Distances by a `Sense`: a given one, or the one that the environment describes."""

    def __init__(self, sense: Sense | None = None) -> None:
        self._sense = sense

    async def drifts(self, response: str, texts: Sequence[str]) -> list[float]:
        """How far the response is from each text."""
        values = await asyncio.to_thread(self._values, response, [Similarity(text) for text in texts])
        return [1 - closeness for closeness in values]

    async def heller(self, response: str) -> float:
        """How much the response turns in circles."""
        return (await asyncio.to_thread(self._values, response, [Circling()]))[0]

    def _values(self, response: str, measures: Iterable[Measure]) -> list[float]:
        cases = ((Sample(response), Gate(measure)) for measure in measures)
        values = []
        for verdict in (self._sense or shared_sense()).judge_each(cases):
            if verdict.reading is None:
                raise CannotJudge(verdict.because)
            values.append(verdict.reading.value)
        return values


class _RemoteDistances:
    """Distances by tools that someone else has, one call per text."""

    def __init__(self, tools: ToolCaller) -> None:
        self._tools = tools

    async def drifts(self, response: str, texts: Sequence[str]) -> list[float]:
        """How far the response is from each text."""
        pending = (pair for pair in enumerate(texts))
        drift_by_index: dict[int, float] = {}

        async def work() -> None:
            try:
                for index, text in pending:
                    arguments = {"text_a": text, "text_b": response}
                    drift_by_index[index] = await self._number_from("calculate_drift", "drift", arguments)
            finally:
                pending.close()  # after a failure no worker starts another call

        workers = (work() for _ in range(MAX_CONCURRENCY))
        for failure in await asyncio.gather(*workers, return_exceptions=True):
            if failure is not None:
                raise failure
        return [drift_by_index[index] for index in range(len(texts))]

    async def heller(self, response: str) -> float:
        """How much the response turns in circles."""
        arguments = {"text": response, "include_sentences": False}
        return await self._number_from("analyze_trajectory", "heller_score", arguments)

    async def _number_from(self, tool: str, key: str, arguments: dict[str, Any]) -> float:
        try:
            result = await self._tools.call_tool(tool, arguments)
        except SensecheckError as error:
            raise CannotJudge(str(error)) from error
        if not isinstance(result, Mapping):
            raise CannotJudge(f"`{tool}` must give a mapping; got {type(result).__name__}")
        if result.get("error") not in (None, False):
            raise CannotJudge(f"`{tool}`: {result['error']}")
        value = result.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise CannotJudge(f"`{tool}` must give a finite number as `{key}`; got {value!r:.80}")
        return float(value)


class SemanticValidator(ABC):
    """Says whether a response is valid, and why."""

    _measured: _LocalDistances | _RemoteDistances = _LocalDistances()

    def using(self, tools: Sense | ToolCaller) -> Self:
        """The same validator, with the distances of this `Sense`, or of these remote tools."""
        if not isinstance(tools, Sense | ToolCaller):
            raise SpecError(f"`using` must be a `Sense`, or have `call_tool`; got {type(tools).__name__}")
        other = copy(self)
        other._measured = _LocalDistances(tools) if isinstance(tools, Sense) else _RemoteDistances(tools)
        return other

    @abstractmethod
    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """(valid?, why), or `CannotJudge`."""


class EmbeddingValidator(SemanticValidator):
    """A validator by distances between embeddings: the base of the four below, and of one of your own."""


class DriftThresholdValidator(EmbeddingValidator):
    """Valid while the response drifts no further from the expected text than the threshold."""

    def __init__(self, expected: str, threshold: float = 0.3) -> None:
        self.expected = expected
        self.threshold = _number("threshold", threshold)

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """Drift is one minus similarity; exactly on the threshold is valid."""
        (drift,) = await self._measured.drifts(response, [self.expected])
        if drift > self.threshold:
            return False, f"Semantic drift {drift:.3f} exceeds threshold {self.threshold}"
        return True, f"Within threshold (drift: {drift:.3f})"


class ClusterClassificationValidator(EmbeddingValidator):
    """Valid when the response is nearest, on average, to the exemplars of the expected cluster."""

    def __init__(self, clusters: dict[str, list[str]], expected_cluster: str) -> None:
        self.clusters = clusters
        self.expected_cluster = expected_cluster

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """The cluster with the smallest mean drift is the response's."""
        clusters = ClusterMargin(clusters_of(self.clusters), self.expected_cluster).clusters
        exemplars = [text for texts in clusters.values() for text in texts]
        drifts = iter(await self._measured.drifts(response, exemplars))
        mean = {name: fmean(islice(drifts, len(texts))) for name, texts in clusters.items()}
        nearest = min(mean, key=mean.__getitem__)
        if nearest != self.expected_cluster:
            return False, f"Classified as '{nearest}' (expected '{self.expected_cluster}')"
        return True, f"Correctly classified as '{nearest}'"


class RefusalClusterValidator(EmbeddingValidator):
    """Valid unless the response is nearer than the threshold to some refusal."""

    def __init__(self, threshold: float = 0.25) -> None:
        self.threshold = _number("threshold", threshold)
        self.exemplars = list(REFUSAL_EXEMPLARS)

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """Exactly on the threshold is not a refusal."""
        require_texts("exemplars", self.exemplars)
        drifts = await self._measured.drifts(response, self.exemplars)
        least, closest = min(zip(drifts, self.exemplars, strict=True), key=itemgetter(0))
        drift = min(least, 1.0)
        if drift < self.threshold:
            return False, f"Refusal detected (drift {drift:.3f} from: '{closest[:50]}...')"
        return True, f"Not a refusal (min drift: {drift:.3f})"


class TrajectoryValidator(EmbeddingValidator):
    """Valid while the response's heller score is no higher than the limit."""

    def __init__(self, max_heller_score: float = 0.6) -> None:
        self.max_heller_score = _number("max_heller_score", max_heller_score)

    async def validate(self, response: str, context: dict[str, Any]) -> tuple[bool, str]:
        """Exactly on the limit is valid; fewer than two sentences cannot be judged."""
        heller = await self._measured.heller(response)
        if heller > self.max_heller_score:
            return False, f"Circular reasoning detected (heller: {heller:.2f})"
        return True, f"Reasoning structure OK (heller: {heller:.2f})"


class SelectedTextValidator:
    """Accepts a response that is near the selected text, or shares half of its key words with it."""

    _sense: Sense | None = None

    def __init__(self) -> None:
        self.similarity_threshold = 0.7
        self.keyword_overlap_threshold = 0.5

    def using(self, sense: Sense) -> Self:
        """The same validator, judging with this `Sense`."""
        other = copy(self)
        other._sense = sense
        return other

    def validate_response_in_context(self, response: str, selected_text: str) -> bool:
        """Either of the two is enough; a response without key words is accepted, as the document has it."""
        if not self._extract_keywords(response):
            return True
        check = similarity_or_keywords(self.similarity_threshold, self.keyword_overlap_threshold)
        verdict = (self._sense or shared_sense()).judge(Sample(response, passages=(selected_text,)), check)
        if verdict.outcome == "error":
            raise CannotJudge(verdict.because)
        return bool(verdict)

    def _extract_keywords(self, text: str) -> list[str]:
        """The key words of the document: lower case, longer than three characters, no stop words."""
        return long_words(text)
