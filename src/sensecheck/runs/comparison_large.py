"""Two large runs compared row by row, by sums over all rows that both have, which a database counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.core.run import RunBrief
from sensecheck.runs.comparison_result import ComparedRuns, Comparison, Gone, comparison_of
from sensecheck.runs.pairing_large import AFTER, BEFORE, PAIRED, CommonNumbers, RowPairing, RowPairs
from sensecheck.runs.pairs import Flips, Omitted
from sensecheck.runs.parquet import FinishedRun, QueryLimits, tables, text_in_sql
from sensecheck.runs.shift import (
    ENOUGH_TO_COMPARE,
    MOST_MOVED,
    MOST_NAMED,
    MOST_SLICES,
    MetricShift,
    Moved,
    PairColumn,
    SliceShift,
)
from sensecheck.stats.paired_tests import NO_STEP, Numbers
from sensecheck.stats.steps import LoadSteps, StepSums

_ALL = "true"
_WIDTH = len(StepSums.__dataclass_fields__)


def compare_large(
    before: FinishedRun,
    after: FinishedRun,
    *,
    key: str | None = None,
    by: Sequence[str] | None = None,
    metric: str | None = None,
    alpha: float = 0.05,
    limits: QueryLimits | None = None,
) -> Comparison:
    """Compare a large run with an earlier one.

    Rows are paired by the column `key`; without it by their id, or by their place in the same inputs.
    """
    slices = tuple(after.require_column(column) for column in dict.fromkeys(by or ()))
    pairing, common = RowPairing.of(before, after, key), CommonNumbers.of(before, after)
    bounds, rows = limits or QueryLimits(), max(before.manifest.rows, after.manifest.rows)
    with (
        TemporaryDirectory(prefix="sensecheck-", dir=bounds.spill) as spill,
        tables({BEFORE: before, AFTER: after}, bounds, file=Path(spill) / "pairs.duckdb") as connection,
    ):
        paired = RowPairs(connection, pairing, common.expressions, slices)
        counts = paired.pair((before.address, after.address), rows, Path(spill))
        if not counts.n:
            raise SpecError(
                f"`{before.address}` and `{after.address}` have no row in common: rows are known by "
                f"{pairing.description}; name another column with `--key`"
            )
        compared = ComparedRuns(
            before=_brief(before),
            after=_brief(after),
            items="row",
            paired_by=pairing.description,
            only_before=counts.only_before,
            only_after=counts.only_after,
            removed=counts.before - counts.n,
            added=counts.after - counts.n,
            gone=tuple(Gone(name, "") for name in common.only_before),
            notes=tuple(_notes(before, after, common, (counts.before, counts.after))),
            encoder=after.plan.readers.get("encoder", ""),
        )
        pairs = LargePairs(connection, pairing, common.columns, counts.n, slices)
        return comparison_of(pairs, compared, alpha=alpha, metric=metric, by=slices)


@dataclass(frozen=True, slots=True)
class LargePairs:
    """The table `paired`, as a comparison reads it; `by` are the names of its columns `slice0`, and so on."""

    connection: DuckDBPyConnection
    pairing: RowPairing
    columns: tuple[PairColumn, ...]
    n: int
    by: tuple[str, ...] = ()

    def shifts(self, at: Sequence[int], *, alpha: float) -> list[MetricShift]:
        """By how much these columns have shifted; nothing is claimed yet."""
        if not at:
            return []
        row = self.connection.execute(f"SELECT {self._sums(at)} FROM {self._stepping(at)}").fetchone()
        return self._shifts(row or (), at, _ALL, alpha)

    def slices(
        self, at: Sequence[int], by: Sequence[str] | None, *, alpha: float
    ) -> tuple[list[SliceShift], Omitted]:
        """The shifts by the values of each column of `by`, in order of their names."""
        shifts: list[SliceShift] = []
        omitted: list[str] = []
        count = 0
        for number, column in enumerate(self.by):
            kind = f"slice{number}"
            rows = self.connection.execute(
                f"SELECT {kind}, {self._sums(at)} FROM {self._stepping(at)} WHERE {kind} IS NOT NULL "
                f"GROUP BY 1 HAVING count(*) >= {ENOUGH_TO_COMPARE} ORDER BY count(*) DESC, 1 "
                f"LIMIT {MOST_SLICES}"
            ).fetchall()
            for value, *sums in rows:
                where = f"{kind} = {text_in_sql(value)}"
                shifts.append(SliceShift(f"{column}={value}", tuple(self._shifts(sums, at, where, alpha))))
            names, left_out = self._omitted(kind, [value for value, *_ in rows])
            omitted += [f"{column}={name}" for name in names]
            count += left_out
        return sorted(shifts, key=lambda shift: shift.slice), Omitted(
            tuple(sorted(omitted)[:MOST_NAMED]), count
        )

    def moved(self, at: int) -> tuple[Moved, ...]:
        """The rows that fell most and those that rose most by a column, the largest change first."""
        step, keys = _step_in_sql(at), ", ".join(self.pairing.keys)
        rows = []
        for side, order in (("<", "ASC"), (">", "DESC")):
            rows += self.connection.execute(
                f"SELECT {self.pairing.name}, before{at}, after{at} FROM {PAIRED} WHERE {step} {side} 0 "
                f"ORDER BY {step} {order}, {keys} LIMIT {MOST_MOVED}"
            ).fetchall()
        return Moved.largest_first(Moved(key, self.columns[at].metric, old, new) for key, old, new in rows)

    def lost(self, at: int) -> tuple[str, ...]:
        """The first rows that have a number before and none now."""
        return self._named(f"before{at} IS NOT NULL AND after{at} IS NULL")

    def flips(self, at: int) -> Flips | None:
        """The rows that flipped, by a check or a measure whose numbers are all 0 or 1."""
        if not self.columns[at].is_verdict:
            return None
        other = f"count_if(before{at} NOT IN (0, 1)) + count_if(after{at} NOT IN (0, 1))"
        numbers = f"count(before{at}) + count(after{at})"
        row = self.connection.execute(f"SELECT {other}, {numbers} FROM {PAIRED}").fetchone()
        if row is None or row[0] or not row[1]:
            return None
        down, up = (f"before{at} = {old} AND after{at} = {1 - old}" for old in (1, 0))
        return Flips(self._named(down), self._named(up))

    def _named(self, where: str) -> tuple[str, ...]:
        rows = self.connection.execute(
            f"SELECT {self.pairing.name} FROM {PAIRED} WHERE {where} "
            f"ORDER BY {', '.join(self.pairing.keys)} LIMIT {MOST_NAMED}"
        )
        return tuple(str(name) for (name,) in rows.fetchall())

    def _omitted(self, kind: str, compared: Sequence[str]) -> tuple[list[str], int]:
        """The first values that are not compared, and how many there are."""
        listed = ", ".join(map(text_in_sql, compared)) or "''"
        where = f"{kind} IS NOT NULL" + (f" AND {kind} NOT IN ({listed})" if compared else "")
        values = f"(SELECT DISTINCT {kind} AS value FROM {PAIRED} WHERE {where})"
        row = self.connection.execute(f"SELECT count(*) FROM {values}").fetchone()
        rows = self.connection.execute(f"SELECT value FROM {values} ORDER BY 1 LIMIT {MOST_NAMED}").fetchall()
        return [value for (value,) in rows], row[0] if row else 0

    def _sums(self, at: Sequence[int]) -> str:
        return ", ".join(map(_sums_in_sql, at))

    def _stepping(self, at: Sequence[int]) -> str:
        """The table, with what each row moved by."""
        return f"(SELECT *, {', '.join(f'{_step_in_sql(one)} AS step{one}' for one in at)} FROM {PAIRED})"

    def _shifts(
        self, figures: Sequence[float], at: Sequence[int], where: str, alpha: float
    ) -> list[MetricShift]:
        each = [StepSums.read(figures[index * _WIDTH : (index + 1) * _WIDTH]) for index in range(len(at))]
        return [
            MetricShift.of(self.columns[index], sums, self._loader(index, where), alpha=alpha)
            for index, sums in zip(at, each, strict=True)
        ]

    def _loader(self, at: int, where: str) -> LoadSteps:
        def load(moved_only: bool) -> Numbers:
            condition = "step <> 0" if moved_only else "step IS NOT NULL"
            steps = self.connection.execute(
                f"SELECT step FROM (SELECT {_step_in_sql(at)} AS step FROM {PAIRED} WHERE {where}) "
                f"WHERE {condition} ORDER BY step"
            ).fetchnumpy()
            return np.asarray(steps["step"], dtype=np.float64)

        return load


def _sums_in_sql(at: int) -> str:
    """The fields of `StepSums`, in their order, over `before{at}`, `after{at}` and `step{at}`."""
    old, new, step = f"before{at}", f"after{at}", f"step{at}"
    square, both = f"({step} * {step})", f"FILTER ({step} IS NOT NULL)"
    return (
        f"count({step}), avg({old}) {both}, avg({new}) {both}, "
        f"sum({step}), sum({square}), sum({square} * {step}), sum({square} * {square}), "
        f"count_if({step} > 0), count_if({step} < 0), min({step}), max({step}), "
        f"min(abs({step})) FILTER ({step} <> 0), max(abs({step})), "
        f"least(min({old}) {both}, min({new}) {both}), greatest(max({old}) {both}, max({new}) {both}), "
        f"count(*) - count({old}), count(*) - count({new}), count({old}) - count({step}), "
        f"count({new}) - count({step})"
    )


def _step_in_sql(at: int) -> str:
    """What a row moved by; what differs in the last bits has not moved."""
    step = f"(after{at} - before{at})"
    return f"CASE WHEN abs{step} < {NO_STEP!r} THEN 0.0 ELSE {step} END"


def _brief(run: FinishedRun) -> RunBrief:
    name, rows = run.address.rstrip("/").rpartition("/")[2], run.manifest.rows
    return RunBrief(run.address, run.manifest.fingerprint, "", "", name, "", rows, rows)


def _notes(
    before: FinishedRun, after: FinishedRun, common: CommonNumbers, keyed: tuple[int, int]
) -> Iterator[str]:
    for run, keyed_rows in zip((before, after), keyed, strict=True):
        if run.manifest.gaps:
            yield f"{len(run.manifest.gaps):,} parts of the inputs of `{run.address}` could not be read"
        if missing := run.manifest.rows - keyed_rows:
            yield f"{missing:,} rows of `{run.address}` have nothing to be known by, so they are not compared"
    readers = sorted({*before.plan.readers, *after.plan.readers})
    changed = [who for who in readers if before.plan.readers.get(who) != after.plan.readers.get(who)]
    if changed:
        yield f"the runs differ in: {_listed(changed)}"
    for when, lone in (("before", common.only_before), ("now", common.only_after)):
        if lone:
            yield f"only {when}, or computed by others, so not compared: {_listed(lone)}"
    checks = [column.metric for column in common.columns if column.metric in after.checks]
    if checks:
        yield f"of a check, the share that passed is compared: {_listed(checks)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
