"""Our function over Arrow tables as a UDF of Daft."""

from typing import Any

import pyarrow as pa
from daft import DataType, Expression, Series, col, func

from sensecheck.adapters.tables import Assessing
from sensecheck.config import Settings
from sensecheck.tables.order import TableOrder, result_fields


def assessed(order: TableOrder, settings: Settings | None = None, **options: Any) -> Expression:
    """A struct of all that the order asks for, read off the columns that it names: `.unnest()` parts it.

    Without settings, those of the environment in which it is made; `options` are those of `daft.func.batch`.
    """
    assessing = Assessing(order, Settings.from_environment() if settings is None else settings)
    columns = sorted(set(order.columns.values()))
    fields = result_fields(order)

    @func.batch(return_dtype=DataType.from_arrow_type(pa.struct(fields)), **options)  # type: ignore[untyped-decorator]  # unknown where Daft is not installed
    def sensecheck(*parts: Series) -> pa.Array:
        table = pa.table([part.to_arrow() for part in parts], names=columns)
        results = assessing(table).select([field.name for field in fields])
        return results.to_struct_array().combine_chunks()

    return sensecheck(*(col(column) for column in columns))
