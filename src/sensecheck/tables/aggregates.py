"""Aggregates over all rows of a table; those of several tables are merged from theirs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sensecheck.core.serialization import from_data, to_data
from sensecheck.stats.moments import Numbers
from sensecheck.tables.order import ERROR, REASON, STATUS, TableOrder, checks_of, value_column

REASONS = 20
"""How many different reasons are listed, the most frequent ones."""


@dataclass(frozen=True, slots=True)
class OfMetric:
    """The numbers of a metric, and how many rows have none."""

    numbers: Numbers
    nulls: int = 0
    """Rows without a number."""
    failed: int = 0
    """Those of them that are errors; to the others the metric does not apply."""


@dataclass(frozen=True, slots=True)
class OfCheck:
    """How often a check came to each outcome, and the numbers that it decided by."""

    outcomes: Mapping[str, int]
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class Aggregates:
    """Counts of rows and errors, and what is in each column of numbers."""

    rows: int = 0
    errors: int = 0
    metrics: Mapping[str, OfMetric] = field(default_factory=dict)
    checks: Mapping[str, OfCheck] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why rows are errors, most frequent first. Where there are more than `REASONS`, the rarest are left out,
    and those that are left of several tables may count too few."""

    @classmethod
    def of(cls, table: pa.Table, order: TableOrder) -> Self:
        """Those of a table that was assessed by this order."""
        wrong = _array(pc.equal(table.column(STATUS), ERROR)).astype(bool)
        reasons = Counter(reason for reason in table.column(REASON).to_pylist() if reason is not None)
        return cls(
            table.num_rows,
            int(wrong.sum()),
            {name: _of_metric(table.column(name), wrong) for name in dict.fromkeys(order.metrics)},
            {check.name: _of_check(table, check.name) for check in checks_of(order)},
            _most_frequent(reasons),
        )

    @classmethod
    def merged(cls, many: Iterable[Self]) -> Self:
        """All as one; the order in which they are given may move a mean in its last digits."""
        parts = list(many)
        reasons: Counter[str] = Counter()
        for part in parts:
            reasons.update(part.reasons)
        return cls(
            sum(part.rows for part in parts),
            sum(part.errors for part in parts),
            {name: _merged_metric(group) for name, group in _by_name(part.metrics for part in parts).items()},
            {name: _merged_check(group) for name, group in _by_name(part.checks for part in parts).items()},
            _most_frequent(reasons),
        )

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The aggregates that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="aggregates")


def _of_metric(column: pa.ChunkedArray, wrong: npt.NDArray[np.bool_]) -> OfMetric:
    absent = _array(column.is_null()).astype(bool)
    failed = int((absent & wrong).sum())
    return OfMetric(Numbers.of(_array(column.drop_null())), column.null_count, failed)


def _of_check(table: pa.Table, name: str) -> OfCheck:
    counted = Counter(table.column(name).to_pylist())
    numbers = Numbers.of(_array(table.column(value_column(name)).drop_null()))
    return OfCheck(dict(sorted(counted.items())), numbers)


def _merged_metric(metrics: Sequence[OfMetric]) -> OfMetric:
    numbers = Numbers.merged(metric.numbers for metric in metrics)
    return OfMetric(
        numbers, sum(metric.nulls for metric in metrics), sum(metric.failed for metric in metrics)
    )


def _merged_check(checks: Sequence[OfCheck]) -> OfCheck:
    counted: Counter[str] = Counter()
    for check in checks:
        counted.update(check.outcomes)
    return OfCheck(dict(sorted(counted.items())), Numbers.merged(check.numbers for check in checks))


def _by_name(mappings: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for mapping in mappings:
        for name, part in mapping.items():
            groups.setdefault(name, []).append(part)
    return groups


def _most_frequent(reasons: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0]))[:REASONS])


def _array(column: pa.ChunkedArray) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = column.to_numpy()
    return values
