"""Row groups of a Parquet file as Arrow batches of the columns that a run reads.

Values that are of the right type and still cannot be read become nulls, and their rows errors.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.parquet import ParquetFile

from sensecheck.core.errors import SampleError
from sensecheck.datasets.values import texts_in
from sensecheck.execution.location import is_url, opened
from sensecheck.execution.plan import (
    ROW,
    TYPES,
    ColumnKind,
    Input,
    InputPiece,
    is_list,
    is_list_view,
    plain_type,
)
from sensecheck.tables.arrow import FAULT

BATCH_ROWS, BATCH_BYTES = 8192, 16 * 2**20
"""Rows and bytes of a batch."""
BUFFER = 1_000_000
"""Bytes of a column that are read ahead; without it, all of a row group is held."""


class RowGroup(NamedTuple):
    """A part of a Parquet file."""

    rows: int
    size: int
    """Bytes in the file."""


@dataclass(frozen=True, slots=True)
class ParquetHead:
    """What a Parquet file says of itself."""

    columns: Mapping[str, pa.DataType]
    row_groups: tuple[RowGroup, ...]


@lru_cache(maxsize=65_536)
def parquet_head(given: Input) -> ParquetHead:
    """The file's own description; remembered, since planning asks for it several times."""
    with parquet_file(given) as file:
        groups = (file.metadata.row_group(number) for number in range(file.num_row_groups))
        sized = tuple(RowGroup(group.num_rows, _size(group)) for group in groups)
        return ParquetHead({field.name: field.type for field in file.schema_arrow}, sized)


def parquet_batches(
    given: Input, piece: InputPiece, kinds: Mapping[str, ColumnKind]
) -> Iterator[pa.RecordBatch]:
    """The rows of some row groups, each with its number in the file."""
    with parquet_file(given) as file:
        if piece.start == piece.stop:
            raise SampleError(f"`{given.address}` could not be opened when the run began; begin another run")
        groups = [file.metadata.row_group(number) for number in range(piece.stop)]
        number = sum(group.num_rows for group in groups[: piece.start])
        row_groups, batch_rows = range(piece.start, piece.stop), _batch_rows(groups[piece.start :])
        for batch in file.iter_batches(
            batch_rows, row_groups=row_groups, columns=list(kinds), use_threads=False
        ):
            yield _with_kinds(batch, kinds, number)
            number += batch.num_rows


@contextmanager
def parquet_file(given: Input) -> Iterator[ParquetFile]:
    """The file, open; one that is no whole Parquet file is a `SampleError`."""
    store, path = opened(given.address)
    # a remote file is fetched a row group at a time, a local one as it is read
    is_far = is_url(given.address)
    options = {"pre_buffer": True} if is_far else {"pre_buffer": False, "buffer_size": BUFFER}
    try:
        with (
            store.open(path, "rb") as source,
            ParquetFile(source, page_checksum_verification=True, **options) as file,
        ):
            yield file
    except pa.ArrowException as error:
        raise SampleError(f"`{given.address}` is no whole Parquet file: {_first_line(error)}") from error
    except OSError as error:
        if error.errno is not None and not isinstance(error, FileNotFoundError):
            raise  # of the disk or the store: the next try may succeed
        raise SampleError(f"`{given.address}` cannot be read: {_first_line(error)}") from error


def as_json(value: object) -> str:
    """What is no text, written as one."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _with_kinds(batch: pa.RecordBatch, kinds: Mapping[str, ColumnKind], number: int) -> pa.RecordBatch:
    columns = {name: _as_kind(batch.column(name), kind) for name, kind in kinds.items()}
    numbers = pa.array(np.arange(number, number + batch.num_rows, dtype=np.int64))
    return pa.RecordBatch.from_pydict({**_with_faults(columns, batch.num_rows), ROW: numbers})


def _as_kind(column: pa.Array, kind: ColumnKind) -> pa.Array:
    plain = column.cast(plain_type(column.type))
    if kind == "number":
        numbers = plain.cast(TYPES[kind], safe=False)
        return pc.if_else(pc.is_nan(numbers), pa.scalar(None, numbers.type), numbers)  # as others write null
    if kind == "own" or plain.type == TYPES[kind]:
        return plain
    if kind == "texts" and not is_list(plain.type):
        texts = (value if value is None else list(texts_in(value, "", "")) for value in plain.to_pylist())
        return pa.array(texts, TYPES[kind])
    if kind == "texts" and is_list_view(plain.type):
        return _as_list(plain).cast(TYPES[kind])
    if kind == "word" and not (pa.types.is_integer(plain.type) or pa.types.is_boolean(plain.type)):
        return pa.array(
            (value if value is None else as_json(value) for value in plain.to_pylist()), TYPES[kind]
        )
    return plain.cast(TYPES[kind])


def _as_list(view: pa.Array) -> pa.Array:
    """A list view as a list; Arrow's own cast leaves its offsets too short."""
    lengths = pc.fill_null(pc.list_value_length(view), 0).to_numpy(zero_copy_only=False)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int32())
    return pa.ListArray.from_arrays(offsets, view.flatten(), mask=view.is_null())


def _batch_rows(groups: Sequence[Any]) -> int:
    """Fewer rows where they are long."""
    longest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    return int(min(max(BATCH_BYTES // max(longest, 1), 1), BATCH_ROWS))


def _size(group: Any) -> int:
    return sum(group.column(number).total_compressed_size for number in range(group.num_columns))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _with_faults(columns: Mapping[str, pa.Array], rows: int) -> dict[str, pa.Array]:
    """The columns with nulls for unreadable values, and a column with the faults of their rows."""
    faults: list[str | None] = [None] * rows
    readable_columns = dict(columns)
    for name, column in columns.items():
        if _is_sound(column):
            continue
        column_faults = [_fault(name, value) for value in column]
        is_faulty = pa.array([fault is not None for fault in column_faults])
        readable_columns[name] = pc.if_else(is_faulty, pa.scalar(None, column.type), column)
        faults = [fault or earlier for fault, earlier in zip(column_faults, faults, strict=True)]
    return {**readable_columns, FAULT: pa.array(faults, pa.string())}


def _is_sound(column: pa.Array) -> bool:
    """Whether every value can be read, checked for the whole column in one step."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return not _is_texts(column.type) or column.flatten().null_count == 0


def _fault(name: str, value: pa.Scalar) -> str | None:
    try:
        decoded = value.as_py()
    except UnicodeDecodeError:
        return f"`{name}` is not UTF-8"
    has_null = _is_texts(value.type) and decoded is not None and None in decoded
    return f"`{name}` must be a list of strings; got null in it" if has_null else None


def _is_texts(arrow_type: pa.DataType) -> bool:
    return is_list(arrow_type) and bool(pa.types.is_large_string(arrow_type.value_type))
