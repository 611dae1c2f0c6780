"""An evaluation in one call: `run_evaluation(EvaluationRequest(questions="questions.jsonl"))`."""

from contextlib import closing
from dataclasses import replace

from sensecheck.core.extras import extra
from sensecheck.evaluation.request import EvaluationRequest
from sensecheck.evaluation.result import EvaluationEvents, EvaluationProgress, EvaluationResult

# ruff: noqa: PLC0415 - a database and Parquet files are extras, and each does without the other


def evaluation_steps(request: EvaluationRequest) -> EvaluationEvents:
    """Answer, read and store all questions: progress after every batch, then the result, then its page.

    Raises at once where the request is not possible.
    """
    request.validate()
    if request.parquet_address is None:
        with extra("eval"):
            from sensecheck.evaluation.database import evaluate_into_database
        return evaluate_into_database(request)
    with extra("scale"):
        from sensecheck.evaluation.large import evaluate_into_parquet
    return evaluate_into_parquet(request)


def run_evaluation(request: EvaluationRequest) -> EvaluationResult:
    """The result of an evaluation, with all notes that were reported on the way."""
    notes: list[str] = []
    results: list[EvaluationResult] = []
    with closing(evaluation_steps(request)) as events:
        for event in events:
            notes.extend(event.notes)
            if not isinstance(event, EvaluationProgress):
                results.append(event)
    return replace(results[-1], notes=tuple(notes))
