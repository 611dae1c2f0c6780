"""The rows of a run that a page asks for: filtered, ordered, counted and summed up on the server."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.runs.figures import ColumnSums
from sensecheck.runs.record import Numbers, RunMetric
from sensecheck.runs.shift import PairColumn, headline_first, telling
from sensecheck.runs.summary import MetricSummary, rounded
from sensecheck.runs.tally import OUTCOMES
from sensecheck.stats.binomial import clopper_pearson
from sensecheck.studio.index import RunIndex, outcome_counts

MAX_ROWS = 200
"""In one reply."""
BINS = 40
MAX_SLICE_VALUES = 50
"""Of a slice with more values, those with most rows are shown."""
MAX_PATTERN_CHARS = 500
ORDERS = ("position", "worst", "best", "title")
_WORST = np.array([4, 0, 1, 3, 2], np.uint8)
"""By the place of an outcome in `OUTCOMES`: failed rows first, then unsure ones, errors, measured, passed."""
_NO_READINGS = ("latency_ms", "cost")
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RowQuery:
    """What a page asks for; all of it is in the address of the page."""

    outcomes: frozenset[str] = frozenset()
    slices: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    regex: bool = False
    metric: str = ""
    """By which rows are ordered, and which `low` and `high` bound; the headline metric unless given."""
    low: float | None = None
    high: float | None = None
    label: str = ""
    """`NAME=VALUE`, or `none` for rows without a label."""
    changed: bool = False
    """Only rows that came out differently in the baseline."""
    order: str = "position"
    start: int = 0
    limit: int = 50

    def __post_init__(self) -> None:
        for outcome in self.outcomes - set(OUTCOMES):
            raise SpecError(did_you_mean("outcome", outcome, set(OUTCOMES)))
        if self.order not in ORDERS:
            raise SpecError(did_you_mean("order", self.order, set(ORDERS)))
        if not 1 <= self.limit <= MAX_ROWS or self.start < 0:
            raise SpecError(f"`limit` must be from 1 to {MAX_ROWS}, and `start` at least 0")
        if len(self.text) > MAX_PATTERN_CHARS:
            raise SpecError(f"a search may have {MAX_PATTERN_CHARS} characters; got {len(self.text)}")


class RowView:
    """The rows of a run with what people say of them now, and of its baseline where there is one."""

    def __init__(self, index: RunIndex, labels: Mapping[str, Numbers], baseline: RunIndex | None = None):
        self.index = index
        self.labels = labels
        self.baseline = baseline
        self._before: npt.NDArray[np.int64] | None = None

    @property
    def headline(self) -> int | None:
        """The column that says most of an answer; None without any."""
        names = [metric.name for metric in self.index.metrics]
        chosen = telling(names)
        return None if chosen is None else names.index(chosen)

    @property
    def before(self) -> npt.NDArray[np.int64]:
        """For each row where it stands in the baseline; -1 where it does not."""
        if self._before is None:
            places = {} if self.baseline is None else {name: at for at, name in enumerate(self.baseline.ids)}
            self._before = np.array([places.get(name, -1) for name in self.index.ids], np.int64)
        return self._before

    def changed(self) -> Mask:
        """Rows that are in both runs and came out differently; of those only measured, by their number."""
        if self.baseline is None:
            return np.zeros(len(self.index), np.bool_)
        both = self.before >= 0
        old = np.zeros(len(self.index), np.uint8)
        old[both] = self.baseline.outcomes[self.before[both]]
        differs = both & (old != self.index.outcomes)
        now, then = self.numbers_of_both()
        moved = both & ~np.isclose(now, then, atol=1e-9) & ~(np.isnan(now) & np.isnan(then))
        measured = self.index.outcomes == OUTCOMES.index("measured")
        mask: Mask = differs | (moved & measured)
        return mask

    def matching(self, query: RowQuery, texts: Sequence[str] | None) -> Mask:
        """The rows that match everything but the outcomes."""
        mask = np.ones(len(self.index), np.bool_)
        for key, value in query.slices.items():
            column = self.index.slices.get(key)
            at = column.values.index(value) if column and value in column.values else None
            mask &= False if column is None or at is None else column.codes == at
        if query.low is not None or query.high is not None:
            numbers = self._numbers(query.metric)
            with np.errstate(invalid="ignore"):
                mask &= numbers >= (-np.inf if query.low is None else query.low)
                mask &= numbers <= (np.inf if query.high is None else query.high)
        if query.label:
            mask &= self._labelled(query.label)
        if query.changed:
            mask &= self.changed()
        if query.text and texts is not None:
            mask &= _searched(texts, query, mask)
        return mask

    def page(self, query: RowQuery, texts: Sequence[str] | None) -> dict[str, Any]:
        """One page of rows, how many there are, and how many of each outcome the other filters leave."""
        matching = self.matching(query, texts)
        counts = outcome_counts(self.index.outcomes[matching])
        if query.outcomes:
            codes = [OUTCOMES.index(one) for one in OUTCOMES if one in query.outcomes]
            matching &= np.isin(self.index.outcomes, codes)
        order = self._ordered(np.flatnonzero(matching), query)
        places = order[query.start : query.start + query.limit]
        return {
            "total": len(order),
            "start": query.start,
            "counts": counts,
            "rows": [self._row(int(at)) for at in places],
        }

    def summary(self, query: RowQuery, texts: Sequence[str] | None) -> dict[str, Any]:
        """The figures of the rows that match: outcomes, metrics with their distributions, and slices."""
        inside = self.matching(query, texts)
        if query.outcomes:
            inside &= np.isin(self.index.outcomes, [OUTCOMES.index(one) for one in query.outcomes])
        outcomes = self.index.outcomes[inside]
        counts = outcome_counts(outcomes)
        return {
            "rows": int(inside.sum()),
            "counts": counts,
            "rate": pass_rate(counts),
            "headline": None if self.headline is None else self.index.metrics[self.headline].name,
            "metrics": [self.metric_data(at, inside, outcomes) for at in metric_order(self.index)],
            "slices": list(self._slices(inside)),
            "labels": {name: label_counts(values[inside]) for name, values in self.labels.items()},
        }

    def _row(self, at: int) -> dict[str, Any]:
        index, headline = self.index, self.headline
        old = int(self.before[at]) if self.baseline is not None else -1
        row = {
            "at": at,
            "test": int(index.tests[at]),
            "id": index.ids[at],
            "title": index.titles[at],
            "outcome": OUTCOMES[index.outcomes[at]],
            "value": None if headline is None else rounded(float(index.values[at, headline])),
            "slices": {key: column.values[column.codes[at]] for key, column in index.slices.items()
                       if column.codes[at] >= 0 and len(column.values) > 1},
            "labels": {name: float(values[at]) for name, values in self.labels.items()
                       if not np.isnan(values[at])},
        }  # fmt: skip
        if self.baseline is not None and old >= 0:
            row["before"] = OUTCOMES[self.baseline.outcomes[old]]
        return row

    def _numbers(self, metric: str) -> Numbers:
        names = [column.name for column in self.index.metrics]
        at = names.index(metric) if metric in names else self.headline
        return np.full(len(self.index), np.nan) if at is None else self.index.values[:, at]

    def numbers_of_both(self) -> tuple[Numbers, Numbers]:
        """The headline metric now and in the baseline, by the same encoder."""
        now, then = (np.full(len(self.index), np.nan) for _ in range(2))
        at = self.headline
        if at is None or self.baseline is None or self.index.metrics[at] not in self.baseline.metrics:
            return now, then
        other = self.baseline.metrics.index(self.index.metrics[at])
        both = self.before >= 0
        now = self.index.values[:, at]
        then[both] = self.baseline.values[self.before[both], other]
        return now, then

    def _labelled(self, condition: str) -> Mask:
        if condition == "none":
            unlabelled = self._every()
            for values in self.labels.values():
                unlabelled &= np.isnan(values)
            return unlabelled
        name, _, value = condition.partition("=")
        column = self.labels.get(name)
        if column is None:
            return ~self._every()
        mask: Mask = ~np.isnan(column) if not value else column == _number(value)
        return mask

    def _every(self) -> Mask:
        return np.ones(len(self.index), np.bool_)

    def _ordered(self, places: npt.NDArray[np.int64], query: RowQuery) -> npt.NDArray[np.int64]:
        if query.order == "position":
            return places
        if query.order == "title":
            return np.array(sorted(places.tolist(), key=lambda at: self.index.titles[at]), np.int64)
        numbers = np.nan_to_num(self._numbers(query.metric)[places], nan=np.inf)
        if query.metric:
            return places[np.argsort(numbers if query.order == "worst" else -numbers, kind="stable")]
        ranks = _WORST[self.index.outcomes[places]]
        keys = (numbers, ranks) if query.order == "worst" else (-numbers, -ranks.astype(np.int8))
        return places[np.lexsort(keys)]

    def metric_data(self, at: int, inside: Mask, outcomes: npt.NDArray[np.uint8]) -> dict[str, Any]:
        name, numbers = self.index.metrics[at], self.index.values[inside, at]
        summary = MetricSummary.of(
            RunMetric(at, name.name, name.encoder, name.fingerprint),
            ColumnSums.of(numbers),
            questions=len(numbers),
            unread=0,
            unanswered=0,
        )
        data = {key: getattr(summary, key) for key in ("metric", "encoder", "n", "mean", "low", "high")}
        return data | {"na": summary.na} | _histogram(numbers, outcomes)

    def _slices(self, inside: Mask) -> Iterator[dict[str, Any]]:
        """The commonest values of each slice, with their outcomes and the mean of the headline metric."""
        headline = self.headline
        numbers = self._numbers("") if headline is not None else None
        for key, column in self.index.slices.items():
            counts = np.bincount(column.codes[inside & (column.codes >= 0)], minlength=len(column.values))
            common = [int(at) for at in np.argsort(-counts, kind="stable") if counts[at]]
            values = []
            for at in common[:MAX_SLICE_VALUES]:
                rows = inside & (column.codes == at)
                readings = np.empty(0) if numbers is None else numbers[rows & ~np.isnan(numbers)]
                outcomes = outcome_counts(self.index.outcomes[rows])
                mean = rounded(float(readings.mean())) if len(readings) else None
                values.append({"value": column.values[at], "rows": int(counts[at]), "counts": outcomes,
                               "rate": pass_rate(outcomes), "mean": mean})  # fmt: skip
            yield {"key": key, "values": values, "others": max(0, len(common) - MAX_SLICE_VALUES)}


def pass_rate(counts: Mapping[str, int]) -> dict[str, Any] | None:
    """The share of rows that passed, of all that were judged, with its interval; None where none was."""
    n = sum(counts[one] for one in OUTCOMES if one != "measured")
    if not n or n == counts["error"]:
        return None
    low, high = clopper_pearson(counts["pass"], n)
    return {"value": counts["pass"] / n, "low": low, "high": high, "n": n}


def metric_order(index: RunIndex) -> list[int]:
    """The columns of an index, the headline metrics first."""
    return headline_first(
        [PairColumn(metric.name, metric.encoder, metric.fingerprint) for metric in index.metrics]
    )


def reading_columns(index: RunIndex) -> list[int]:
    """The columns that a cutoff can be placed on, the headline metrics first: more than yes and no."""
    every = [at for at in metric_order(index) if index.metrics[at].name not in _NO_READINGS]
    return [at for at in every if not is_yes_or_no(index.values[:, at])] or every


def is_yes_or_no(numbers: Numbers) -> bool:
    """Whether all numbers are 0 or 1, as those of a check."""
    readings = numbers[~np.isnan(numbers)]
    return bool(len(readings)) and bool(np.isin(readings, (0.0, 1.0)).all())


def label_counts(said: Numbers) -> list[tuple[float, int]]:
    """Each value that people gave, and how often."""
    values, counts = np.unique(said[~np.isnan(said)], return_counts=True)
    return [(float(value), int(count)) for value, count in zip(values, counts, strict=True)][:20]


def _histogram(numbers: Numbers, outcomes: npt.NDArray[np.uint8]) -> dict[str, Any]:
    """How many rows of each outcome lie in each bin; the bins cover 0 to 1, and more where numbers do."""
    is_finite = np.isfinite(numbers)
    low = min(0.0, float(numbers[is_finite].min(initial=0)))
    high = max(1.0, float(numbers[is_finite].max(initial=1)))
    bins = {
        outcome: np.histogram(numbers[is_finite & (outcomes == code)], BINS, (low, high))[0].tolist()
        for code, outcome in enumerate(OUTCOMES)
        if (is_finite & (outcomes == code)).any()
    }
    return {"from": low, "to": high, "bins": bins}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise SpecError(f"the value of a label must be a number; got `{text}`") from error


def _searched(texts: Sequence[str], query: RowQuery, candidates: Mask) -> Mask:
    if query.regex:
        try:
            pattern = re.compile(query.text, re.IGNORECASE)
        except re.error as error:
            raise SpecError(f"the search is no regular expression: {error}") from error
    else:
        pattern = re.compile(re.escape(query.text), re.IGNORECASE)
    mask = np.zeros(len(texts), np.bool_)
    for at in np.flatnonzero(candidates).tolist():
        mask[at] = pattern.search(texts[at]) is not None
    return mask
