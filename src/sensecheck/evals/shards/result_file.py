"""A file of results: a table, and what a reader wants to know without reading it."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.core.errors import NotKept
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.result_name import result_name
from sensecheck.evals.shards.tasks import Assessed, AssessShard
from sensecheck.evals.tables.aggregates import Aggregates

_AGGREGATES, _SHARD = b"sensecheck.aggregates", b"sensecheck.shard"
_GROUP_ROWS = 65_536


def keep_result(place: Place, task: AssessShard, results: pa.Table, aggregates: Aggregates) -> Assessed:
    """Keep what was read off the rows of a task."""
    held = aggregates.to_data()
    told = {_AGGREGATES: json.dumps(held, allow_nan=False), _SHARD: task.shard.id}
    name = result_name(task.shard.id, task.rows)
    with place.scratch() as scratch:
        written = scratch / "results.parquet"
        table = results.replace_schema_metadata(told)
        pq.write_table(table, written, compression="zstd", row_group_size=_GROUP_ROWS)
        size = written.stat().st_size
        kept = place.keep(written, name)
    return Assessed(task.shard.id, kept, results.num_rows, aggregates.errors, size, held)


def result_in(place: Place, name: str) -> Assessed:
    """What a kept file says of itself."""
    with place.open(name) as file:
        try:
            footer = pq.read_metadata(file)
            held = json.loads(footer.metadata[_AGGREGATES])
            errors = Aggregates.from_data(held).errors
            shard = footer.metadata[_SHARD].decode()
        except (pa.ArrowException, KeyError, ValueError, TypeError) as wrong:
            raise NotKept(
                f"`{name}` in `{place.address}` is no file of results: it was damaged since it was written; "
                "remove it, and the same command makes it anew"
            ) from wrong
        size = file.seek(0, 2)
    return Assessed(shard, name, footer.num_rows, errors, size, held)
