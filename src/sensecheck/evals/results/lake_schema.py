"""The columns of results as table formats of data lakes take them: every field with an id of its own."""

from collections.abc import Iterator
from itertools import count

import pyarrow as pa

FIELD_ID = b"PARQUET:field_id"
_WIDER = {
    pa.int8(): pa.int32(),
    pa.int16(): pa.int32(),
    pa.uint8(): pa.int32(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.null(): pa.string(),
    pa.date64(): pa.date32(),
}
"""Iceberg has neither small whole numbers nor those without a sign."""


def lake_schema(schema: pa.Schema) -> pa.Schema:
    """The same columns in types that Iceberg has, each with its id; any of them may be null."""
    ids = count(1)
    return pa.schema([_field(field, ids) for field in schema])


def _field(field: pa.Field, ids: Iterator[int]) -> pa.Field:
    own = {FIELD_ID: str(next(ids)).encode()}
    return pa.field(field.name, _type(field.type, ids), metadata=own)


def _type(kind: pa.DataType, ids: Iterator[int]) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return _type(kind.value_type, ids)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.list_(_field(kind.value_field.with_name("element"), ids))
    if pa.types.is_struct(kind):
        return pa.struct([_field(kind.field(at), ids) for at in range(kind.num_fields)])
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", None if kind.tz is None else "UTC")
    return _WIDER.get(kind, kind)
