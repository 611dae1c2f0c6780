"""What workers are asked to do, and what they say when it is done."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Groups(NamedTuple):
    """The row groups of a routed file, each of one bucket: bare numbers, since a large run has millions."""

    buckets: "array[int]"
    rows: "array[int]"
    """How many each of them holds."""


class Part(NamedTuple):
    """Row groups of a routed file."""

    routed: str
    row_groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """Rows that are assessed together: all, or a part, of those whose references fall into one bucket."""

    id: str
    bucket: int
    parts: tuple[Part, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class RoutePiece:
    """Read a piece of the input, and write its rows bucket by bucket."""

    piece: int


@dataclass(frozen=True, slots=True)
class AssessShard:
    """Read all that the order asks for off the rows of a shard."""

    shard: Shard
    rows: tuple[int, int] | None = None
    """Only these, counted in the shard's own order, after the whole of it failed."""
    fault: str | None = None
    """Why they are not read at all: each of them is an error with this reason."""


@dataclass(frozen=True, slots=True)
class Routed:
    """A piece that lies ready."""

    piece: int
    name: str
    groups: Groups
    rows: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A piece that cannot be read."""

    piece: int
    because: str


@dataclass(frozen=True, slots=True)
class Assessed:
    """A shard's results, or those of some of its rows, that are kept."""

    shard: str
    name: str
    """The file of the results."""
    rows: int
    errors: int
    """Rows whose status is `error`."""
    size: int
    """Bytes."""
    aggregates: Mapping[str, Any]
    """As `Aggregates.to_data` gives them."""
