"""Routing: the rows of a piece, sorted into groups by the bucket of their reference."""

from collections.abc import Iterator
from itertools import chain, pairwise

import numpy as np
import pyarrow as pa

from sensecheck.core.errors import NotKept, SampleError
from sensecheck.evals.shards.column_kinds import FAULT, INPUT, REF, ROW, kinds_of
from sensecheck.evals.shards.looking import looked_into
from sensecheck.evals.shards.place import Place, own_name
from sensecheck.evals.shards.plan import Piece, RunPlan
from sensecheck.evals.shards.reading import batches_of
from sensecheck.evals.shards.references import buckets_of, hashes_of
from sensecheck.evals.shards.routed_file import groups_in, write_routed
from sensecheck.evals.shards.tasks import Groups, Routed, Unread

FOLDER = "routed"
ROWS, BYTES = 32_768, 64 * 2**20
"""How much is sorted at once, which bounds the memory of a worker."""
ROWS_A_BUCKET = 64
"""On average, in what is sorted at once: a group of a few rows costs more than they do."""
LARGEST_GROUP = 65_536
NO_ROWS = pa.schema([(INPUT, pa.int32()), (ROW, pa.int64())])
Bucketed = tuple[int, pa.RecordBatch]
"""Rows of one bucket."""


def route(place: Place, plan: RunPlan, number: int) -> Routed | Unread:
    """Read a piece of the input, and keep its rows bucket by bucket."""
    with place.scratch() as folder:
        written = folder / "routed.arrow"
        try:
            groups = write_routed(written, *_with_schema(_routed(plan, plan.pieces[number])))
        except SampleError as wrong:
            return Unread(number, str(wrong))
        name = place.keep(written, _name(plan, number))
    return _told(number, name, groups)


def routed_in(place: Place, plan: RunPlan) -> dict[int, Routed]:
    """The pieces that lie ready, by their number."""
    held = {own_name(name): name for name in place.names(FOLDER)}
    there = [number for number in range(len(plan.pieces)) if _name(plan, number) in held]
    found = looked_into(lambda number: _found(place, number, held[_name(plan, number)]), there)
    return dict(zip(there, found, strict=True))


def _found(place: Place, number: int, name: str) -> Routed:
    with place.open(name) as file:
        try:
            return _told(number, name, groups_in(file))
        except (pa.ArrowException, ValueError) as wrong:
            raise NotKept(
                f"`{name}` in `{place.address}` was damaged since it was written; remove it, and the same "
                "command makes it anew"
            ) from wrong


def _with_schema(routed: Iterator[Bucketed]) -> tuple[pa.Schema, Iterator[Bucketed]]:
    """What the columns are, and the same again; nothing that was passed on is held any longer."""
    first = next(routed, None)
    if first is None:
        return NO_ROWS, routed
    return first[1].schema, chain(iter([first]), routed)


def _routed(plan: RunPlan, piece: Piece) -> Iterator[Bucketed]:
    """The groups of a piece, as much of it in memory as is sorted at once."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    most = max(ROWS, ROWS_A_BUCKET * plan.buckets)
    for batch in batches_of(plan.inputs[piece.input], piece, kinds_of(plan)):
        held.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= most or size >= BYTES:
            yield from _sorted(_taken(held), plan, piece)
            rows = size = 0
    if rows:
        yield from _sorted(_taken(held), plan, piece)


def _taken(held: list[pa.RecordBatch]) -> pa.Table:
    """All of it, which is given up here: while the groups are written, only they are in memory."""
    table = pa.Table.from_batches(held)
    held.clear()
    return table


def _sorted(table: pa.Table, plan: RunPlan, piece: Piece) -> Iterator[Bucketed]:
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
        for at in range(start, stop, largest := min(LARGEST_GROUP, plan.shard_rows)):
            yield int(buckets[start]), batch.slice(at, min(largest, stop - at))


def _told(number: int, name: str, groups: Groups) -> Routed:
    return Routed(number, name, groups, sum(groups.rows))


def _name(plan: RunPlan, number: int) -> str:
    return f"{FOLDER}/{plan.piece_id(number)}.arrow"
