"""Any number of distinct rows in Parquet, written as fast as a disk takes them."""

from math import ceil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

SEED = 7
ANSWERS = 5
"""Rows that share a reference; they lie far apart."""
IN_FILE, IN_GROUP = 1_000_000, 100_000
_WHO = ("Anna", "Omar", "Mei", "Lucas", "Priya", "Jonas", "Fatima", "Noah", "Elena", "Kofi", "Sara", "Ivan")
_DOES = ("sends", "returns", "pays for", "asks about", "repairs", "cancels", "orders", "keeps", "lost", "has")
_WHAT = (
    "the invoice",
    "a filter",
    "the valve",
    "two parcels",
    "a battery",
    "the claim",
    "a label",
    "the card",
)


def write_rows(folder: Path, rows: int, *, at_least: int = 1) -> list[Path]:
    """Files of answers with their references, the same every time; a row group is made at a time."""
    draw, files = np.random.default_rng(SEED), list[Path]()
    in_file = min(IN_FILE, ceil(rows / at_least))
    for first in range(0, rows, in_file):
        files.append(folder / f"rows-{first // in_file:05}.parquet")
        with pq.ParquetWriter(files[-1], _SCHEMA, compression="zstd", write_statistics=False) as writer:
            for start in range(first, min(first + in_file, rows), IN_GROUP):
                numbers = np.arange(start, min(start + IN_GROUP, first + in_file, rows))
                writer.write_table(_rows(numbers, max(1, rows // ANSWERS), draw), row_group_size=IN_GROUP)
    return files


def _rows(
    numbers: "np.ndarray[tuple[int], np.dtype[np.int64]]", references: int, draw: np.random.Generator
) -> pa.Table:
    """Answers with a number each, and references that come again after so many rows."""
    asked = numbers % references
    chosen = [
        np.asarray(words, object)[draw.integers(0, len(words), len(numbers))]
        for words in (_WHO, _DOES, _WHAT)
    ]
    who, does, what = (pa.array(words, pa.string()) for words in chosen)
    answer = pc.binary_join_element_wise(who, does, what, _text(numbers), "as far as we know today", " ")
    expected = pc.binary_join_element_wise("What is true of case", _text(asked), "stands in the report", " ")
    return pa.table([pa.array(numbers), answer, expected], schema=_SCHEMA)


def _text(numbers: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> pa.Array:
    return pc.cast(pa.array(numbers), pa.string())


_SCHEMA = pa.schema([("id", pa.int64()), ("answer", pa.string()), ("expected", pa.string())])
