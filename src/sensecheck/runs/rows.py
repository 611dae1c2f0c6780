"""A run of any place as rows for export, and copied to another place.

As rows, a run has the columns of the view `evals` of the database, and its own metrics, labels, slices and
texts besides.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run
from sensecheck.runs.agreement import EVEN, is_binary
from sensecheck.runs.export import ColumnTypes, Row
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import AnsweredItem, RunMetric, RunTable
from sensecheck.runs.run_names import CLOSE_ENOUGH
from sensecheck.store.address import store_option

READING: ColumnTypes = {
    "test_run_id": str,
    "qa_pair_id": str,
    "metric": str,
    "encoder": str,
    "fingerprint": str,
    "value": float,
    "because": str,
    "error": str,
}
_LEXICAL = ("bleu", "rouge_l", "rouge_l_precision", "rouge_l_recall")
_WORDS = ("squad_em", "squad_token_f1", "content_f1", "lexical_aggregate")
_REASONED = ("answer_relevance", "context_relevance", "groundedness")
_VIEW_METRICS = (*_LEXICAL, *_WORDS, *_REASONED, "llm_judged_overall", "semantic_similarity")
_REASONS = tuple(f"{name}_reasoning" for name in _REASONED)
_TEXTS = ("question", "expected")
VIEW: ColumnTypes = {
    **dict.fromkeys(("id", "test_run_id", "qa_pair_id"), str),
    **dict.fromkeys(_VIEW_METRICS, float),
    **dict.fromkeys(("answer", *_REASONS, "error"), str),
    **dict.fromkeys(("latency_ms", "cost"), float),
}
"""The columns of the view `evals` of a database, but for when a batch was written."""
MAX_ROWS_COPIED = 1_000_000
"""Larger runs are read where they are, since places read runs as a whole."""
ROWS_COPIED_AT_ONCE = 1000
_PREFIXES = ("metric_", "label_", "slice_")
_MetricKey = tuple[str, str]
"""A metric's name, and the fingerprint of its encoder."""


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """A run as a table: a row an answer, with all metrics as columns."""

    place: RunPlace
    run: Run
    metrics: dict[_MetricKey, str]
    """The column of each metric."""
    labels: tuple[str, ...]
    slices: tuple[str, ...]

    @classmethod
    def of(cls, place: RunPlace, run: Run) -> "AnswerRows":
        """Which columns a run has; its numbers need not be read for that."""
        outline = place.outline(run)
        return cls(place, run, _metric_columns(run, outline.metrics), outline.labels, outline.slices)

    @property
    def columns(self) -> ColumnTypes:
        """Those of the view, then the other metrics of this run, its labels, its slices and its texts."""
        return {
            **VIEW,
            **{name: float for name in self.metrics.values() if name not in _VIEW_METRICS},
            **{f"label_{name}": float for name in self.labels},
            **{f"slice_{name}": str for name in self.slices},
            **dict.fromkeys(_TEXTS, str),
        }

    def rows(self) -> Iterator[Row]:
        """What could not be read, or does not apply, is not there."""
        for answer in self.place.answers(self.run):
            yield {**_answer_row(self.run, answer), **self._readings(answer)}

    def _readings(self, answer: AnsweredItem) -> Row:
        row: dict[str, float | str | None] = {}
        for score in answer.scored.readings:
            column = self.metrics.get((score.metric, score.fingerprint))
            if column is not None:  # else it was read since the columns were written
                row[column] = score.value
            if (reason := f"{score.metric}_reasoning") in _REASONS:
                row[reason] = score.because
        return row


def reading_rows(place: RunPlace, run: Run) -> Iterator[Row]:
    """A row a reading, with why it is so or why there is none."""
    for answer in place.answers(run):
        for score in answer.scored.readings:
            values = (run.id, answer.item.name, score.metric, score.encoder, score.fingerprint)
            yield dict(zip(READING, (*values, score.value, score.because, score.error), strict=True))


LABELLED: ColumnTypes = dict.fromkeys(("id", "question", "answer", "expected", "passages", "label"), str)
"""The columns of `labelled_rows`."""


def labelled_rows(place: RunPlace, run: Run, label: str) -> Iterator[Row]:
    """The answers that most raters call good or bad, as `sensecheck calibrate` reads them."""
    if not is_binary(place, [run], label):
        raise SpecError(f"some labels `{label}` are neither 0 nor 1; such rows cannot be calibrated on")
    for answer in place.answers(run):
        rating, passages = answer.scored.labels.get(label), answer.scored.passages
        if rating is not None and rating != EVEN and answer.scored.answer is not None:
            yield {
                "id": answer.item.name,
                "question": answer.item.question,
                "answer": answer.scored.answer,
                "expected": answer.item.expected,
                "passages": list(answer.item.passages if passages is None else passages),
                "label": int(rating > EVEN),
            }


def copy_run(
    place: RunPlace,
    run: Run,
    to: RunPlace,
    *,
    project: str | None = None,
    test: str | None = None,
    name: str | None = None,
    on_stored: Callable[[int], None] = lambda _: None,
) -> Run:
    """Store a run in another place, with the labels of all raters; `on_stored` hears of each batch."""
    if run.set.size > MAX_ROWS_COPIED:
        raise SpecError(
            f"the run has {run.set.size:,} rows; a place takes copies of at most {MAX_ROWS_COPIED:,}: export "
            "it to Parquet, or read it where it is"
        )
    if place.answered(run) and all(answer.scored.answer is None for answer in place.answers(run)):
        raise SpecError("the run carries no answers, which a place stores; run it without `--no-texts`")
    project_name = project or run.test.project or run.name
    target_test = to.test(
        project_name, test or run.test.name, embedding=run.test.embedding, generation=run.test.generation
    )
    question_set = to.keep_set(project_name, (placed.item for placed in place.questions(run.set)))
    copied = to.begin(
        target_test,
        question_set,
        name=run.name if name is None else name,
        encoder=run.encoder,
        conditions={**run.conditions, "copy_of": run.id},
    )
    labels, labels_with_answers = list(place.labels(run)), dict[str, dict[str, float]]()
    for label in labels:
        if not label.rater:
            labels_with_answers.setdefault(label.question, {})[label.name] = label.value
    writer, questions = to.writer(copied), to.questions(question_set)
    answers = place.answers(run)
    while batch := list(islice(answers, ROWS_COPIED_AT_ONCE)):
        placed = [
            next(question for question in questions if question.position == answer.position)
            for answer in batch
        ]
        scored = [
            replace(answer.scored, labels=labels_with_answers.get(answer.item.name, {})) for answer in batch
        ]
        writer.add(list(zip(placed, scored, strict=True)))
        on_stored(len(batch))
    if later_labels := [label for label in labels if label.rater]:
        to.label(copied, later_labels)
    if run.whole:
        to.finish(copied)
    return to.run_by_key(copied.key)


def worst_rows(place: RunPlace, run: Run | RunTable, metric: str, most: int) -> list[tuple[str, float, int]]:
    """The id, the number and the position of the rows that are worst by a metric, the worst first."""
    worst: list[tuple[float, int, str]] = []
    for part in (run,) if isinstance(run, RunTable) else place.chunks(run):
        column = part.column(metric)
        if column is not None:
            order = np.argsort(column, kind="stable")[: int((~np.isnan(column)).sum())][:most]
            worst += [(float(column[at]), part.first + int(at), part.names[at]) for at in order]
            worst = sorted(worst)[:most]
    return [(name, value, position) for value, position, name in worst]


def position_in(place: RunPlace, run: Run, question: str) -> int:
    """Where a question stands; an error that names one like it where the run has none of that id."""
    names = []
    for position, (name, *_) in enumerate(place.wordings(run.set)):
        if name == question:
            return position
        names.append(name)
    close = get_close_matches(question, names, n=1, cutoff=CLOSE_ENOUGH)
    export = f"sensecheck runs export {run.key}{store_option(place.address)} -o rows.csv"
    hint = f"; did you mean `{close[0]}`?" if close else f"; `{export}` writes them all"
    raise SpecError(f"the run {run.key} has no question `{question}`{hint}")


def _answer_row(run: Run, answer: AnsweredItem) -> Row:
    pair, scored = answer.item, answer.scored
    return {
        "id": scored.id or f"{run.id}-{answer.position}",
        "test_run_id": run.id,
        "qa_pair_id": pair.name,
        "answer": scored.answer,
        "error": scored.error,
        "latency_ms": scored.latency_ms,
        "cost": scored.cost,
        **{f"label_{name}": value for name, value in scored.labels.items()},
        **{f"slice_{name}": value for name, value in pair.slices.items()},
        "question": pair.question,
        "expected": pair.expected,
    }


def _metric_columns(run: Run, metrics: tuple[RunMetric, ...]) -> dict[_MetricKey, str]:
    """Each metric's column, of which no two are the same."""
    columns_by_metric = {(metric.name, metric.fingerprint): _metric_column(run, metric) for metric in metrics}
    columns = list(columns_by_metric.values())
    return {
        key: column if columns.count(column) == 1 else f"{column}#{key[1]}"
        for key, column in columns_by_metric.items()
    }


def _metric_column(run: Run, metric: RunMetric) -> str:
    """The metric's own name, by the run's own encoder or by none; else with the name of the encoder.

    A name that a column of another kind has, or may have, gets a prefix.
    """
    is_own = metric.fingerprint in ("", run.encoder)
    name = metric.name if is_own else f"{metric.name}@{metric.encoder}"
    is_taken = name in (*VIEW, *_TEXTS) and name not in _VIEW_METRICS
    return f"metric_{name}" if is_taken or name.startswith(_PREFIXES) else name
