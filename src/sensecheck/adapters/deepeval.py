"""Our checks as a metric of DeepEval."""

import asyncio
from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from sensecheck.adapters.check_runner import SCORES, CheckLike, CheckRunner
from sensecheck.core.errors import SensecheckError
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense


class SensecheckMetric(BaseMetric):  # type: ignore[misc]  # unknown where DeepEval is not installed
    """Scores 1 for a pass, 0.5 for unsure and 0 for a fail; what could not be judged raises."""

    def __init__(
        self, check: CheckLike = "means", *, threshold: float = 1.0, sense: Sense | None = None
    ) -> None:
        # DeepEval makes copies of a metric from the attributes that are named like its arguments.
        self.check = check
        self.threshold = threshold
        self.sense = sense
        self._judging = CheckRunner(check, sense)

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """The score of a test case."""
        self._forget()
        try:
            verdict = self._judging.verdict(_sample(test_case))
        except SensecheckError as reason:
            self.error = str(reason)
            raise
        score = SCORES[verdict.outcome]
        self.score, self.verbose_logs = score, verdict.explain()
        self.reason = f"{verdict.outcome}: {verdict.because}"
        self.is_successful()
        return score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        """The same, without holding up others."""
        return await asyncio.to_thread(self.measure, test_case)

    @property
    def __name__(self) -> str:
        """What reports call it."""
        return f"sensecheck {self._judging.name}"

    def _forget(self) -> None:
        """One metric measures many test cases; what it says of the last one must not outlive it."""
        for name in ("score", "reason", "success", "error", "verbose_logs"):
            setattr(self, name, None)


def _sample(test_case: LLMTestCase) -> Sample:
    passages = test_case.retrieval_context or test_case.context or ()
    seconds = test_case.completion_time
    return Sample(
        test_case.actual_output,
        question=test_case.input,
        expected=test_case.expected_output,
        passages=tuple(passage if isinstance(passage, str) else passage.context for passage in passages),
        latency_ms=None if seconds is None else seconds * 1000,
        cost=test_case.token_cost,
    )
