"""Two runs compared item by item: tests of a suite, questions of an evaluation, or rows of a large run.

A comparison says what has changed, whether that is significant, and what was not compared. It is the same
for all runs, wherever they are stored.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Run, RunBrief
from sensecheck.runs.comparison_result import ComparedRuns, Comparison, Gone, comparison_of, named
from sensecheck.runs.comparison_suite import compare_suites
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.pairs import Matching, QuestionWordings, TablePairs, Wordings, match_questions
from sensecheck.runs.record import Numbers, RunMetric, RunTable
from sensecheck.runs.shift import PairColumn, PairedColumns
from sensecheck.runs.suite import SuiteRuns

if TYPE_CHECKING:  # DuckDB comes with the extra `scale`
    from sensecheck.runs.parquet import FinishedRun, QueryLimits
    from sensecheck.runs.place import RunPlace

StoredRun = tuple["RunPlace", Run]
"""A run, and the place that it is in."""


def compare(
    before: "RunTable | RunFile | StoredRun | FinishedRun",
    after: "RunTable | RunFile | StoredRun | FinishedRun",
    *,
    alpha: float = 0.05,
    metric: str | None = None,
    by: Sequence[str] | None = None,
    key: str | None = None,
    wordings: Wordings | None = None,
    limits: "QueryLimits | None" = None,
) -> Comparison:
    """Compare a run with an earlier one: tables, files of suites, stored runs, or large runs.

    `metric` is the one by which items that moved are reported; `by` names the slices, all that are known
    unless given, and none of a large run. `wordings` says how the questions of both tables are worded;
    without it a question is known by its id alone. `key` is the column by which rows of large runs are paired
    and `limits` what reading them may take.
    """
    if not 0 < alpha < 1:
        raise SpecError(f"`alpha` must be a number between 0 and 1; got {alpha}")
    if isinstance(before, tuple) and isinstance(after, tuple):
        return _compare_stored(before, after, alpha=alpha, metric=metric, by=by, key=key, limits=limits)
    if isinstance(before, RunTable) and isinstance(after, RunTable):
        _require_large(key)
        return _compare_tables(before, after, wordings, alpha=alpha, metric=metric, by=by)
    if isinstance(before, RunFile) and isinstance(after, RunFile):
        _require_large(key)
        return compare_suites(before, after, alpha=alpha, metric=metric, by=by)
    if isinstance(before, RunTable | RunFile | tuple) or isinstance(after, RunTable | RunFile | tuple):
        raise SpecError("two runs to compare must be of one kind; got two kinds")
    if isinstance(before, Run) or isinstance(after, Run):
        raise SpecError(
            "a run of a store must be given with its store, as `compare((store, before), (store, after))`; "
            "got a Run alone; `EvalStore.open(address)` opens one; an evaluation's result has its `address`"
        )
    with extra("scale"):
        from sensecheck.runs.comparison_large import compare_large  # noqa: PLC0415 - DuckDB is an extra

    return compare_large(before, after, key=key, by=by, metric=metric, alpha=alpha, limits=limits)


def _compare_stored(before: StoredRun, after: StoredRun, **options: Any) -> Comparison:
    """Runs of suites by their files, large runs where they are, and all others by their tables."""
    (old_place, old), (new_place, new) = before, after
    if isinstance(old_place, SuiteRuns) and isinstance(new_place, SuiteRuns):
        return compare(RunFile.open(old_place.file_of(old)), RunFile.open(new_place.file_of(new)), **options)
    large: list[FinishedRun] = [
        finished for place in (old_place, new_place) if (finished := getattr(place, "finished", None))
    ]
    if len(large) == 2:
        return compare(*large, **options)
    _require_large(options.pop("key"))
    options.pop("limits")
    if old.key == new.key and old_place.address == new_place.address:
        raise SpecError(f"the run {new.key} cannot be compared with itself; name two runs")
    same = old.set.digest == new.set.digest
    wordings = None if same else (QuestionWordings.in_run(*before), QuestionWordings.in_run(*after))
    from sensecheck.runs.summary import ordered  # noqa: PLC0415 - not needed for suites

    tables = ordered(old_place.table(old)), ordered(new_place.table(new))
    return _compare_tables(*tables, wordings, **options)


def _compare_tables(
    before: RunTable,
    after: RunTable,
    wordings: Wordings | None,
    *,
    alpha: float,
    metric: str | None,
    by: Sequence[str] | None,
) -> Comparison:
    matching = match_questions(before, after, wordings)
    slices = [after.slices[at] for at in matching.after]
    pairs = TablePairs.of(matching.names, slices, _paired_columns(before, after, matching))
    compared = ComparedRuns(
        before=RunBrief.of(before.run),
        after=RunBrief.of(after.run),
        items="question",
        paired_by="`id`",
        only_before=matching.only_before,
        only_after=matching.only_after,
        removed=len(matching.only_before),
        added=len(matching.only_after),
        reworded=matching.reworded,
        gone=tuple(Gone(lone.name, lone.encoder) for lone in _only_in(before, after)),
        notes=tuple(_notes(before, after)),
        errors=max(0, after.run.set.size - after.run.done),
        encoder=after.run.encoder,
    )
    return comparison_of(pairs, compared, alpha=alpha, metric=metric, by=by)


def _paired_columns(before: RunTable, after: RunTable, matching: Matching) -> list[PairedColumns]:
    """The labels and metrics that both have, by the same encoder: numbers of two encoders are not alike."""
    old = _columns(before)
    paired = [
        PairedColumns(column, old[key][1][matching.before], values[matching.after])
        for key, (column, values) in _columns(after).items()
        if key in old
    ]
    if all(one.column.label for one in paired):
        raise SpecError(
            f"the runs {before.run.key} and {after.run.key} have no metric in common, by the same encoder: "
            f"{_listed(before.metrics)} and {_listed(after.metrics)}"
        )
    return paired


def _columns(table: RunTable) -> dict[tuple[str, str, bool], tuple[PairColumn, Numbers]]:
    """What people said and the metrics, by what tells which column of another run is the same."""
    said = ((PairColumn(name, label=True), values) for name, values in table.labels.items())
    metrics = (PairColumn(metric.name, metric.encoder, metric.fingerprint) for metric in table.metrics)
    columns = chain(said, zip(metrics, table.values.T, strict=True))
    return {(column.metric, column.fingerprint, column.label): (column, values) for column, values in columns}


def _listed(metrics: Sequence[RunMetric]) -> str:
    return ", ".join(named(metric.name, metric.encoder) for metric in metrics) or "none"


def _only_in(table: RunTable, other: RunTable) -> list[RunMetric]:
    """The metrics that one run has and the other has not, by the same encoder."""
    others = {(metric.name, metric.fingerprint) for metric in other.metrics}
    return [metric for metric in table.metrics if (metric.name, metric.fingerprint) not in others]


def _notes(before: RunTable, after: RunTable) -> Iterator[str]:
    """What differs between the runs, and which metrics were not compared."""
    for run in (before.run, after.run):
        if not run.whole:
            there = f"{run.done:,} of its {run.set.size:,} questions are there"
            yield f"the run {run.key} is not complete: {there}"
    yield from _differences(before.run, after.run)
    for when, lone in (("before", _only_in(before, after)), ("now", _only_in(after, before))):
        if lone:
            yield f"only {when}, so not compared: {_listed(lone)}"


def _differences(before: Run, after: Run) -> Iterator[str]:
    """What was not the same, so that it may be the reason for what has changed."""
    if before.test.project != after.test.project:
        yield f"the project was `{before.test.project}` and is `{after.test.project}`"
    if before.test.name != after.test.name:
        yield f"the test was `{before.test.name}` and is `{after.test.name}`"
    changed = [
        key
        for key in sorted({*before.conditions, *after.conditions})
        if before.conditions.get(key) != after.conditions.get(key)
    ]
    if changed:
        yield "the conditions of the runs differ in: " + ", ".join(f"`{key}`" for key in changed)


def _require_large(key: str | None) -> None:
    if key is not None:
        raise SpecError("`--key` is for large runs; others are paired by their ids")
