"""One segment: a Parquet file of keys in order, each with the body that is kept for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.encoders.caches.packed import PLAIN_HEAD, is_plain

KEY_BYTES = 20
ROWS_A_GROUP = 2048
"""As many are read to get at one of them."""
COLUMNS = ["key", "head", "vector", "body"]
"""A plain body has a head and a vector, another is whole, one that is let go has nothing."""

Keys = npt.NDArray[np.bytes_]
Rows = npt.NDArray[np.int64]
Entries = Mapping[bytes, bytes | None]
"""Bodies by key; None for a body that is let go."""


@dataclass(frozen=True, slots=True)
class SegmentKeys:
    """The keys that a segment has entries for."""

    maker: str
    keys: Keys
    """In order, for binary search."""
    dropped: int
    """How many of the entries say that a body is let go."""

    @classmethod
    def of(cls, maker: str, entries: Entries) -> Self:
        """Those of a segment that is made of these."""
        dropped = sum(body is None for body in entries.values())
        return cls(maker, np.array(sorted(entries), f"S{KEY_BYTES}"), dropped)

    @classmethod
    def read(cls, file: pa.NativeFile) -> Self:
        """Those of a segment; its bodies are not read."""
        with _opened(file) as segment:
            column = segment.read(columns=["key"]).column("key").combine_chunks()
            told = segment.schema_arrow.metadata
        keys = np.frombuffer(column.buffers()[1], f"S{KEY_BYTES}", len(column), column.offset * KEY_BYTES)
        return cls(told[b"maker"].decode(), keys, int(told[b"dropped"]))

    def rows_of(self, keys: Keys) -> Rows:
        """The row of each key; -1 where it has none."""
        at = np.searchsorted(self.keys, keys)
        there = at < len(self.keys)
        there[there] = self.keys[at[there]] == keys[there]
        return np.where(there, at, -1)


def segment_of(maker: str, entries: Entries) -> bytes:
    """The bytes of a segment's file; nothing is rounded, but vectors that float16 can hold take half."""
    keys = sorted(entries)
    bodies = [entries[key] for key in keys]
    width = next((len(body) for body in bodies if body is not None and is_plain(body)), 0)
    plain = [body if body and len(body) == width and is_plain(body) else None for body in bodies]
    vectors, precision = _narrowest([one and one[PLAIN_HEAD:] for one in plain])
    table = pa.table(
        {
            "key": pa.array(keys, pa.binary(KEY_BYTES)),
            "head": pa.array([one and one[:PLAIN_HEAD] for one in plain], pa.binary(PLAIN_HEAD)),
            "vector": pa.array(vectors, pa.binary(max(map(len, filter(None, vectors)), default=1))),
            "body": pa.array(
                [None if one else body for one, body in zip(plain, bodies, strict=True)], "binary"
            ),
        }
    )
    dropped = str(sum(body is None for body in bodies))
    return _parquet(table.replace_schema_metadata({"maker": maker, "dropped": dropped, "vector": precision}))


def entries_at(file: pa.NativeFile, rows: Rows) -> dict[bytes, bytes | None]:
    """The entries in these rows of a segment, in order; none where it does not have so many rows."""
    with _opened(file) as segment:
        if rows.max() >= segment.metadata.num_rows:
            return {}
        groups, which = np.unique(rows // ROWS_A_GROUP, return_inverse=True)
        read = segment.read_row_groups([int(group) for group in groups], columns=COLUMNS)
        half = segment.schema_arrow.metadata[b"vector"] == b"float16"
    # every group is full but the last one of the file, which is then the last that was read
    found = read.take(pa.array(which * ROWS_A_GROUP + rows % ROWS_A_GROUP))
    keys, heads, vectors, others = (found.column(name).to_pylist() for name in COLUMNS)
    whole = [one and _widened(one) for one in vectors] if half else vectors
    return {
        key: other if head is None else head + vector
        for key, head, vector, other in zip(keys, heads, whole, others, strict=True)
    }


def _opened(file: pa.NativeFile) -> pq.ParquetFile:
    return pq.ParquetFile(file, page_checksum_verification=True)


def _narrowest(vectors: Sequence[bytes | None]) -> tuple[list[bytes | None], str]:
    """The vectors as they are, or in float16 where that gives back every bit; and which of both."""
    whole = np.frombuffer(b"".join(filter(None, vectors)), "<f4")
    with np.errstate(over="ignore"):
        half = whole.astype("<f2")
    if not whole.size or half.astype("<f4").tobytes() != whole.tobytes():
        return list(vectors), "float32"
    return [one and np.frombuffer(one, "<f4").astype("<f2").tobytes() for one in vectors], "float16"


def _widened(vector: bytes) -> bytes:
    return np.frombuffer(vector, "<f2").astype("<f4").tobytes()


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=ROWS_A_GROUP,
        compression="none",  # digests and vectors do not shrink
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())
