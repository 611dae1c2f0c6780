"""Arrow tables: Daft, Spark.

Our function over Arrow tables, as other people's engines take it: sent to workers, made ready in each.

Our function over Arrow tables as a UDF of Daft.

Our function over Arrow tables for `mapInArrow` of Spark.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import Any

import pyarrow as pa
from daft import DataType, Expression, Series, col, func
from pyspark.sql.types import DoubleType, StringType, StructField, StructType

from sensecheck.config import Settings, table_assessor
from sensecheck.measures.metrics import metrics_named
from sensecheck.tables.assess import Assessor
from sensecheck.tables.order import TableOrder, checks_of, result_fields

AT_HAND = 4
"""Orders whose models stay loaded in one process, the latest."""
_LOADING = Lock()


class Assessing:
    """Gives each table back with what the order asks for: the class that `map_batches` of Ray Data is given.

    What travels is the order and the settings, keys among them, so that all workers read by one encoder. A
    process loads its models once, when its first table comes.
    """

    # Neither frozen nor slotted: Ray Data makes a class of its own from it, with fields of its own.
    def __init__(self, order: TableOrder, settings: Settings) -> None:
        metrics_named(order.metrics), checks_of(order)  # a slip is told here, before anything is sent
        self._order = order
        self._settings = settings

    def __call__(self, table: pa.Table) -> pa.Table:
        """The same rows in the same order, all their columns, and what was read off them."""
        return _assessor(self._order, self._settings)(table)


def _assessor(order: TableOrder, settings: Settings) -> Assessor:
    """One of a kind in memory, also when several threads want it at once."""
    with _LOADING:
        return _held(json.dumps(order.to_data(), sort_keys=True), settings)


@lru_cache(maxsize=AT_HAND)
def _held(described: str, settings: Settings) -> Assessor:
    return table_assessor(settings, TableOrder.from_data(json.loads(described)))


def assessed(order: TableOrder, settings: Settings | None = None, **options: Any) -> Expression:
    """A struct of all that the order asks for, read off the columns that it names: `.unnest()` parts it.

    Without settings, those of the environment in which it is made; `options` are those of `daft.func.batch`.
    """
    assessing = Assessing(order, Settings.from_environment() if settings is None else settings)
    columns = sorted(set(order.columns.values()))
    fields = result_fields(order)

    @func.batch(return_dtype=DataType.from_arrow_type(pa.struct(fields)), **options)  # type: ignore[untyped-decorator]  # unknown where Daft is not installed
    def sensecheck(*parts: Series) -> pa.Array:
        given = pa.table([part.to_arrow() for part in parts], names=columns)
        found = assessing(given).select([field.name for field in fields])
        return found.to_struct_array().combine_chunks()

    return sensecheck(*(col(column) for column in columns))


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
