"""Our checks as an evaluator of Pydantic Evals."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from sensecheck.adapters.check_runner import CheckRunner
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense


@dataclass(repr=False)
class SensecheckEvaluator(Evaluator):  # type: ignore[misc]  # unknown where Pydantic Evals is not installed
    """Asserts that a check passes the output, and labels it with the outcome: a fail is not an unsure.

    The expected output is that of the case; passages are those of its metadata, under `passages`.
    What could not be judged is a failure of the evaluator, not of the case.
    """

    check: Any = "means"
    """A preset by its name, a check as data, or a check."""
    sense: Sense | None = None

    def __post_init__(self) -> None:
        _ = self._judging  # a mistake is reported when the dataset is written, not when it is run

    async def evaluate(self, ctx: EvaluatorContext) -> dict[str, Any]:
        """Whether the output passes, and why."""
        verdict = await asyncio.to_thread(self._judging.verdict, _sample(ctx))
        name = self._judging.name
        return {
            name: EvaluationReason(verdict.outcome == "pass", verdict.because),
            f"{name}_outcome": verdict.outcome,
        }

    @cached_property
    def _judging(self) -> CheckRunner:
        return CheckRunner(self.check, self.sense)


def _sample(ctx: EvaluatorContext) -> Sample:
    passages = ctx.metadata.get("passages", ()) if isinstance(ctx.metadata, Mapping) else ()
    return Sample.of(
        ctx.output,
        question=ctx.inputs if isinstance(ctx.inputs, str) else None,
        expected=ctx.expected_output,
        passages=passages,
    )
