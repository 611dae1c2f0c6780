"""The rows of a shard, in an order that does not depend on who routed them, or when."""

import numpy as np
import pyarrow as pa

from sensecheck.evals.shards.column_kinds import INPUT, REF, ROW
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.routed_file import batches_in
from sensecheck.evals.shards.tasks import Shard


def rows_of(place: Place, shard: Shard, rows: tuple[int, int] | None = None) -> pa.Table:
    """All rows, or some of them; equal references stand together."""
    batches: list[pa.RecordBatch] = []
    for part in shard.parts:
        with place.open(part.routed) as file:
            batches += batches_in(file, part.row_groups)
    table = pa.Table.from_batches(batches)
    keys = [table[name].to_numpy() for name in (ROW, INPUT, REF)]
    order = np.lexsort(keys)
    return table.take(pa.array(order if rows is None else order[slice(*rows)]))
