"""The plan of a run as plain data: its inputs in pieces, its shards, and the columns that it reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import pyarrow as pa

from sensecheck.core.errors import SpecError
from sensecheck.core.run import digest_of
from sensecheck.core.serialization import from_data, to_data
from sensecheck.tables.arrow import FAULT
from sensecheck.tables.order import TableOrder

PLAN_FILE = "run.json"
"""The file that tells the plan; written before anything else, by whoever begins the run."""
INPUT, ROW, REF = "_input", "_row", "_ref"
"""Columns of our own: where the row came from, and the hash of its reference."""
OWN = (INPUT, ROW, REF, FAULT)
Format = Literal["parquet", "jsonl"]
ColumnKind = Literal["text", "texts", "number", "word", "own"]
"""A text; a list of them; a number; a text as it stands, and anything else as JSON; whatever Parquet has."""
PARTS: Mapping[str, ColumnKind] = {
    "id": "word",
    "passages": "texts",
    "latency_ms": "number",
    "cost": "number",
}
"""Parts of a row that are not one text."""
TYPES: Mapping[str, pa.DataType] = {
    "text": pa.large_string(),  # a string's 2 GB are 200 rows of 10 MB
    "texts": pa.list_(pa.large_string()),
    "number": pa.float64(),
    "word": pa.large_string(),
}
WANTED: Mapping[str, str] = {"text": "strings", "texts": "lists of strings", "number": "numbers"}
"""What a column of a kind holds, for messages."""


@dataclass(frozen=True, slots=True)
class Input:
    """A file of rows, as it was when the run began."""

    address: str
    format: Format
    size: int
    """Bytes."""
    mark: str
    """Changes whenever the file does: its time, or the store's own mark."""


@dataclass(frozen=True, slots=True)
class InputPiece:
    """A part of an input that one worker routes: row groups of Parquet, bytes of JSON lines."""

    input: int
    """Its place among the inputs."""
    start: int
    stop: int


@dataclass(frozen=True)  # without slots: the digests are computed once, for 100,000 names
class RunPlan:
    """All that decides what a run does; two runs with one fingerprint do the same."""

    order: TableOrder
    readers: Mapping[str, str]
    """Who reads: the fingerprints of `encoder`, `verifier` and `judge`, the precision of vectors, and the
    version of sensecheck; what no one needs is not in it."""
    inputs: tuple[Input, ...]
    pieces: tuple[InputPiece, ...]
    buckets: int
    """Into how many ranges the hashes of references are parted."""
    shard_rows: int
    """Rows of a shard; a bucket with more is parted further."""
    carried: tuple[str, ...] = ()
    """Columns that stand in the results as they stood in the input, in their order."""

    @cached_property
    def fingerprint(self) -> str:
        """Changes whenever a result could."""
        readers, carried = dict(self.readers), list(self.carried)
        return digest_of({"order": self.order.to_data(), "readers": readers, "carried": carried})

    @cached_property
    def is_typed(self) -> bool:
        """Whether all inputs say of which types their columns are."""
        return all(one.format == "parquet" for one in self.inputs)

    @cached_property
    def inputs_digest(self) -> str:
        """Changes whenever an input does, or how inputs are parted."""
        inputs, pieces = ([to_data(item) for item in items] for items in (self.inputs, self.pieces))
        return digest_of([inputs, pieces, self.buckets, self.shard_rows])

    def piece_id(self, number: int) -> str:
        """The name of a piece's routed file."""
        return digest_of([self.fingerprint, self.inputs_digest, "piece", number])[:32]

    def shard_id(self, bucket: int, part: int, held: Sequence[Sequence[int]] = ()) -> str:
        """The name of a shard: of the run, its inputs, the range that it covers, and what is in it.

        `held` names the pieces with their groups: one that could be read only when the run went on makes
        another shard, whose rows are not those that were assessed before.
        """
        return digest_of([self.fingerprint, self.inputs_digest, bucket, part, held])[:32]

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The plan that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="run")


def kinds_of(plan: RunPlan) -> dict[str, ColumnKind]:
    """The columns that are read, those of the parts first.

    What is only carried keeps its type where all inputs are Parquet. JSON lines promise no types, so that in
    a run that has some it becomes text: the same in every file of results.
    """
    kinds: dict[str, ColumnKind] = {}
    for part, column in plan.order.columns.items():
        kind = PARTS.get(part, "text")
        if kinds.setdefault(column, kind) != kind:
            raise SpecError(f"the column `{column}` was named for two parts that are not alike")
    for column in plan.carried:
        kinds.setdefault(column, "own" if plan.is_typed else "word")
    for column in kinds:
        if column in OWN:
            raise SpecError(f"a column may not be called `{column}`: a run has one of its own with that name")
    return kinds


def plain_type(found: pa.DataType) -> pa.DataType:
    """A type without its packing: dictionaries are spelled out, and all texts are of one type."""
    if pa.types.is_dictionary(found):
        return plain_type(found.value_type)
    is_text = pa.types.is_string(found) or pa.types.is_large_string(found) or pa.types.is_string_view(found)
    return pa.large_string() if is_text else found


def fits(found: pa.DataType, kind: ColumnKind) -> bool:
    """Whether a column of Parquet can be read as one of a kind."""
    plain = plain_type(found)
    if pa.types.is_null(plain) or kind in ("word", "own"):
        return True
    if kind == "number":
        numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
        return any(is_type(plain) for is_type in numbers)
    is_text = bool(pa.types.is_large_string(plain))
    return is_text or (kind == "texts" and is_list(plain) and fits(plain.value_type, "text"))


def is_list(found: pa.DataType) -> bool:
    """Whether it is a list of any sort."""
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list, is_list_view)
    return any(is_type(found) for is_type in lists)


def is_list_view(found: pa.DataType) -> bool:
    """Whether it is a list whose values may stand in any order, large or not."""
    return bool(pa.types.is_list_view(found) or pa.types.is_large_list_view(found))
