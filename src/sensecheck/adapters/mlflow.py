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
    runner = CheckRunner(check, sense)

    @scorer(name=name or runner.name)  # type: ignore[untyped-decorator]  # unknown where MLflow is not installed
    def judged(inputs: Any, outputs: Any, expectations: Any) -> Feedback:
        verdict = runner.verdict(_sample(inputs, outputs, expectations))
        return Feedback(
            value=verdict.outcome == "pass",
            rationale=f"{verdict.outcome}: {verdict.because}",
            metadata={"outcome": verdict.outcome, "encoder": verdict.fingerprint or "none"},
        )

    return judged


def _sample(inputs: Any, outputs: Any, expectations: Any) -> Sample:
    input_fields = inputs if isinstance(inputs, Mapping) else {}
    expected_fields = expectations if isinstance(expectations, Mapping) else {}
    return Sample.of(
        outputs,
        question=input_fields.get("question"),
        expected=expected_fields.get("expected_response"),
        passages=expected_fields.get("passages") or (),
    )
