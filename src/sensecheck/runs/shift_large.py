"""How a metric differs between two large runs, from sums that the database counts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.runs.pairing_large import PAIRED, RowPairing
from sensecheck.runs.parquet import text_in_sql
from sensecheck.runs.shift import (
    ENOUGH_TO_COMPARE,
    MOST_MOVED,
    MetricShift,
    Moved,
    PairedColumns,
    SliceShift,
    claimed,
    metric_shift_of,
    testable_in_slice,
)
from sensecheck.stats.paired import (
    MANY,
    NO_STEP,
    Numbers,
    chance_at_most,
    chance_of_many,
    count_alike,
    interval_of_equals,
    interval_of_many,
)

ROUNDING = 1e-12
"""A smaller share of a sum of squares may be no more than how it was rounded."""
FEW = 1000
"""So many rows are tested one by one, as a stored run's are; more are tested by their sums."""
MOST_SLICES = 100
_ALL = "true"


@dataclass(frozen=True, slots=True)
class Shifting:
    """The shifts of all metrics in the table `paired`, as a whole and by slice."""

    connection: DuckDBPyConnection
    pairing: RowPairing
    names: tuple[str, ...]
    alpha: float

    def whole(self) -> list[MetricShift]:
        """Of all rows; nothing is claimed yet."""
        row = self.connection.execute(f"SELECT {self._sums()} FROM {self._stepping()}").fetchone()
        return self._shifts(row or (), _ALL)

    def slices(self, at: int, column: str) -> tuple[tuple[SliceShift, ...], int]:
        """By the values of a column, the commonest first; and how many are left out, being small or rare."""
        kind = f"slice{at}"
        counted = f"SELECT {kind}, count(*) FROM {PAIRED} WHERE {kind} IS NOT NULL GROUP BY 1"
        row = self.connection.execute(f"SELECT count(*) FROM ({counted})").fetchone()
        found = self.connection.execute(
            f"SELECT {kind}, {self._sums()} FROM {self._stepping()} WHERE {kind} IS NOT NULL GROUP BY 1 "
            f"HAVING count(*) >= {ENOUGH_TO_COMPARE} ORDER BY count(*) DESC, 1 LIMIT {MOST_SLICES}"
        ).fetchall()
        large = [(value, self._shifts(sums, f"{kind} = {text_in_sql(value)}")) for value, *sums in found]
        tested = claimed([testable_in_slice(one) for _, each in large for one in each], alpha=self.alpha)
        width = len(self.names)
        return tuple(
            SliceShift(f"{column}={value}", tested[at * width : (at + 1) * width])
            for at, (value, _) in enumerate(large)
        ), (row[0] if row else 0) - len(large)

    def moved(self, name: str) -> tuple[Moved, ...]:
        """The rows that fell most by a metric, and then those that rose most."""
        at = self.names.index(name)
        step, keys = step_in_sql(at), ", ".join(self.pairing.keys)
        rows = []
        for side, order in (("<", "ASC"), (">", "DESC")):
            rows += self.connection.execute(
                f"SELECT {self.pairing.name}, before{at}, after{at} FROM {PAIRED} WHERE {step} {side} 0 "
                f"ORDER BY {step} {order}, {keys} LIMIT {MOST_MOVED}"
            ).fetchall()
        return tuple(Moved(key, name, old, new) for key, old, new in rows)

    def _sums(self) -> str:
        return ", ".join(StepSums.in_sql(at) for at in range(len(self.names)))

    def _stepping(self) -> str:
        """The table, with what each row moved by."""
        steps = ", ".join(f"{step_in_sql(at)} AS step{at}" for at in range(len(self.names)))
        return f"(SELECT *, {steps} FROM {PAIRED})"

    def _shifts(self, sums: Sequence[float], where: str) -> list[MetricShift]:
        width = len(StepSums.__dataclass_fields__)
        each = [StepSums.read(sums[at * width : (at + 1) * width]) for at in range(len(self.names))]
        if max((one.n for one in each), default=0) > FEW:
            return [one.shift(name, alpha=self.alpha) for one, name in zip(each, self.names, strict=True)]
        return self._one_by_one(where)

    def _one_by_one(self, where: str) -> list[MetricShift]:
        found = self.connection.execute(
            f"SELECT * FROM {PAIRED} WHERE {where} ORDER BY {', '.join(self.pairing.keys)}"
        ).fetchnumpy()

        def column(name: str) -> Numbers:
            numbers: Numbers = np.ma.filled(np.ma.masked_array(found[name], dtype=np.float64), np.nan)
            return numbers

        return [
            metric_shift_of(
                PairedColumns(name, "", "", column(f"before{at}"), column(f"after{at}")), alpha=self.alpha
            )
            for at, name in enumerate(self.names)
        ]


@dataclass(frozen=True, slots=True)
class StepSums:
    """What one query gives of one metric; a step is what a row moved by."""

    n: int
    before: float
    after: float
    total: float
    squares: float
    cubes: float
    fourths: float
    up: int
    down: int
    smallest: float
    largest: float
    least: float
    """Of the numbers themselves, in either run."""
    greatest: float
    na_before: int
    na_after: int
    lost: int
    gained: int

    @staticmethod
    def in_sql(at: int) -> str:
        """What a query over `paired` asks for, of its numbers `before{at}`, `after{at}` and `step{at}`."""
        old, new, step = f"before{at}", f"after{at}", f"step{at}"
        square = f"({step} * {step})"
        return (
            f"count({step}), avg({old}) FILTER ({step} IS NOT NULL), avg({new}) FILTER ({step} IS NOT NULL), "
            f"sum({step}), sum({square}), sum({square} * {step}), sum({square} * {square}), "
            f"count_if({step} > 0), count_if({step} < 0), min({step}), max({step}), "
            f"least(min({old}), min({new})), greatest(max({old}), max({new})), "
            f"count(*) - count({old}), count(*) - count({new}), count({old}) - count({step}), "
            f"count({new}) - count({step})"
        )

    @classmethod
    def read(cls, figures: Sequence[Any]) -> Self:
        """What the query gave; of no rows at all, nothing."""
        return cls(*(0 if figure is None else figure for figure in figures))

    def shift(self, metric: str, *, alpha: float) -> MetricShift:
        """By how much the metric has shifted; nothing is claimed yet, since others are tested beside it."""
        counts = self.na_before, self.na_after, self.lost, self.gained
        if not self.n:
            return MetricShift(metric, "", 0, *(None,) * 7, False, *(None,) * 3, *counts)
        mean, moved = self.total / self.n, self.up + self.down
        low, high = self._interval(alpha) if moved else (None, None)
        return MetricShift(
            metric,
            "",
            self.n,
            self.before,
            self.after,
            mean,
            low,
            high,
            self._chance() if moved else None,
            None,
            False,
            self._effect(),
            self.up / self.n,
            self.down / self.n,
            *counts,
        )

    def _chance(self) -> float:
        """Where few rows of very different steps outweigh all others, a bound that holds for any."""
        many = count_alike(self.squares, self.fourths) >= MANY
        return (chance_of_many if many else chance_at_most)(self.total, self.squares)

    def _interval(self, alpha: float) -> tuple[float, float]:
        mean = self.total / self.n
        widest = max(1.0, self.greatest - min(0.0, self.least))
        if self._moved_alike:
            return interval_of_equals(mean, self.n, 1 - alpha, (-widest, widest))
        cube = self.cubes - 3 * mean * self.squares + 2 * self.n * mean**3
        sums = self.n, mean, self._square, cube
        return interval_of_many(*sums, confidence=1 - alpha, within=(-widest, widest))

    @property
    def _square(self) -> float:
        return self.squares - self.total**2 / self.n

    @property
    def _moved_alike(self) -> bool:
        """Whether all rows moved alike, as far as sums of their squares can tell."""
        return self.largest - self.smallest < NO_STEP or self._square <= ROUNDING * self.squares

    def _effect(self) -> float | None:
        """None where all rows moved alike: then there is no spread to measure by."""
        if self.n < 2 or self._moved_alike:
            return None if self.smallest else 0.0
        return self.total / self.n / math.sqrt(self._square / (self.n - 1))


def step_in_sql(at: int) -> str:
    """What a row moved by; what differs in the last bits has not moved."""
    step = f"(after{at} - before{at})"
    return f"CASE WHEN abs{step} < {NO_STEP!r} THEN 0.0 ELSE {step} END"
