"""Which shard a row goes to: all that answer one reference meet in one bucket."""

import hashlib
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Hashes = npt.NDArray[np.uint64]
PARTS = ("expected", "passages", "question", "answer")
"""What a row's reference is, the first that it has."""
SEPARATOR = "\x1f"


def hashes_of(table: pa.Table, columns: Mapping[str, str]) -> Hashes:
    """A number for the reference of each row; 0 for a row that has none."""
    held = [_texts(table[columns[part]], part) for part in PARTS if part in columns]
    if not held:
        return np.zeros(len(table), np.uint64)
    found = pc.coalesce(*held).combine_chunks().dictionary_encode()
    texts = found.dictionary.cast(pa.large_binary()).to_pylist()
    digests = b"".join(hashlib.blake2b(text).digest()[:8] for text in texts)
    codes: Hashes = np.append(np.frombuffer(digests, "<u8"), np.uint64(0))
    found_at: npt.NDArray[np.int64] = found.indices.fill_null(len(texts)).to_numpy()
    return codes[found_at]


def buckets_of(hashes: Hashes, buckets: int) -> npt.NDArray[np.int64]:
    """`hash * buckets >> 64`, in numbers of 64 bits; so buckets are ranges of hashes."""
    many, half = np.uint64(buckets), np.uint64(32)
    high, low = hashes >> half, hashes & np.uint64(0xFFFFFFFF)
    return ((high * many + (low * many >> half)) >> half).astype(np.int64)


def _texts(column: pa.ChunkedArray, part: str) -> pa.ChunkedArray:
    if part != "passages":
        return column
    joined = pc.binary_join(column, pa.scalar(SEPARATOR, pa.large_string()))
    return pc.if_else(pc.equal(pc.list_value_length(column), 0), pa.scalar(None, pa.large_string()), joined)
