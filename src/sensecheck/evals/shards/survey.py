"""What can be known of inputs without reading them: their columns, about how many rows, and their pieces."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.evals.shards.addresses import opened
from sensecheck.evals.shards.json_lines_in import blocks_of
from sensecheck.evals.shards.json_row import object_in
from sensecheck.evals.shards.looking import looked_into
from sensecheck.evals.shards.parquet_piece import ParquetHead, parquet_head
from sensecheck.evals.shards.plan import Input, Piece
from sensecheck.io.objectstore import store_errors

SMALLEST, LARGEST = 16 * 2**20, 512 * 2**20
"""Bytes of a piece."""
MOST_PIECES = 512
"""That a run is parted into before its pieces grow: each shard may have to look into each of them."""
SAMPLE_FILES = 16
SAMPLE_LINES = 1000


def columns_of(inputs: Sequence[Input]) -> tuple[str, ...]:
    """The names of all columns, as they are met; of JSON lines only a few are looked at."""
    names: dict[str, None] = {}
    for head in _heads(inputs):
        names.update(dict.fromkeys(head.columns))
    for lines in _samples(inputs):
        for line in lines:
            names.update(dict.fromkeys(object_in(line) or ()))
    return tuple(names)


def rows_expected(inputs: Sequence[Input]) -> int:
    """How many rows there are; JSON lines are taken to be as long as the few that are looked at."""
    counted = sum(group.rows for head in _heads(inputs) for group in head.row_groups)
    size = sum(given.size for given in inputs if given.format == "jsonl")
    lengths = [len(line) + 1 for lines in _samples(inputs) for line in lines]
    return counted + (math.ceil(size * len(lengths) / sum(lengths)) if lengths else 0)


def pieces_of(inputs: Sequence[Input], piece_bytes: int | None = None) -> tuple[Piece, ...]:
    """Parts of inputs, each for one worker; an input that cannot be opened is one without rows."""
    total = sum(given.size for given in inputs)
    size = piece_bytes or min(max(total // MOST_PIECES, SMALLEST), LARGEST)
    pieces: list[Piece] = []
    for number, given in enumerate(inputs):
        ranges = _byte_ranges(given.size, size) if given.format == "jsonl" else _group_ranges(given, size)
        pieces += (Piece(number, start, stop) for start, stop in ranges)
    return tuple(pieces)


def head_of(given: Input) -> ParquetHead | None:
    """What a Parquet file says of itself; None for one that cannot be opened."""
    try:
        return parquet_head(given)
    except (SampleError, OSError):
        return None


def must_be_readable(inputs: Sequence[Input]) -> None:
    """Raise where not a single input can be opened."""
    refused = []
    for given in inputs:
        try:
            if given.format == "jsonl" or parquet_head(given):
                return
        except (SampleError, OSError) as wrong:
            refused.append(str(wrong))
    raise SpecError(f"not one of the inputs can be opened; the first: {refused[0]}")


def _heads(inputs: Sequence[Input]) -> list[ParquetHead]:
    """Of all Parquet files that can be opened."""
    found = looked_into(head_of, (given for given in inputs if given.format == "parquet"))
    return [head for head in found if head is not None]


def _byte_ranges(size: int, each: int) -> Iterator[tuple[int, int]]:
    parts = math.ceil(size / each)
    return pairwise(size * part // parts for part in range(parts + 1 if parts else 0))


def _group_ranges(given: Input, each: int) -> Iterator[tuple[int, int]]:
    head = head_of(given)
    if head is None:
        yield 0, 0
        return
    start, held = 0, 0
    for number, group in enumerate(head.row_groups):
        if held and held + group.size > each:
            yield start, number
            start, held = number, 0
        held += group.size
    if start < len(head.row_groups):
        yield start, len(head.row_groups)


def _samples(inputs: Sequence[Input]) -> Iterator[list[bytes]]:
    """The first lines of some of the files of JSON lines, spread over all of them."""
    files = [given for given in inputs if given.format == "jsonl"]
    for given in files[:: math.ceil(len(files) / SAMPLE_FILES) or 1]:
        with suppress(*store_errors()):  # of which the rows will be told when they are read
            yield _first_lines(given)


def _first_lines(given: Input) -> list[bytes]:
    store, path = opened(given.address)
    with store.open(path, "rb") as file:
        block = next(blocks_of(file, 0, given.size), None)
    lines = (block.lines or b"").split(b"\n") if block else []
    return [line for line in lines if line.strip()][:SAMPLE_LINES]
