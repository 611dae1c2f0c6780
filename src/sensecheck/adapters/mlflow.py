"""Our checks as a scorer of MLflow, for `mlflow.genai.evaluate`."""

from collections.abc import Mapping
from typing import Any

from mlflow.entities import Feedback
from mlflow.genai.scorers import Scorer, scorer

from sensecheck.adapters.check_runner import CheckLike, CheckRunner
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense


def sensecheck_scorer(check: CheckLike = "means", *, name: str = "", sense: Sense | None = None) -> Scorer:
    """Says whether a check passes the outputs; what could not be judged is an error of the feedback.

    Read are the expectations `expected_response` and `passages`, and the input `question`.
    """
    judging = CheckRunner(check, sense)

    @scorer(name=name or judging.name)  # type: ignore[untyped-decorator]  # unknown where MLflow is not installed
    def judged(inputs: Any, outputs: Any, expectations: Any) -> Feedback:
        verdict = judging.verdict(_sample(inputs, outputs, expectations))
        return Feedback(
            value=verdict.outcome == "pass",
            rationale=f"{verdict.outcome}: {verdict.because}",
            metadata={"outcome": verdict.outcome, "encoder": verdict.fingerprint or "none"},
        )

    return judged


def _sample(inputs: Any, outputs: Any, expectations: Any) -> Sample:
    asked = inputs if isinstance(inputs, Mapping) else {}
    held = expectations if isinstance(expectations, Mapping) else {}
    return Sample.of(
        outputs,
        question=asked.get("question"),
        expected=held.get("expected_response"),
        passages=held.get("passages") or (),
    )
