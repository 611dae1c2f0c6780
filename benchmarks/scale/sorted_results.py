"""All results of a run as one table, in an order that no executor decides, and its digest."""

import hashlib

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.execution.location import StorageLocation
from sensecheck.execution.manifest import manifest_in


def sorted_results(place: StorageLocation) -> pa.Table:
    """What the manifest names, sorted by input and row."""
    manifest = manifest_in(place)
    if manifest is None:
        raise SystemExit(f"`{place.address}` has no manifest")
    tables = [_table(place, entry.name) for entry in manifest.entries]
    return pa.concat_tables(tables).sort_by([("_input", "ascending"), ("_row", "ascending")])


def digest_of(table: pa.Table) -> str:
    """Of the bytes of the table as an Arrow stream, without what files say about themselves."""
    sink = pa.BufferOutputStream()
    whole = table.replace_schema_metadata(None).combine_chunks()
    with pa.ipc.new_stream(sink, whole.schema) as stream:
        stream.write_table(whole)
    return hashlib.sha256(sink.getvalue()).hexdigest()


def _table(place: StorageLocation, name: str) -> pa.Table:
    with place.open(name) as file:
        return pq.read_table(file)
