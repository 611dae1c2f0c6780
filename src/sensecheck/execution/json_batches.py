"""JSON lines as Arrow batches of the columns that a run reads.

A block of lines at a time goes through Arrow's parser; where anything about them is unusual, they are read
one by one, strictly, and what is wrong is described without their words.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from json import JSONDecodeError
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.json

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import read_json
from sensecheck.datasets.values import number_in, text_in, texts_in
from sensecheck.execution.location import opened
from sensecheck.execution.parquet_batches import as_json
from sensecheck.execution.plan import ROW, TYPES, ColumnKind, Input, InputPiece, is_list
from sensecheck.tables.arrow import FAULT

BLOCK = 1 << 20
"""Bytes that are read at a time."""
MAX_LINE_BYTES = 64 * 1024 * 1024
"""Bytes of a line that is read at all."""
TOO_LONG = f"the line is longer than {MAX_LINE_BYTES:,} bytes"
READERS: Mapping[str, Callable[[Any, str, str], Any]] = {
    "text": text_in,
    "texts": lambda value, where, column: value if value is None else list(texts_in(value, where, column)),
    "number": number_in,
    "word": lambda value, where, column: value if value is None or isinstance(value, str) else as_json(value),
}
WANTED = {"text": "a string", "texts": "a list of strings", "number": "a number"}
_BOM = b"\xef\xbb\xbf"
Places = npt.NDArray[np.int64]


class LineBlock(NamedTuple):
    """Whole lines, and where the first of them begins in the file."""

    start: int
    lines: bytes | None
    """None for a single line that is too long to be read."""


class JsonRow(NamedTuple):
    """The values of a row that could be read, and why not all could be."""

    values: Mapping[str, Any]
    fault: str | None


def json_batches(
    given: Input, piece: InputPiece, kinds: Mapping[str, ColumnKind]
) -> Iterator[pa.RecordBatch]:
    """The rows of some bytes, each with the place where its line begins."""
    store, path = opened(given.address)
    try:
        with store.open(path, "rb") as file:
            for block in blocks_of(file, piece.start, piece.stop):
                yield _batch(block, kinds)
    except FileNotFoundError as gone:
        raise SampleError(f"`{given.address}` is not there any more") from gone


def blocks_of(file: BinaryIO, start: int, stop: int) -> Iterator[LineBlock]:
    """All lines that begin from `start` to before `stop`, wherever they end."""
    position, buffer = _seek_first_line(file, start), b""
    while position < stop:
        chunk = file.read(BLOCK)
        buffer += chunk
        end = _end(buffer, stop - position) if chunk else len(buffer)
        if end:
            yield LineBlock(position, _without_bom(buffer[:end], position))
        elif len(buffer) > MAX_LINE_BYTES:
            yield LineBlock(position, None)
            end = len(buffer) + _skip_line(file)
        position, buffer = position + end, buffer[end:]
        if not chunk:
            return


def object_in(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None for one that holds none."""
    try:
        parsed = read_json(line.decode(), at="the line")
    except (UnicodeDecodeError, SpecError):
        return None
    return parsed if isinstance(parsed, dict) else None


def parsed_at_once(
    block: bytes, starts: Places, kinds: Mapping[str, ColumnKind]
) -> dict[str, pa.Array] | None:
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


def starts_of(block: bytes) -> Places:
    """Where the lines of a block begin in it."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
    return np.concatenate([[0], ends[ends < len(block)]])


def values_of(line: bytes, kinds: Mapping[str, ColumnKind]) -> JsonRow:
    """The columns of a line."""
    try:
        record = read_json(line.decode(), at="the line")
    except UnicodeDecodeError:
        return JsonRow({}, "the line is not UTF-8")
    except SpecError as error:
        return JsonRow({}, _parse_fault(error.__cause__))
    if not isinstance(record, dict):
        return JsonRow({}, f"the line must be an object; got {_kind_of(record)}")
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, kind in kinds.items():
        try:
            values[name] = _value(record.get(name), name, kind)
        except SampleError as fault:
            faults.append(str(fault))
    return JsonRow(values, "; ".join(faults) or None)


def _batch(block: LineBlock, kinds: Mapping[str, ColumnKind]) -> pa.RecordBatch:
    if block.lines is None:
        nothing = {name: pa.nulls(1, TYPES[kind]) for name, kind in kinds.items()}
        return _with_places({**nothing, FAULT: pa.array([TOO_LONG], pa.string())}, [block.start])
    starts = starts_of(block.lines)
    columns = parsed_at_once(block.lines, starts, kinds)
    if columns is None:
        lines = [block.lines[start:stop].rstrip() for start, stop in pairwise([*starts, len(block.lines)])]
        full = [number for number, line in enumerate(lines) if line]
        columns, starts = _one_by_one([lines[number] for number in full], kinds), starts[full]
    return _with_places(columns, block.start + starts)


def _one_by_one(lines: list[bytes], kinds: Mapping[str, ColumnKind]) -> dict[str, pa.Array]:
    """Slower, and able to tell which line is wrong, and why."""
    rows = [values_of(line, kinds) for line in lines]
    columns = {
        name: pa.array([row.values.get(name) for row in rows], TYPES[kind]) for name, kind in kinds.items()
    }
    return {**columns, FAULT: pa.array([row.fault for row in rows], pa.string())}


def _with_places(columns: dict[str, pa.Array], starts: object) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({**columns, ROW: pa.array(starts, pa.int64())})


def _end(buffer: bytes, limit: int) -> int:
    """Where the last whole line ends that begins before `limit`; 0 where none ends."""
    last = buffer.rfind(b"\n") + 1
    return last if last < limit else buffer.find(b"\n", limit - 1) + 1


def _seek_first_line(file: BinaryIO, start: int) -> int:
    """Where the first line begins that does so at `start` or after it; the file stands there."""
    if start == 0:
        file.seek(0)
        return 0
    file.seek(start - 1)
    return start - 1 + _skip_line(file)


def _skip_line(file: BinaryIO) -> int:
    """Move the file past the end of the line; how many bytes were skipped."""
    begin, count = file.tell(), 0
    while read := file.read(BLOCK):
        if end := read.find(b"\n") + 1:
            file.seek(begin + count + end)
            return count + end
        count += len(read)
    return count


def _without_bom(lines: bytes, at: int) -> bytes:
    """A mark of the byte order, as some editors write at the beginning, is blank."""
    return b"   " + lines[3:] if at == 0 and lines.startswith(_BOM) else lines


def _is_usual(block: bytes, starts: Places) -> bool:
    """Whether each line begins and ends like an object: Arrow's parser does not look where lines end."""
    if b"NaN" in block or b"Inf" in block:  # which it would take for numbers
        return False
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    characters = np.frombuffer(block, np.uint8)
    lasts = np.append(starts[1:], len(block)) - 1
    for ending in b"\n\r":
        lasts = lasts - (characters[lasts] == ending)
    return bool((characters[starts] == ord("{")).all() and (characters[lasts] == ord("}")).all())


def _has_null_inside(column: pa.Array) -> bool:
    return is_list(column.type) and column.flatten().null_count > 0


def _expected(kind: ColumnKind, name: str, line: bytes) -> pa.DataType:
    """The type to try: for a column of any type, that of the first line."""
    if kind != "word":
        return TYPES[kind]
    try:
        value = json.loads(line).get(name)
    except (ValueError, RecursionError):
        return TYPES[kind]
    return {int: pa.int64(), bool: pa.bool_()}.get(type(value), TYPES[kind])


def _value(value: object, name: str, kind: ColumnKind) -> Any:
    """What stands there; raises `SampleError` where it cannot be read."""
    try:
        parsed = READERS[kind](value, "", "")
        for text in parsed if isinstance(parsed, list) else [parsed]:
            if isinstance(text, str):
                text.encode()
    except SampleError:
        raise SampleError(f"`{name}` must be {WANTED[kind]}; got {_kind_of(value)}") from None
    except UnicodeEncodeError:
        raise SampleError(f"`{name}` holds half a character, which no file can hold") from None
    return parsed


def _parse_fault(cause: BaseException | None) -> str:
    """The fault in the words of the parser, which quotes nothing of the line."""
    if isinstance(cause, JSONDecodeError):
        return f"the line is not JSON: {cause.msg} at character {cause.pos + 1}"
    if isinstance(cause, RecursionError):
        return "the line is not JSON: it is nested too deeply"
    return "the line is not JSON: a key stands there twice, or a number is none"


def _kind_of(value: object) -> str:
    names = {type(None): "null", dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    return names.get(type(value), "a number")
