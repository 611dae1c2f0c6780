"""Metrics and checks over Arrow tables: the same rows, with all that was read off them appended.

What the rows of a batch need is gathered first, encoded once, and then only read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from sensecheck.checks.assess import Staircase
from sensecheck.core.backends import Backends
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.memory import Remembered, RememberedPairs
from sensecheck.io.redaction import SHARED, quotes
from sensecheck.measures.metric_reader import Reader
from sensecheck.measures.metrics import metrics_named
from sensecheck.tables.arrow import SampleOrFault, require_columns, samples_in
from sensecheck.tables.order import ERROR, OK, TableOrder, checks_of, require_free, result_fields
from sensecheck.text.escaping import cut

MAX_REASON_CHARS = 500
"""Characters."""
REMEMBERED = 8192
"""Texts that stay encoded, and pairs scored, from one batch of a table to the next."""
_QUOTED = "the reason quotes the row, and is not told"


def assess_table(table: pa.Table, order: TableOrder, answerers: Backends) -> pa.Table:
    """The table with what an order asks for appended to every row."""
    return Assessor(order, answerers)(table)


@dataclass(frozen=True, slots=True)
class Assessor:
    """Reads what an order asks for off every row of a table, and keeps nothing from one table to the next."""

    order: TableOrder
    answerers: Backends

    def __call__(self, table: pa.Table) -> pa.Table:
        """The table with the columns of `result_fields` appended; a row that cannot be read is an `error`.

        An encoder, a verifier or a judge that is away raises, since all rows would be errors.
        """
        fields = result_fields(self.order)
        require_free(fields, table.column_names)
        require_columns(table, self.order.columns)
        columns: list[list[Any]] = [[] for _ in fields]
        readers = tuple(Reader.of(metric) for metric in metrics_named(self.order.metrics))
        reading = RowReading(readers, checks_of(self.order), _with_memory(self.answerers))
        for start in range(0, table.num_rows, self.order.at_once):
            rows = samples_in(table.slice(start, self.order.at_once), self.order.columns)
            for column, more in zip(columns, reading.columns(rows), strict=True):
                column += more
        for field, values in zip(fields, columns, strict=True):
            table = table.append_column(field, pa.array(values, field.type))
        return table


@dataclass(frozen=True, slots=True)
class RowReading:
    """Metrics and checks, and who answers what they need."""

    readers: tuple[Reader, ...]
    checks: tuple[Check, ...]
    answerers: Backends

    def columns(self, rows: Sequence[SampleOrFault]) -> list[list[Any]]:
        """The columns of `result_fields`, for these rows; an answerer that is away raises."""
        samples = [row for row in rows if isinstance(row, Sample)]
        needs_by_reader = [[reader.needs(sample) for sample in samples] for reader in self.readers]
        cases = [(sample, check) for sample in samples for check in self.checks]
        each_need = (needs for row in zip(*needs_by_reader, strict=True) for needs in row)
        needs = Needs.union(needs for needs in each_need if needs is not None)
        space = Staircase(self.answerers, strict=True).climb(cases, needs)
        results = iter(
            [
                self._read(sample, row_needs, space)
                for sample, *row_needs in zip(samples, *needs_by_reader, strict=True)
            ]
        )
        by_row = [self._unread(row) if isinstance(row, str) else next(results) for row in rows]
        return [list(column) for column in zip(*by_row, strict=True)]

    def _read(
        self, sample: Sample, needs_of_readers: Sequence[Needs | None], space: Space
    ) -> tuple[Any, ...]:
        """What is appended to one row; row by row, since measures remember the texts that they read last."""
        values: list[Any] = []
        errors: list[str] = []
        for reader, needs in zip(self.readers, needs_of_readers, strict=True):
            value = None if needs is None else reader.value(sample, space)
            if isinstance(value, str):
                errors.append(_labelled_reason(reader.metric.name, value, sample))
                value = None
            values.append(value)
        for check in self.checks:
            verdict = check.decide(sample, space)
            values += (verdict.outcome, None if verdict.reading is None else verdict.reading.value)
            if verdict.outcome == ERROR:
                errors.append(_labelled_reason(check.name, verdict.because, sample))
        if not (self.checks or errors) and values.count(None) == len(values):
            errors.append(f"no metric applies: the row has only {_parts_of(sample)}")
        return (*values, ERROR, cut("; ".join(errors), MAX_REASON_CHARS)) if errors else (*values, OK, None)

    def _unread(self, because: str) -> tuple[Any, ...]:
        """The same for a row that is not read."""
        return (
            *[None] * len(self.readers),
            *[ERROR, None] * len(self.checks),
            ERROR,
            cut(because, MAX_REASON_CHARS),
        )


def _with_memory(answerers: Backends) -> Backends:
    """The same, with a memory of their own that begins empty."""
    encoder, pairs = answerers.encoder, answerers.pairs
    return replace(
        answerers,
        encoder=None if encoder is None else Remembered(encoder, REMEMBERED),
        pairs=None if pairs is None else RememberedPairs(pairs, REMEMBERED),
    )


def _labelled_reason(who: str, because: str, sample: Sample) -> str:
    return f"{who}: {_QUOTED if _quotes_row(because, sample) else because}"


def _parts_of(sample: Sample) -> str:
    parts = ("answer", "question", "expected", "passages")
    return ", ".join(f"`{name}`" for name in parts if getattr(sample, name) not in (None, ()))


def _quotes_row(because: str, sample: Sample) -> bool:
    """Whether a reason holds a stretch of the row's texts; texts too short to tell anything are left out."""
    texts = (sample.answer, sample.question, sample.expected, *sample.passages)
    return any(quotes(because, text) for text in texts if text is not None and len(text) > SHARED)
