"""Many lines of JSON at once, with Arrow's parser, where nothing about them is unusual."""

import io
import json
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.json

from sensecheck.evals.shards.column_kinds import FAULT, TYPES, Kind, is_list

Places = npt.NDArray[np.int64]


def starts_of(block: bytes) -> Places:
    """Where the lines of a block begin in it."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
    return np.concatenate([[0], ends[ends < len(block)]])


def parsed_at_once(block: bytes, starts: Places, kinds: Mapping[str, Kind]) -> dict[str, pa.Array] | None:
    """The columns of a block of lines; None where they want a closer look."""
    if not _is_usual(block, starts):
        return None
    first = block.partition(b"\n")[0]
    types = {name: _expected(kind, name, first) for name, kind in kinds.items()}
    try:
        table = pyarrow.json.read_json(
            io.BytesIO(block),
            pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            pyarrow.json.ParseOptions(
                explicit_schema=pa.schema(list(types.items())), unexpected_field_behavior="ignore"
            ),
        )
    except pa.ArrowException:
        return None
    columns = {name: table[name].combine_chunks().cast(TYPES[kind]) for name, kind in kinds.items()}
    if table.num_rows != len(starts) or any(_has_null_inside(column) for column in columns.values()):
        return None
    return {**columns, FAULT: pa.nulls(len(starts), pa.string())}


def _is_usual(block: bytes, starts: Places) -> bool:
    """Whether each line begins and ends like an object: Arrow's parser does not look where lines end."""
    if b"NaN" in block or b"Inf" in block:  # which it would take for numbers
        return False
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    signs = np.frombuffer(block, np.uint8)
    lasts = np.append(starts[1:], len(block)) - 1
    for ending in b"\n\r":
        lasts = lasts - (signs[lasts] == ending)
    return bool((signs[starts] == ord("{")).all() and (signs[lasts] == ord("}")).all())


def _has_null_inside(column: pa.Array) -> bool:
    return is_list(column.type) and column.flatten().null_count > 0


def _expected(kind: Kind, name: str, line: bytes) -> pa.DataType:
    """The type that is tried: that of the first line where anything may stand."""
    if kind != "word":
        return TYPES[kind]
    try:
        found = json.loads(line).get(name)
    except (ValueError, RecursionError):
        return TYPES[kind]
    return {int: pa.int64(), bool: pa.bool_()}.get(type(found), TYPES[kind])
