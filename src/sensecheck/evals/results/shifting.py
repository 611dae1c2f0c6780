"""By how much the numbers of rows that lie side by side have shifted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.evals.qa.compare.moved import MOST, Moved
from sensecheck.evals.qa.compare.shift import ENOUGH as ENOUGH_TO_CLAIM
from sensecheck.evals.qa.compare.shift import Columns, MetricShift, Numbers, claimed, shift_of
from sensecheck.evals.qa.compare.slices import ENOUGH, SliceShift
from sensecheck.evals.results.pairing import PAIRED, Pairing
from sensecheck.evals.results.rows import text_in_sql
from sensecheck.evals.results.step_sums import FIGURES, StepSums, step_in_sql

FEW = 1000
"""So many rows are tested one by one, as a kept run's are; more are told by their sums."""
MOST_SLICES = 100
_ALL = "true"


@dataclass(frozen=True, slots=True)
class Shifting:
    """The table `paired`, and what its numbers are called."""

    connection: DuckDBPyConnection
    pairing: Pairing
    names: tuple[str, ...]
    alpha: float

    def whole(self) -> list[MetricShift]:
        """Of all rows; nothing is claimed yet."""
        row = self.connection.execute(f"SELECT {self._sums()} FROM {self._stepping()}").fetchone()
        return self._shifts(row or (), _ALL)

    def slices(self, at: int, column: str) -> tuple[tuple[SliceShift, ...], int]:
        """By the values of a column, the commonest first; and how many are not told, for they are small."""
        kind = f"slice{at}"
        counted = f"SELECT {kind}, count(*) FROM {PAIRED} WHERE {kind} IS NOT NULL GROUP BY 1"
        row = self.connection.execute(f"SELECT count(*) FROM ({counted})").fetchone()
        found = self.connection.execute(
            f"SELECT {kind}, {self._sums()} FROM {self._stepping()} WHERE {kind} IS NOT NULL GROUP BY 1 "
            f"HAVING count(*) >= {ENOUGH} ORDER BY count(*) DESC, 1 LIMIT {MOST_SLICES}"
        ).fetchall()
        told = [(value, self._shifts(sums, f"{kind} = {text_in_sql(value)}")) for value, *sums in found]
        tested = claimed([_testable(one) for _, each in told for one in each], alpha=self.alpha)
        width = len(self.names)
        return tuple(
            SliceShift(f"{column}={value}", tested[at * width : (at + 1) * width])
            for at, (value, _) in enumerate(told)
        ), (row[0] if row else 0) - len(told)

    def moved(self, name: str) -> tuple[Moved, ...]:
        """The rows that fell most by a metric, and then those that rose most."""
        at = self.names.index(name)
        step, keys = step_in_sql(at), ", ".join(self.pairing.keys)
        rows = []
        for side, order in (("<", "ASC"), (">", "DESC")):
            rows += self.connection.execute(
                f"SELECT {self.pairing.name}, before{at}, after{at} FROM {PAIRED} WHERE {step} {side} 0 "
                f"ORDER BY {step} {order}, {keys} LIMIT {MOST}"
            ).fetchall()
        return tuple(Moved(key, name, old, new) for key, old, new in rows)

    def _sums(self) -> str:
        return ", ".join(StepSums.in_sql(at) for at in range(len(self.names)))

    def _stepping(self) -> str:
        """The table, with what each row moved by."""
        steps = ", ".join(f"{step_in_sql(at)} AS step{at}" for at in range(len(self.names)))
        return f"(SELECT *, {steps} FROM {PAIRED})"

    def _shifts(self, sums: Sequence[float], where: str) -> list[MetricShift]:
        each = [StepSums.read(sums[at * FIGURES : (at + 1) * FIGURES]) for at in range(len(self.names))]
        told = [one.shift(name, alpha=self.alpha) for one, name in zip(each, self.names, strict=True)]
        if max((one.n for one in each), default=0) > FEW:
            return told
        return self._one_by_one(where)

    def _one_by_one(self, where: str) -> list[MetricShift]:
        found = self.connection.execute(
            f"SELECT * FROM {PAIRED} WHERE {where} ORDER BY {', '.join(self.pairing.keys)}"
        ).fetchnumpy()

        def column(name: str) -> Numbers:
            numbers: Numbers = np.ma.filled(np.ma.masked_array(found[name], dtype=np.float64), np.nan)
            return numbers

        return [
            shift_of(Columns(name, "", "", column(f"before{at}"), column(f"after{at}")), alpha=self.alpha)
            for at, name in enumerate(self.names)
        ]


def _testable(shift: MetricShift) -> MetricShift:
    """Of a slice with too few rows nothing could be claimed, so it takes no part in the family."""
    return shift if shift.n >= ENOUGH_TO_CLAIM else replace(shift, p=None)
