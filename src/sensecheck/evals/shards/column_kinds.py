"""What each column that a run reads holds, and how it is kept on its way through the shards."""

from collections.abc import Mapping
from typing import Literal

import pyarrow as pa

from sensecheck.core.errors import SpecError
from sensecheck.evals.shards.plan import RunPlan

Kind = Literal["text", "texts", "number", "word", "own"]
"""A text; a list of them; a number; a text as it stands, and anything else as JSON; whatever Parquet has."""
PARTS: Mapping[str, Kind] = {"id": "word", "passages": "texts", "latency_ms": "number", "cost": "number"}
"""Parts of a row that are not one text."""
TYPES: Mapping[str, pa.DataType] = {
    "text": pa.large_string(),  # a string's 2 GB are 200 rows of 10 MB
    "texts": pa.list_(pa.large_string()),
    "number": pa.float64(),
    "word": pa.large_string(),
}
INPUT, ROW, REF, FAULT = "_input", "_row", "_ref", "_fault"
"""Columns of our own: where the row came from, the hash of its reference, why it cannot be read."""
WANTED: Mapping[str, str] = {"text": "texts", "texts": "lists of texts", "number": "numbers"}
"""What a column of a kind holds, for messages."""
OWN = (INPUT, ROW, REF, FAULT)


def kinds_of(plan: RunPlan) -> dict[str, Kind]:
    """The columns that are read, those of the parts first.

    What is only carried keeps its type where all inputs are Parquet. JSON lines promise no types, so that in
    a run that has some it becomes text: the same in every file of results.
    """
    kinds: dict[str, Kind] = {}
    for part, column in plan.order.columns.items():
        kind = PARTS.get(part, "text")
        if kinds.setdefault(column, kind) != kind:
            raise SpecError(f"the column `{column}` was named for two parts that are not alike")
    for column in plan.carried:
        kinds.setdefault(column, "own" if plan.is_typed else "word")
    for column in kinds:
        if column in OWN:
            raise SpecError(f"a column may not be called `{column}`: a run has one of its own with that name")
    return kinds


def plain_type(found: pa.DataType) -> pa.DataType:
    """A type without its packing: dictionaries are spelled out, and all texts are of one type."""
    if pa.types.is_dictionary(found):
        return plain_type(found.value_type)
    is_text = pa.types.is_string(found) or pa.types.is_large_string(found) or pa.types.is_string_view(found)
    return pa.large_string() if is_text else found


def fits(found: pa.DataType, kind: Kind) -> bool:
    """Whether a column of Parquet can be read as one of a kind."""
    plain = plain_type(found)
    if pa.types.is_null(plain) or kind in ("word", "own"):
        return True
    if kind == "number":
        numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
        return any(is_one(plain) for is_one in numbers)
    is_text = bool(pa.types.is_large_string(plain))
    return is_text or (kind == "texts" and is_list(plain) and fits(plain.value_type, "text"))


def is_list(found: pa.DataType) -> bool:
    """Whether it is a list of any sort."""
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(is_one(found) for is_one in lists)
