"""What a run is going to do: its inputs in pieces, and how many shards they are routed to."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

from sensecheck.core.serialization import from_data, to_data
from sensecheck.evals.tables.order import TableOrder

Format = Literal["parquet", "jsonl"]
NAME = "run.json"
"""The file that tells the plan; written before anything else, by whoever begins the run."""


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
class Piece:
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
    version of sensecheck; what nobody needs is not in it."""
    inputs: tuple[Input, ...]
    pieces: tuple[Piece, ...]
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
        return _digest({"order": self.order.to_data(), "readers": readers, "carried": carried})

    @cached_property
    def is_typed(self) -> bool:
        """Whether all inputs say of which types their columns are."""
        return all(one.format == "parquet" for one in self.inputs)

    @cached_property
    def inputs_digest(self) -> str:
        """Changes whenever an input does, or how inputs are parted."""
        inputs, pieces = ([to_data(one) for one in held] for held in (self.inputs, self.pieces))
        return _digest([inputs, pieces, self.buckets, self.shard_rows])

    def piece_id(self, number: int) -> str:
        """The name of a piece's routed file."""
        return _digest([self.fingerprint, self.inputs_digest, "piece", number])[:32]

    def shard_id(self, bucket: int, part: int, held: Sequence[Sequence[int]] = ()) -> str:
        """The name of a shard: of the run, its inputs, the range that it covers, and what is held of it.

        `held` names the pieces with their groups: one that could be read only when the run went on makes
        another shard, whose rows are not those that were assessed before.
        """
        return _digest([self.fingerprint, self.inputs_digest, bucket, part, held])[:32]

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The plan that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="run")


def _digest(value: object) -> str:
    held = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(held.encode()).hexdigest()
