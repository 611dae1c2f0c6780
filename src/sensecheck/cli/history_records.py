"""The answers and readings of a run as rows: the columns of the view `evals`, and what it has no room for."""

from collections.abc import Iterator
from dataclasses import dataclass

from sensecheck.cli.history_names import labels_in, metrics_in, slices_in
from sensecheck.cli.history_written import Columns, Row
from sensecheck.core.run import Run
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.evals_view import JUDGED, LEXICAL, REASONS, SEMANTIC, evals
from sensecheck.store.run_reading import AnsweredPair, Metric

_METRICS = (*LEXICAL, *JUDGED, *SEMANTIC)
_TEXTS = ("question", "expected")
_VIEW: Columns = {
    name: float if name in (*_METRICS, "latency_ms", "cost") else str
    for name in evals.columns.keys()  # noqa: SIM118 - a collection of columns goes through columns
    if name != "created_at"  # when a batch was written says nothing of an answer
}
_PREFIXES = ("metric_", "label_", "slice_")
_Key = tuple[str, str]
"""A metric's name, and the fingerprint of its encoder."""
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


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """A run as a table: a row an answer, with all metrics as columns."""

    store: EvalStore
    run: Run
    metrics: dict[_Key, str]
    """The column of each metric."""
    labels: tuple[str, ...]
    slices: tuple[str, ...]

    @classmethod
    def of(cls, store: EvalStore, run: Run) -> "AnswerRows":
        """Which columns a run has; its numbers are not read for that."""
        named = _columns_of(run, metrics_in(store, run))
        return cls(store, run, named, labels_in(store, run), slices_in(store, run))

    @property
    def columns(self) -> Columns:
        """Those of the view, then the other metrics of this run, its labels, its slices and its texts."""
        return {
            **_VIEW,
            **{name: float for name in self.metrics.values() if name not in _METRICS},
            **{f"label_{name}": float for name in self.labels},
            **{f"slice_{name}": str for name in self.slices},
            **dict.fromkeys(_TEXTS, str),
        }

    def rows(self) -> Iterator[Row]:
        """What could not be read, or does not apply, is not there."""
        for found in self.store.answers(self.run):
            yield {**_told(self.run, found), **self._read(found)}

    def _read(self, found: AnsweredPair) -> Row:
        row: dict[str, float | str | None] = {}
        for one in found.told.readings:
            column = self.metrics.get((one.metric, one.fingerprint))
            if column is not None:  # else it was read since the columns were written
                row[column] = one.value
            if (reason := f"{one.metric}_reasoning") in REASONS:
                row[reason] = one.because
        return row


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


def _columns_of(run: Run, metrics: tuple[Metric, ...]) -> dict[_Key, str]:
    """Each metric's column, of which no two are the same."""
    named = {(one.name, one.fingerprint): _column(run, one) for one in metrics}
    given = list(named.values())
    return {
        key: column if given.count(column) == 1 else f"{column}#{key[1]}" for key, column in named.items()
    }


def _column(run: Run, metric: Metric) -> str:
    """The metric's own name, by the run's own encoder or by none; else with the name of the encoder.

    A name that a column of another kind has, or may have, gets a prefix.
    """
    own = metric.fingerprint in ("", run.encoder)
    name = metric.name if own else f"{metric.name}@{metric.encoder}"
    taken = name in (*_VIEW, *_TEXTS) and name not in _METRICS
    return f"metric_{name}" if taken or name.startswith(_PREFIXES) else name
