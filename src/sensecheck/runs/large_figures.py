"""What the files of a large run counted when they were written: its columns, means, gaps and reasons.

No row is read for it; quantiles are known to a twentieth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.figures import ColumnBins, ColumnSums, RunFigures
from sensecheck.runs.parquet import FinishedRun, name_in_sql, passed_in_sql, text_in_sql
from sensecheck.runs.record import MetricGaps, RunMetric, RunReasons
from sensecheck.stats.moments import Numbers
from sensecheck.tables.aggregates import Aggregates, OfCheck, OfMetric
from sensecheck.tables.order import value_column

ResultKind = Literal["metric", "check", "value"]
NOTHING_APPLIES = "no metric applies"
"""How the reason begins of a row that is whole, and has nothing that a metric could read."""
UNSURE = "the check is unsure there, or only measures"
_STEPS = len(Numbers().bins) - 2


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of numbers that a large run wrote."""

    metric: RunMetric
    kind: ResultKind
    """A metric; whether a check passed; or the number that a check decided by."""

    @property
    def value(self) -> str:
        """The number in SQL."""
        name = self.metric.name
        return passed_in_sql(name) if self.kind == "check" else name_in_sql(name)

    @property
    def failed(self) -> str:
        """In SQL, whether it could not be read off a row that was read."""
        name = name_in_sql(self.metric.name)
        if self.kind == "check":
            return f"{name} = 'error'"
        return f"{name} IS NULL AND contains('; ' || reason, {text_in_sql(f'; {self.metric.name}: ')})"

    @property
    def nothing(self) -> str:
        """In SQL, whether a check has neither a number nor an error: it is unsure, or only measured."""
        return (
            f"{name_in_sql(self.metric.name)} IN ('unsure', 'measured')" if self.kind == "check" else "false"
        )


@dataclass(frozen=True)  # without slots: what is counted is read once
class CountedFigures:
    """The figures of a finished run, from its manifest."""

    finished: FinishedRun

    @cached_property
    def columns(self) -> tuple[ResultColumn, ...]:
        """The metrics, and of each check whether it passed and the number that it decided by."""
        named: list[tuple[str, ResultKind]] = [
            *((name, "metric") for name in self.finished.metrics),
            *((name, "check") for name in self.finished.checks),
            *((value_column(name), "value") for name in self.finished.checks if self._decided(name).count),
        ]
        encoder = self.encoder_name, self.finished.plan.readers.get("encoder", "")
        return tuple(
            ResultColumn(RunMetric(at, name, *(encoder if is_encoded(name, kind) else ("", ""))), kind)
            for at, (name, kind) in enumerate(named, 1)
        )

    @property
    def encoder_name(self) -> str:
        """What the encoder is called."""
        readers = self.finished.plan.readers
        return readers.get("encoder_named", readers.get("encoder", ""))

    @cached_property
    def readers(self) -> tuple[str, ...]:
        """What may stand first in the reason of a row that was read, though not by all."""
        return (*self.finished.metrics, *self.finished.checks, NOTHING_APPLIES)

    @cached_property
    def faults(self) -> int:
        """How many rows were not read at all."""
        return sum(rows for because, rows in self._counted.reasons.items() if self._is_fault(because))

    @property
    def answered(self) -> int:
        """How many rows were read."""
        return self._counted.rows - self.faults

    def figures(self) -> RunFigures:
        """Of all rows."""
        return RunFigures(
            tuple(column.metric for column in self.columns),
            self._counted.rows,
            self.faults,
            [self._failed(column) for column in self.columns],
            [self._unsure(column) for column in self.columns],
            [self.sums(column) for column in self.columns],
            [self._bins(column) for column in self.columns],
        )

    def reasons(self) -> RunReasons:
        """Why numbers are missing; of many reasons, the most frequent."""
        gaps = {}
        for column in self.columns:
            failed, unsure = self._failed(column), self._unsure(column)
            parts = (part_of(reason, column.metric.name) for reason in self._counted.reasons)
            error = next(filter(None, parts), None) if failed else None
            gaps[column.metric] = MetricGaps(failed, unsure, error=error, because=UNSURE if unsure else None)
        why = next((because for because in self._counted.reasons if self._is_fault(because)), None)
        unread = (
            f"`{gap.input}` from {gap.start:,} to {gap.stop:,} could not be read: {gap.because}"
            for gap in self.finished.manifest.gaps
        )
        return RunReasons(self._counted.rows, self.answered, why, gaps, tuple(unread))

    def sums(self, column: ResultColumn) -> ColumnSums:
        """The sums of a column."""
        if column.kind == "check":
            passed, failed = (self._outcomes(column).get(word, 0) for word in ("pass", "fail"))
            return (
                ColumnSums.of(np.array([1.0]))
                .times(passed)
                .plus(ColumnSums.of(np.array([0.0])).times(failed))
            )
        numbers = self._numbers(column)
        if numbers.least is None or numbers.greatest is None:
            return ColumnSums()
        return ColumnSums(numbers.count, numbers.mean, numbers.squares, 0.0, numbers.least, numbers.greatest)

    @cached_property
    def _counted(self) -> Aggregates:
        return Aggregates.from_data(self.finished.manifest.aggregates)

    def _is_fault(self, because: str) -> bool:
        return because.partition(": ")[0] not in self.readers

    def _outcomes(self, column: ResultColumn) -> Mapping[str, int]:
        return self._counted.checks.get(column.metric.name, OfCheck({}, Numbers())).outcomes

    def _failed(self, column: ResultColumn) -> int:
        if column.kind == "value":
            return 0
        every = self._counted.metrics.get(column.metric.name, OfMetric(Numbers())).failed
        return max(
            0, (self._outcomes(column).get("error", 0) if column.kind == "check" else every) - self.faults
        )

    def _unsure(self, column: ResultColumn) -> int:
        outcomes = self._outcomes(column) if column.kind == "check" else {}
        return outcomes.get("unsure", 0) + outcomes.get("measured", 0)

    def _numbers(self, column: ResultColumn) -> Numbers:
        if column.kind == "metric":
            return self._counted.metrics.get(column.metric.name, OfMetric(Numbers())).numbers
        return self._decided(column.metric.name.removesuffix(value_column("")))

    def _decided(self, check: str) -> Numbers:
        """The numbers that a check decided by."""
        return self._counted.checks.get(check, OfCheck({}, Numbers())).numbers

    def _bins(self, column: ResultColumn) -> ColumnBins:
        """What lies below 0 or above 1 is counted in the outermost steps, which end where the numbers do."""
        sums, counts = self.sums(column), np.zeros(_STEPS, dtype=np.int64)
        if column.kind == "check":
            counts[0], counts[-1] = (self._outcomes(column).get(word, 0) for word in ("fail", "pass"))
        else:
            below, *inside, above = self._numbers(column).bins
            counts += np.array(inside, dtype=np.int64)
            counts[0], counts[-1] = counts[0] + below, counts[-1] + above
        ends = np.linspace(0.0, 1.0, _STEPS + 1)
        if sums.n:
            ends = ends.clip(sums.least, sums.greatest)
            ends[0], ends[-1] = sums.least, sums.greatest
        return ColumnBins((0.0, 1.0), counts, ends, counts)


def part_of(reason: str, name: str) -> str | None:
    """What went wrong for a metric or a check, of the reason of a row."""
    parts = (part for part in reason.split("; ") if part.startswith(f"{name}: "))
    return next((part.removeprefix(f"{name}: ") for part in parts), None)


def is_encoded(name: str, kind: ResultKind) -> bool:
    """Whether the numbers of a column are those of an encoder."""
    metric_kind = KNOWN[name].kind if name in KNOWN else None
    return kind == "metric" and metric_kind not in ("lexical", "facts", "judged")
