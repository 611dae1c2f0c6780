"""Assessment as a function over Arrow tables: the same rows, with all that was read off them."""

from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from sensecheck.core.backends import Answerers
from sensecheck.encoders.memory import Remembered, RememberedPairs
from sensecheck.evals.tables.order import TableOrder
from sensecheck.evals.tables.result_fields import checks_of, must_be_free, result_fields
from sensecheck.evals.tables.row_reading import RowReading
from sensecheck.evals.tables.samples import must_be_columns, samples_in
from sensecheck.measures.metric_reader import Reader
from sensecheck.measures.metrics import metrics_named

REMEMBERED = 8192
"""Texts that stay placed, and pairs scored, from one batch of a table to the next."""


@dataclass(frozen=True, slots=True)
class Assessor:
    """Reads what an order asks for off every row of a table, and keeps nothing from one table to the next."""

    order: TableOrder
    answerers: Answerers

    def __call__(self, table: pa.Table) -> pa.Table:
        """The table with the columns of `result_fields` appended; a row that cannot be read is an `error`.

        An encoder, a verifier or a judge that is away raises, since all rows would be errors.
        """
        fields = result_fields(self.order)
        must_be_free(fields, table.column_names)
        must_be_columns(table, self.order.columns)
        columns: list[list[Any]] = [[] for _ in fields]
        reading = self._reading()
        for start in range(0, table.num_rows, self.order.at_once):
            rows = samples_in(table.slice(start, self.order.at_once), self.order.columns)
            for held, more in zip(columns, reading.columns(rows), strict=True):
                held += more
        for field, values in zip(fields, columns, strict=True):
            table = table.append_column(field, pa.array(values, field.type))
        return table

    def _reading(self) -> RowReading:
        readers = tuple(Reader.of(metric) for metric in metrics_named(self.order.metrics))
        return RowReading(readers, checks_of(self.order), _with_memory(self.answerers))


def assess_table(table: pa.Table, order: TableOrder, answerers: Answerers) -> pa.Table:
    """The table with what an order asks for appended to every row."""
    return Assessor(order, answerers)(table)


def _with_memory(answerers: Answerers) -> Answerers:
    """The same, with a memory of their own that begins empty."""
    encoder, pairs = answerers.encoder, answerers.pairs
    return replace(
        answerers,
        encoder=None if encoder is None else Remembered(encoder, REMEMBERED),
        pairs=None if pairs is None else RememberedPairs(pairs, REMEMBERED),
    )
