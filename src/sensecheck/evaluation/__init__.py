"""Question sets and tables to runs: `run_evaluation(EvaluationRequest(questions="questions.jsonl"))`."""

from typing import TYPE_CHECKING

from sensecheck.core.extras import loaded_on_use

if TYPE_CHECKING:
    from sensecheck.evaluation.request import EvaluationRequest
    from sensecheck.evaluation.result import EvaluationProgress, EvaluationResult
    from sensecheck.evaluation.run import evaluation_steps, run_evaluation

_HOME = {
    "EvaluationProgress": "result",
    "EvaluationRequest": "request",
    "EvaluationResult": "result",
    "evaluation_steps": "run",
    "run_evaluation": "run",
}

__all__ = [
    "EvaluationProgress",
    "EvaluationRequest",
    "EvaluationResult",
    "evaluation_steps",
    "run_evaluation",
]

__getattr__ = loaded_on_use(__name__, _HOME)
