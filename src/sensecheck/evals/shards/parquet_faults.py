"""Values of Parquet that are of the right type and still cannot be read."""

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from sensecheck.evals.shards.column_kinds import FAULT, is_list

Columns = Mapping[str, pa.Array]


def with_faults(columns: Columns, rows: int) -> dict[str, pa.Array]:
    """The same columns with nulls for such values, and why each row that has one is an error."""
    faults: list[str | None] = [None] * rows
    held = dict(columns)
    for name, column in columns.items():
        if _is_sound(column):
            continue
        found = [_fault(name, value) for value in column]
        bad = pa.array([fault is not None for fault in found])
        held[name] = pc.if_else(bad, pa.scalar(None, column.type), column)
        faults = [fault or before for fault, before in zip(found, faults, strict=True)]
    return {**held, FAULT: pa.array(faults, pa.string())}


def _is_sound(column: pa.Array) -> bool:
    """Whether all of it can be read, found out for the whole of it at once."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return not _is_texts(column.type) or column.flatten().null_count == 0


def _fault(name: str, value: pa.Scalar) -> str | None:
    try:
        held = value.as_py()
    except UnicodeDecodeError:
        return f"`{name}` is not UTF-8"
    has_null = _is_texts(value.type) and held is not None and None in held
    return f"`{name}` wants a list of texts; found null in it" if has_null else None


def _is_texts(found: pa.DataType) -> bool:
    return is_list(found) and bool(pa.types.is_large_string(found.value_type))
