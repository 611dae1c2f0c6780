"""Bytes of a file of JSON lines, as batches of the columns that a run reads."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import pyarrow as pa

from sensecheck.core.errors import SampleError
from sensecheck.evals.shards.addresses import opened
from sensecheck.evals.shards.column_kinds import FAULT, ROW, TYPES, Kind
from sensecheck.evals.shards.json_fast import parsed_at_once, starts_of
from sensecheck.evals.shards.json_lines_in import LONGEST, Block, blocks_of
from sensecheck.evals.shards.json_row import values_of
from sensecheck.evals.shards.plan import Input, Piece

TOO_LONG = f"the line is longer than {LONGEST:,} bytes"


def json_batches(given: Input, piece: Piece, kinds: Mapping[str, Kind]) -> Iterator[pa.RecordBatch]:
    """The rows of some bytes, each with the place where its line begins."""
    store, path = opened(given.address)
    try:
        with store.open(path, "rb") as file:
            for block in blocks_of(file, piece.start, piece.stop):
                yield _batch(block, kinds)
    except FileNotFoundError as gone:
        raise SampleError(f"`{given.address}` is not there any more") from gone


def _batch(block: Block, kinds: Mapping[str, Kind]) -> pa.RecordBatch:
    if block.lines is None:
        return _with_places(_faulty(kinds, TOO_LONG), [block.start])
    starts = starts_of(block.lines)
    columns = parsed_at_once(block.lines, starts, kinds)
    if columns is None:
        lines = [block.lines[start:stop].rstrip() for start, stop in pairwise([*starts, len(block.lines)])]
        full = [number for number, line in enumerate(lines) if line]
        columns, starts = _one_by_one([lines[number] for number in full], kinds), starts[full]
    return _with_places(columns, block.start + starts)


def _one_by_one(lines: list[bytes], kinds: Mapping[str, Kind]) -> dict[str, pa.Array]:
    """Slower, and able to tell which line is wrong, and why."""
    rows = [values_of(line, kinds) for line in lines]
    columns = {
        name: pa.array([row.values.get(name) for row in rows], TYPES[kind]) for name, kind in kinds.items()
    }
    return {**columns, FAULT: pa.array([row.fault for row in rows], pa.string())}


def _faulty(kinds: Mapping[str, Kind], why: str) -> dict[str, pa.Array]:
    columns = {name: pa.nulls(1, TYPES[kind]) for name, kind in kinds.items()}
    return {**columns, FAULT: pa.array([why], pa.string())}


def _with_places(columns: dict[str, pa.Array], starts: object) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({**columns, ROW: pa.array(starts, pa.int64())})
