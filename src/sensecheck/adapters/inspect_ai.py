"""Our checks as a scorer of Inspect."""

from typing import Any

from anyio.to_thread import run_sync
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from sensecheck.adapters.check_runner import CheckLike, CheckRunner
from sensecheck.checks.combine import AnyOf
from sensecheck.checks.gate import Against
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome

_VALUES: dict[Outcome, str] = {"pass": CORRECT, "unsure": NOANSWER, "fail": INCORRECT}
"""What is unsure counts as nothing, and can still be told from what is wrong."""


@scorer(metrics=[accuracy(), stderr()])  # type: ignore[untyped-decorator]  # unknown where Inspect is not installed
def sensecheck(check: CheckLike = "means") -> Scorer:
    """Correct when a check passes the output, compared with the target; one of several targets is enough.

    Passages are those of the sample's metadata, under `passages`.
    What could not be judged raises, and is an error of the sample.
    """
    runner = CheckRunner(check)

    async def score(state: TaskState, target: Target) -> Score:
        sample = Sample.of(
            state.output.completion,
            question=state.input_text,
            passages=state.metadata.get("passages", ()),
        )
        verdict = await run_sync(runner.verdict, sample, _against(runner.check, target))
        metadata: dict[str, Any] = {"outcome": verdict.outcome, "because": verdict.because}
        return Score(
            value=_VALUES[verdict.outcome],
            answer=sample.answer,
            explanation=verdict.explain(),
            metadata=metadata,
        )

    return score


def _against(check: Check, target: Target) -> Check:
    checks = tuple(Against(check, expected=text) for text in target if text)
    if not checks:
        return check
    return checks[0] if len(checks) == 1 else AnyOf(checks, check.name)
