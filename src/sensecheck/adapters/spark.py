"""Our function over Arrow tables for `mapInArrow` of Spark."""

from collections.abc import Callable, Iterable, Iterator

import pyarrow as pa
from pyspark.sql.types import DoubleType, StringType, StructField, StructType

from sensecheck.adapters.tables import Assessing
from sensecheck.config import Settings
from sensecheck.tables.order import TableOrder, result_fields

Batches = Iterable[pa.RecordBatch]


_TYPES = {pa.float64(): DoubleType(), pa.string(): StringType()}


def in_arrow(order: TableOrder, settings: Settings | None = None) -> Callable[[Batches], Batches]:
    """Gives each batch back with what the order asks for.

    Without settings, those of the environment in which it is made, wherever the workers are.
    """
    assessing = Assessing(order, Settings.from_environment() if settings is None else settings)

    def sensecheck(batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from assessing(pa.Table.from_batches([batch])).to_batches()

    return sensecheck


def schema_of(given: StructType, order: TableOrder) -> StructType:
    """The columns of a frame, and those that the order adds: `mapInArrow` wants to know them beforehand."""
    added = [StructField(field.name, _TYPES[field.type]) for field in result_fields(order)]
    return StructType([*given.fields, *added])
