"""The record of an evaluation: a dictionary with the names that services give the columns."""

from typing import TYPE_CHECKING, Any

from sensecheck.store.records import Run

if TYPE_CHECKING:
    from sensecheck.store.run_reading import AnsweredPair

Record = dict[str, Any]
LEXICAL = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
)
JUDGED = ("answer_relevance", "context_relevance", "groundedness", "llm_judged_overall")
REASONED = JUDGED[:3]
SEMANTIC = "semantic_similarity"
COLUMNS = (
    "id",
    "test_run_id",
    "qa_pair_id",
    *LEXICAL,
    *JUDGED,
    SEMANTIC,
    "answer",
    *(f"{name}_reasoning" for name in REASONED),
    "error",
    "latency_ms",
    "cost",
    "created_at",
)
"""Those of the view `evals`."""


def full_record(run: Run, found: "AnsweredPair") -> Record:
    """All there is of one evaluation but the moment; None is what was not, or could not be, computed."""
    told = found.told
    read = {one.metric: one for one in told.readings if one.fingerprint in ("", run.encoder)}
    values = {name: one.value for name, one in read.items()}
    return {
        "id": told.id or f"{run.id}-{found.position}",
        "test_run_id": run.id,
        "qa_pair_id": found.pair.name,
        **{name: values.get(name) for name in (*LEXICAL, *JUDGED, SEMANTIC)},
        "answer": told.answer,
        **{f"{name}_reasoning": read[name].because if name in read else None for name in REASONED},
        "error": told.error,
        "latency_ms": told.latency_ms,
        "cost": told.cost,
        "question": found.pair.question,
        "reference_answer": found.pair.expected,
        "passages": list(told.passages or found.pair.passages),
        "metrics": values,
        "errors": {name: one.error for name, one in read.items() if one.error is not None},
    }
