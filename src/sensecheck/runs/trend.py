"""How each metric went from run to run."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run
from sensecheck.core.serialization import did_you_mean, to_data
from sensecheck.runs.pairs import Positions, QuestionWordings
from sensecheck.runs.record import RunTable
from sensecheck.runs.shift import Tested, is_headline
from sensecheck.runs.summary import MetricSummary, ordered
from sensecheck.stats.paired_tests import Numbers, chance, holm, steps_between

if TYPE_CHECKING:
    from sensecheck.runs.place import RunPlace

_Change = tuple[int | None, int, float | None, float | None]
"""Since which run, over how many questions, by how much, and how easily by chance."""
_NO_CHANGE: _Change = (None, 0, None, None)


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """The mean of a metric in one run, and its change since the run before that has the metric."""

    run: int
    name: str
    at: str
    metric: str
    encoder: str
    n: int
    mean: float | None
    low: float | None
    high: float | None
    na: int
    previous: int | None
    """The run of which it is a change; None for the first."""
    shared: int
    """Questions that were read in both."""
    change: float | None
    """The mean difference over those: other questions are no change of the system."""
    p: float | None
    """How easily chance alone gives a change as large; None where no question moved."""
    adjusted: float | None
    """The same among all changes of its family in the trend, headline metrics or parts (Holm)."""

    @property
    def unchanged(self) -> bool:
        """Whether no question moved at all since the run before: then there is nothing to test."""
        return self.change is not None and self.p is None

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


def trend(
    tables: Iterable[RunTable],
    *,
    metrics: Sequence[str] | None = None,
    asked: Sequence[QuestionWordings] | None = None,
    confidence: float = 0.95,
) -> tuple[TrendPoint, ...]:
    """A point for every run and metric; the runs are given in the order of time, and read one by one.

    `asked` says how the questions of each run are worded; without it a question is known by its id alone.
    """
    last_seen: _LastSeen = {}
    points: list[TrendPoint] = []
    all_metrics: set[str] = set()
    last: Run | None = None
    for number, table in enumerate(tables):
        run = table.run
        if last is not None and (run.started_at, run.key) <= (last.started_at, last.key):
            raise SpecError(
                f"a trend must have runs in the order of time; got the run {run.key} after the run {last.key}"
            )
        names = _known_by(table, None if asked is None else asked[number])
        points += _points(ordered(table), names, last_seen, metrics, confidence)
        all_metrics |= {metric.name for metric in table.metrics}
        last = run
    for name in metrics or ():
        if name not in all_metrics:
            raise SpecError(did_you_mean("metric of these runs", name, all_metrics))
    return _with_adjusted(points)


def trend_of(place: "RunPlace", runs: Sequence[Run], metrics: Sequence[str] | None) -> tuple[TrendPoint, ...]:
    """The trend over these runs; where their sets differ, questions are matched by their words too."""
    sets = {run.set.key: run for run in runs}
    tables = (place.table(run) for run in runs)
    if len(sets) == 1:
        return trend(tables, metrics=metrics)
    wordings_by_set = {key: QuestionWordings.in_run(place, run) for key, run in sets.items()}
    return trend(tables, metrics=metrics, asked=[wordings_by_set[run.set.key] for run in runs])


def changes_tested(points: Iterable[TrendPoint]) -> Tested:
    """How many changes p allows for."""
    are_headline = [is_headline(point.metric) for point in points if point.p is not None]
    return Tested(are_headline.count(True), are_headline.count(False), labels=0, slices=0)


@dataclass(frozen=True, slots=True)
class _EarlierRun:
    """A metric in the last run that has it."""

    run: int
    positions: Mapping[str, int]
    """Where each question stands there."""
    values: Numbers


_LastSeen = dict[tuple[str, str], _EarlierRun]
"""By metric and fingerprint."""


def _points(
    table: RunTable,
    names: Sequence[str],
    last_seen: _LastSeen,
    selected: Sequence[str] | None,
    confidence: float,
) -> Iterator[TrendPoint]:
    positions = {name: at for at, name in enumerate(names)}
    shared = cache(lambda run: _shared_positions(earlier[run], names))
    earlier = {seen.run: seen.positions for seen in last_seen.values()}
    for at, metric in enumerate(table.metrics):
        if selected is None or metric.name in selected:
            values, key = table.values[:, at], (metric.name, metric.fingerprint)
            before = last_seen.get(key)
            change = _NO_CHANGE if before is None else _change(before, values, *shared(before.run))
            yield _point(table.run, MetricSummary.of_column(table, at, confidence=confidence), change)
            last_seen[key] = _EarlierRun(table.run.key, positions, values)


def _point(run: Run, summary: MetricSummary, change: _Change) -> TrendPoint:
    return TrendPoint(
        run.key,
        run.name,
        run.started_at.isoformat(timespec="seconds"),
        summary.metric,
        summary.encoder,
        summary.n,
        summary.mean,
        summary.low,
        summary.high,
        summary.na,
        *change,
        adjusted=None,
    )


def _change(before: _EarlierRun, values: Numbers, old: Positions, new: Positions) -> _Change:
    steps = steps_between(before.values[old], values[new])
    steps = steps[~np.isnan(steps)]
    if not len(steps):
        return before.run, 0, None, None
    return before.run, len(steps), float(steps.mean()), chance(steps) if steps.any() else None


def _shared_positions(positions: Mapping[str, int], names: Sequence[str]) -> tuple[Positions, Positions]:
    """Where the questions stand that both runs have: in the earlier one, and in this one."""
    both = [(positions[name], at) for at, name in enumerate(names) if name in positions]
    old, new = np.array(both, dtype=np.intp).reshape(-1, 2).T
    return old, new


def _known_by(table: RunTable, wordings: QuestionWordings | None) -> Sequence[str]:
    """A question in other words is another question."""
    if wordings is None:
        return table.names
    reached = wordings.first(len(table.names))
    return [f"{name} {wording}" for name, wording in zip(reached.names, reached.wordings, strict=True)]


def _with_adjusted(points: Sequence[TrendPoint]) -> tuple[TrendPoint, ...]:
    """The same points, each p among those of its family."""
    headline, parts = (
        iter(holm([point.p for point in points if is_headline(point.metric) is first]))
        for first in (True, False)
    )
    return tuple(
        replace(point, adjusted=next(headline if is_headline(point.metric) else parts)) for point in points
    )
