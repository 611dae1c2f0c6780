"""The rows of a piece of an input, batch by batch."""

from collections.abc import Iterator, Mapping

import pyarrow as pa

from sensecheck.core.errors import SampleError
from sensecheck.evals.shards.column_kinds import Kind
from sensecheck.evals.shards.inputs import input_at
from sensecheck.evals.shards.json_piece import json_batches
from sensecheck.evals.shards.parquet_piece import parquet_batches
from sensecheck.evals.shards.plan import Input, Piece


def batches_of(given: Input, piece: Piece, kinds: Mapping[str, Kind]) -> Iterator[pa.RecordBatch]:
    """The columns, with `_row` and `_fault`; a piece that cannot be read is a `SampleError`."""
    _must_be_as_planned(given)
    batches = parquet_batches if given.format == "parquet" else json_batches
    yield from batches(given, piece, kinds)


def _must_be_as_planned(given: Input) -> None:
    try:
        now = input_at(given.address)
    except FileNotFoundError as gone:
        raise SampleError(f"`{given.address}` is not there any more") from gone
    if now != given:
        raise SampleError(f"`{given.address}` is another file than it was when the run began")
