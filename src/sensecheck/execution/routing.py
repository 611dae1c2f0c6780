"""Rows of the inputs to shards, by a hash of their reference: those of one reference meet in one bucket.

The rows of a piece are written bucket by bucket, in Arrow's own format instead of Parquet: it finds a batch
without reading about all the others, of which a large run has thousands in a file. Shards are packed from
these groups, and their rows are read in an order that does not depend on who routed them, or when.
"""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sensecheck.core.errors import SampleError, StorageError
from sensecheck.execution.json_batches import json_batches
from sensecheck.execution.location import StorageLocation, looked_into, own_name
from sensecheck.execution.parquet_batches import parquet_batches
from sensecheck.execution.plan import INPUT, REF, ROW, ColumnKind, Input, InputPiece, RunPlan, kinds_of
from sensecheck.execution.planning import input_at
from sensecheck.execution.tasks import Groups, Routed, RoutedPart, Shard, Unread
from sensecheck.tables.arrow import FAULT

REFERENCE_PARTS = ("expected", "passages", "question", "answer")
"""What a row's reference is, the first that it has."""
SEPARATOR = "\x1f"
ROUTED_FOLDER = "routed"
SORTED_ROWS, SORTED_BYTES = 32_768, 64 * 2**20
"""How much is sorted at once, which bounds the memory of a worker."""
ROWS_A_BUCKET = 64
"""On average, in what is sorted at once: a group of a few rows costs more than they do."""
MAX_GROUP_ROWS = 65_536
NO_ROWS = pa.schema([(INPUT, pa.int32()), (ROW, pa.int64())])
PACKED = pa.ipc.IpcWriteOptions(compression="lz4")
NUMBERS = "i"
"""How an array holds buckets and counts of rows, neither of which comes near two billion."""
Hashes = npt.NDArray[np.uint64]
Bucketed = tuple[int, pa.RecordBatch]
"""Rows of one bucket."""
_Numbers = npt.NDArray[np.int32]


def route(location: StorageLocation, plan: RunPlan, number: int) -> Routed | Unread:
    """Read a piece of the input, and keep its rows bucket by bucket."""
    with location.scratch() as folder:
        path = folder / "routed.arrow"
        try:
            groups = _write_routed(path, *_with_schema(_routed(plan, plan.pieces[number])))
        except SampleError as error:
            return Unread(number, str(error))
        name = location.keep(path, _routed_name(plan, number))
    return _as_routed(number, name, groups)


def routed_in(location: StorageLocation, plan: RunPlan) -> dict[int, Routed]:
    """The pieces that lie ready, by their number."""
    names_by_own_name = {own_name(name): name for name in location.names(ROUTED_FOLDER)}
    ready = [number for number in range(len(plan.pieces)) if _routed_name(plan, number) in names_by_own_name]
    routed = looked_into(
        lambda number: _routed_file(location, number, names_by_own_name[_routed_name(plan, number)]), ready
    )
    return dict(zip(ready, routed, strict=True))


def rows_of(location: StorageLocation, shard: Shard, rows: tuple[int, int] | None = None) -> pa.Table:
    """All rows, or some of them; equal references stand together."""
    batches: list[pa.RecordBatch] = []
    for part in shard.parts:
        with location.open(part.routed) as file, pa.ipc.open_file(file) as reader:
            batches += [reader.get_batch(number) for number in part.row_groups]  # and reads no others
    table = pa.Table.from_batches(batches)
    keys = [table[name].to_numpy() for name in (ROW, INPUT, REF)]
    order = np.lexsort(keys)
    return table.take(pa.array(order if rows is None else order[slice(*rows)]))


class _File(NamedTuple):
    """A routed file."""

    piece: int
    name: str


class _Packed(NamedTuple):
    """What is in a shard: a stretch of all groups."""

    bucket: int
    number: int
    """Among the shards of its bucket."""
    start: int
    stop: int
    rows: int


class Shards(Sequence[Shard]):
    """All shards, bucket after bucket; the same for the same files, in whichever order they come.

    Each is made when it is asked for. Of a group, only its place is held, in two numbers.
    """

    def __init__(self, plan: RunPlan, routed: Iterable[Routed]) -> None:
        """Pack all that lies ready."""
        files = sorted(routed, key=lambda file: file.piece)
        counts = [len(file.groups.rows) for file in files]
        buckets, rows = (_joined(file.groups[field] for file in files) for field in (0, 1))
        order = np.argsort(buckets, kind="stable")
        self._plan = plan
        self._files = [_File(file.piece, file.name) for file in files]
        self._file = np.repeat(np.arange(len(files), dtype=np.int32), counts)[order]
        self._row_group = _joined(np.arange(count) for count in counts)[order]
        self._packed = list(_packed(buckets[order], rows[order], plan.shard_rows))
        self.rows = sum(file.rows for file in files)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._packed)

    @overload
    def __getitem__(self, number: int) -> Shard: ...

    @overload
    def __getitem__(self, number: slice) -> list[Shard]: ...

    def __getitem__(self, number: int | slice) -> Shard | list[Shard]:
        """One of them, or several."""
        if isinstance(number, slice):
            return [self._shard(one) for one in self._packed[number]]
        return self._shard(self._packed[number])

    def _shard(self, packed: _Packed) -> Shard:
        files = self._file[packed.start : packed.stop].tolist()
        groups = self._row_group[packed.start : packed.stop].tolist()
        by_file = groupby(zip(files, groups, strict=True), itemgetter(0))
        file_groups = [(self._files[file], tuple(group for _, group in pairs)) for file, pairs in by_file]
        name = self._plan.shard_id(
            packed.bucket,
            packed.number,
            [(file.piece, *group_numbers) for file, group_numbers in file_groups],
        )
        return Shard(
            name,
            packed.bucket,
            tuple(RoutedPart(file.name, group_numbers) for file, group_numbers in file_groups),
            packed.rows,
        )


def batches_of(given: Input, piece: InputPiece, kinds: Mapping[str, ColumnKind]) -> Iterator[pa.RecordBatch]:
    """The columns, with `_row` and `_fault`; a piece that cannot be read is a `SampleError`."""
    _require_as_planned(given)
    batches = parquet_batches if given.format == "parquet" else json_batches
    yield from batches(given, piece, kinds)


def hashes_of(table: pa.Table, columns: Mapping[str, str]) -> Hashes:
    """A number for the reference of each row; 0 for a row that has none."""
    part_texts = [_reference_texts(table[columns[part]], part) for part in REFERENCE_PARTS if part in columns]
    if not part_texts:
        return np.zeros(len(table), np.uint64)
    encoded = pc.coalesce(*part_texts).combine_chunks().dictionary_encode()
    texts = encoded.dictionary.cast(pa.large_binary()).to_pylist()
    digests = b"".join(hashlib.blake2b(text).digest()[:8] for text in texts)
    codes: Hashes = np.append(np.frombuffer(digests, "<u8"), np.uint64(0))
    indices: npt.NDArray[np.int64] = encoded.indices.fill_null(len(texts)).to_numpy()
    return codes[indices]


def buckets_of(hashes: Hashes, buckets: int) -> npt.NDArray[np.int64]:
    """`hash * buckets >> 64`, in numbers of 64 bits; so buckets are ranges of hashes."""
    bucket_count, half = np.uint64(buckets), np.uint64(32)
    high, low = hashes >> half, hashes & np.uint64(0xFFFFFFFF)
    return ((high * bucket_count + (low * bucket_count >> half)) >> half).astype(np.int64)


def _require_as_planned(source: Input) -> None:
    try:
        current = input_at(source.address)
    except FileNotFoundError as gone:
        raise SampleError(f"`{source.address}` is not there any more") from gone
    if current != source:
        raise SampleError(f"`{source.address}` is another file than it was when the run began")


def _reference_texts(column: pa.ChunkedArray, part: str) -> pa.ChunkedArray:
    if part != "passages":
        return column
    joined = pc.binary_join(column, pa.scalar(SEPARATOR, pa.large_string()))
    return pc.if_else(pc.equal(pc.list_value_length(column), 0), pa.scalar(None, pa.large_string()), joined)


def _routed_file(location: StorageLocation, number: int, name: str) -> Routed:
    with location.open(name) as file:
        try:
            with pa.ipc.open_file(file) as reader:
                last = reader.get_batch(reader.num_record_batches - 1)
            groups = Groups(array(NUMBERS, last[INPUT].to_pylist()), array(NUMBERS, last[ROW].to_pylist()))
        except (pa.ArrowException, ValueError) as error:
            raise StorageError(
                f"`{name}` in `{location.address}` was damaged since it was written; remove it, and the same "
                "command makes it anew"
            ) from error
    return _as_routed(number, name, groups)


def _with_schema(routed: Iterator[Bucketed]) -> tuple[pa.Schema, Iterator[Bucketed]]:
    """The schema of the batches, and the same batches again; none stays in memory once it is passed on."""
    first = next(routed, None)
    if first is None:
        return NO_ROWS, routed
    return first[1].schema, chain(iter([first]), routed)


def _routed(plan: RunPlan, piece: InputPiece) -> Iterator[Bucketed]:
    """The groups of a piece, with no more of it in memory than is sorted per step."""
    batches: list[pa.RecordBatch] = []
    rows = size = 0
    max_rows = max(SORTED_ROWS, ROWS_A_BUCKET * plan.buckets)
    for batch in batches_of(plan.inputs[piece.input], piece, kinds_of(plan)):
        batches.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= max_rows or size >= SORTED_BYTES:
            yield from _sorted(_pop_table(batches), plan, piece)
            rows = size = 0
    if rows:
        yield from _sorted(_pop_table(batches), plan, piece)


def _pop_table(batches: list[pa.RecordBatch]) -> pa.Table:
    """All batches as one table; the list is emptied, so that only the table is in memory from here on."""
    table = pa.Table.from_batches(batches)
    batches.clear()
    return table


def _sorted(table: pa.Table, plan: RunPlan, piece: InputPiece) -> Iterator[Bucketed]:
    table = table.select([*kinds_of(plan), ROW, FAULT])  # in one order, whatever the format
    hashes = hashes_of(table, plan.order.columns)
    order = np.argsort(hashes, kind="stable")
    hashes = hashes[order]
    buckets = buckets_of(hashes, plan.buckets)
    table = table.append_column(INPUT, pa.array(np.full(len(table), piece.input, np.int32)))
    table = table.take(pa.array(order)).append_column(REF, pa.array(hashes)).combine_chunks()
    [batch] = table.to_batches()
    edges = [0, *(np.flatnonzero(np.diff(buckets)) + 1).tolist(), len(table)]
    for start, stop in pairwise(edges):
        for offset in range(start, stop, largest := min(MAX_GROUP_ROWS, plan.shard_rows)):
            yield int(buckets[start]), batch.slice(offset, min(largest, stop - offset))


def _as_routed(number: int, name: str, groups: Groups) -> Routed:
    return Routed(number, name, groups, sum(groups.rows))


def _routed_name(plan: RunPlan, number: int) -> str:
    return f"{ROUTED_FOLDER}/{plan.piece_id(number)}.arrow"


def _write_routed(path: Path, schema: pa.Schema, routed: Iterable[tuple[int, pa.RecordBatch]]) -> Groups:
    """Write batches with their buckets, as they come."""
    groups = Groups(array(NUMBERS), array(NUMBERS))
    with path.open("wb") as file, pa.ipc.new_file(file, schema, options=PACKED) as writer:
        for bucket, batch in routed:
            writer.write_batch(batch)
            groups.buckets.append(bucket)
            groups.rows.append(batch.num_rows)
        writer.write_batch(_list_batch(groups, schema))
    return groups


def _list_batch(groups: Groups, schema: pa.Schema) -> pa.RecordBatch:
    """The buckets and row counts as one more batch, since a file can hold nothing else at its end."""
    values_by_name, count = {INPUT: groups.buckets, ROW: groups.rows}, len(groups.rows)
    columns = [
        pa.array(values_by_name[field.name], field.type)
        if field.name in values_by_name
        else pa.nulls(count, field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _joined(arrays: Iterable[npt.ArrayLike]) -> _Numbers:
    return np.concatenate([np.empty(0, np.int32), *(np.asarray(values, np.int32) for values in arrays)])


def _packed(buckets: _Numbers, rows: _Numbers, max_rows: int) -> Iterator[_Packed]:
    """Neighbours together, as many as fit; a bucket with a much used reference makes several shards."""
    ends = [*(np.flatnonzero(np.diff(buckets)) + 1).tolist(), len(buckets)] if len(buckets) else []
    for first, last in pairwise([0, *ends]):
        stretches = _fitting(rows[first:last].tolist(), max_rows)
        for number, (start, stop, count) in enumerate(stretches):
            yield _Packed(int(buckets[first]), number, first + start, first + stop, count)


def _fitting(rows: Sequence[int], max_rows: int) -> Iterator[tuple[int, int, int]]:
    """Stretches of as many groups as fit into a shard, each with its count of rows."""
    start = total = 0
    for index, count in enumerate(rows):
        if index > start and total + count > max_rows:
            yield start, index, total
            start, total = index, 0
        total += count
    yield start, len(rows), total
