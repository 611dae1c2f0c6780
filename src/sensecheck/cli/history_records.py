"""The answers and readings of a run as rows: the columns of the view `evals`, and what it has no room for."""

from collections.abc import Iterator, Mapping
from typing import Any

from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import KeptReading, Run
from sensecheck.store.run_reading import AnsweredPair, Metric, RunTable

Columns = Mapping[str, type]
"""The name of each column, and what it holds; any cell may be empty."""
Row = dict[str, Any]

_METRICS = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
    "answer_relevance",
    "context_relevance",
    "groundedness",
    "llm_judged_overall",
    "semantic_similarity",
)
_REASONED = ("answer_relevance", "context_relevance", "groundedness")
READING: Columns = {
    "test_run_id": str,
    "qa_pair_id": str,
    "metric": str,
    "encoder": str,
    "fingerprint": str,
    "value": float,
    "because": str,
    "error": str,
}


def answer_columns(store: EvalStore, run: Run) -> Columns:
    """The columns of the view, then the other metrics of this run, its labels and its texts."""
    table = store.table(run)
    others = [name for metric in table.metrics if (name := _column(run, metric)) not in _METRICS]
    return {
        "id": str,
        "test_run_id": str,
        "qa_pair_id": str,
        **dict.fromkeys(_METRICS, float),
        "answer": str,
        **{f"{name}_reasoning": str for name in _REASONED},
        "error": str,
        "latency_ms": float,
        "cost": float,
        **dict.fromkeys(others, float),
        **{f"label_{name}": float for name in table.labels},
        **{f"slice_{name}": str for name in _slices(table)},
        "question": str,
        "expected": str,
    }


def answer_rows(store: EvalStore, run: Run, columns: Columns) -> Iterator[Row]:
    """A row an answer; what could not be read, or does not apply, is None."""
    for found in store.answers(run):
        row: Row = dict.fromkeys(columns)
        row.update(_told(run, found))
        row.update({_column(run, one): one.value for one in found.told.readings})
        for one in found.told.readings:
            if one.metric in _REASONED:
                row[f"{one.metric}_reasoning"] = one.because
        yield row


def reading_rows(store: EvalStore, run: Run) -> Iterator[Row]:
    """A row a reading, with why it is so or why there is none."""
    for found in store.answers(run):
        for one in found.told.readings:
            values = (run.id, found.pair.name, one.metric, one.encoder, one.fingerprint)
            yield dict(zip(READING, (*values, one.value, one.because, one.error), strict=True))


def _told(run: Run, found: AnsweredPair) -> Row:
    pair, told = found.pair, found.told
    return {
        "id": told.id or f"{run.id}-{found.position}",
        "test_run_id": run.id,
        "qa_pair_id": pair.name,
        "answer": told.answer,
        "error": told.error,
        "latency_ms": told.latency_ms,
        "cost": told.cost,
        **{f"label_{name}": value for name, value in told.labels.items()},
        **{f"slice_{name}": value for name, value in pair.slices.items()},
        "question": pair.question,
        "expected": pair.expected,
    }


def _column(run: Run, metric: Metric | KeptReading) -> str:
    """The metric's own name, by the run's own encoder or by none; else with the name of the encoder."""
    name = metric.metric if isinstance(metric, KeptReading) else metric.name
    return name if metric.fingerprint in ("", run.encoder) else f"{name}@{metric.encoder}"


def _slices(table: RunTable) -> list[str]:
    return sorted({name for kinds in table.slices for name in kinds})
