"""The shape of a vector store, which encoder made its vectors, and a query's way through it.

What an index takes in is looked at as a whole before anything of it is written.
"""

import json
import math
import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any, Protocol, SupportsIndex

import numpy as np

from sensecheck.core.backends import Encoder, Vectors
from sensecheck.core.errors import EncoderError, SpecError, StaleIndex
from sensecheck.core.space import Space
from sensecheck.retrieval.filters import WIDEST, Wanted, unwritable
from sensecheck.retrieval.match import Match, Retrieved

_BATCH_SIZE = 512
_FORMAT = 1
"""Goes up whenever what is written into a file or a table changes."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that may be retrieved, and what is known of it."""

    id: str
    text: str
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Texts, numbers, true and false: what can be filtered by."""
    reference_score: float | None = None


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A reference and where it is, as it is put into an index."""

    reference: Reference
    vector: Vectors = field(repr=False, compare=False)


class Index(Protocol):
    """Where the vectors of references lie; it gives similarity, whatever its engine calls a score.

    Which encoder made its vectors is looked up when it is opened. Where others can take a store away and make
    it anew with another encoder, those who hold it open should open it again.
    """

    @property
    def encoder(self) -> str | None:
        """The fingerprint of the encoder that made its vectors; None where no one wrote it down."""
        ...

    def add(self, entries: Iterable[IndexEntry]) -> None:
        """Put these in; an entry whose id is there already takes its place.

        They are looked at as a whole first, so an index may hold them all in memory for a while.
        """
        ...

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        ...

    def count(self) -> int:
        """How many references it holds."""
        ...

    def close(self) -> None:
        """Let go of what it opened, and of nothing that it was given; a second time does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Origin:
    """The encoder's fingerprint, and how long its vectors are: written down next to the vectors."""

    encoder: str
    dimension: int

    def __post_init__(self) -> None:
        if not self.encoder:
            raise SpecError("`encoder` must be the fingerprint of an encoder; got nothing")
        if self.dimension < 1:
            raise SpecError(f"`dimension` must be at least 1; got {self.dimension}")

    def written(self) -> str:
        """The origin as a line of JSON."""
        return json.dumps(asdict(self) | {"format": _FORMAT})

    def require_origin(self, written: object, *, at: str) -> None:
        """Raise unless what is written at a place was made by this encoder."""
        origin = origin_of(written, at=at)
        if origin.encoder != self.encoder:
            raise StaleIndex(
                f"{at} holds vectors of the encoder `{origin.encoder}`; in use is `{self.encoder}`: "
                "its similarity would mean nothing; build the index again, or open it with its own encoder"
            )
        if origin.dimension != self.dimension:
            raise EncoderError(
                f"{at} holds vectors of {origin.dimension} numbers; got an encoder of {self.dimension}"
            )


def origin_of(written: object, *, at: str) -> Origin:
    """What `written` wrote; `SpecError` where it was not, or by a later sensecheck."""
    try:
        data = json.loads(written) if isinstance(written, str | bytes) else None
    except ValueError:
        data = None
    if not (isinstance(data, dict) and {"encoder", "dimension", "format"} <= data.keys()):
        raise SpecError(
            f"{at} does not say which encoder made its vectors: it is no index that sensecheck made; "
            "take another name, and add the references there"
        )
    if data["format"] != _FORMAT:
        raise SpecError(
            f"{at} is written in the format {data['format']}; known is {_FORMAT}: build the index again"
        )
    return Origin(data["encoder"], data["dimension"])


@dataclass(frozen=True, slots=True)
class Retriever:
    """An encoder and an index of its vectors: a query to its matches."""

    encoder: Encoder
    index: Index

    def __post_init__(self) -> None:
        if self.index.encoder is not None and self.index.encoder != self.encoder.fingerprint:
            raise StaleIndex(
                f"the index holds vectors of the encoder `{self.index.encoder}`; in use is "
                f"`{self.encoder.fingerprint}`: its similarity would mean nothing; build the index again"
            )

    def retrieve(self, query: str, k: int = 20, *, filter: Wanted | None = None) -> Retrieved:
        """What is nearest to the query."""
        vector = Space.of([query], self.encoder).vector(query)
        return Retrieved(query, tuple(self.index.search(vector, k, filter=filter)))


def placed_entries(references: Iterable[Reference], encoder: Encoder) -> Iterator[IndexEntry]:
    """References as entries, each with its vector; a text that cannot be read raises `Unreadable`.

    They are read and encoded as they are asked for, some hundreds at a time.
    """
    stream = iter(references)
    while batch := list(islice(stream, _BATCH_SIZE)):
        space = Space.of((reference.text for reference in batch), encoder)
        for reference in batch:
            yield IndexEntry(reference, space.vector(reference.text))


def accepted(entries: Iterable[IndexEntry], dimension: int) -> list[IndexEntry]:
    """The entries with unit vectors; of one id twice, the last stays. What cannot be kept is an error.

    It holds them all, so that nothing is written where one is wrong: what is too much for memory goes in by
    several calls of `add`.
    """
    entries_by_id: dict[str, IndexEntry] = {}
    for entry in entries:
        _require_plain(entry.reference)
        reference = replace(entry.reference, metadata=dict(entry.reference.metadata))
        entries_by_id[reference.id] = IndexEntry(reference, unit_vector(entry.vector, dimension))
    return list(entries_by_id.values())


def unit_vector(vector: Vectors, dimension: int) -> Vectors:
    """The vector at length 1; `EncoderError` unless it has this dimension and a direction."""
    row = np.asarray(vector, np.float64)
    if row.shape != (dimension,):
        actual = str(len(row)) if row.ndim == 1 else f"the shape {row.shape}"
        raise EncoderError(f"the index holds vectors of {dimension} numbers; got one of {actual}")
    largest = float(np.abs(row).max())
    if not (math.isfinite(largest) and largest > 0):
        raise EncoderError(
            f"a vector of an index must have finite numbers that are not all 0; the largest is {largest:g}"
        )
    row = row / largest
    unit: Vectors = (row / np.linalg.norm(row)).astype(np.float32)
    return unit


def accepted_k(k: SupportsIndex) -> int:
    """`k` as a plain whole number, which is at least 1; NumPy's are taken too."""
    try:
        whole = operator.index(k)
    except TypeError as problem:
        raise SpecError(f"`k` must be a whole number from 1 on; got {type(k).__name__}") from problem
    if isinstance(k, bool) or whole < 1:
        raise SpecError(f"`k` must be a whole number from 1 on; got {k}")
    return whole


def _require_plain(reference: Reference) -> None:
    _validate_id(reference.id)
    for name in ("text", "source"):
        value = getattr(reference, name)
        if not isinstance(value, str):
            raise SpecError(f"`{name}` of a reference must be a string; got {type(value).__name__}")
    score = reference.reference_score
    if score is not None and not _is_finite(score):
        raise SpecError(
            f"`reference_score` must be a finite number of at most {WIDEST} bits; got {_described(score)}"
        )
    for key, value in reference.metadata.items():
        _require_filterable(key, value)


def _validate_id(value: object) -> None:
    if not isinstance(value, str) or not value:
        raise SpecError(
            f"`id` of a reference must be a string; got {'nothing' if value == '' else _described(value)}"
        )
    try:
        value.encode()
    except UnicodeEncodeError as problem:
        raise SpecError(
            f"`id` of a reference must have characters that can be written; got one half of a pair "
            f"at {problem.start}"
        ) from problem


def _require_filterable(key: object, value: object) -> None:
    if not isinstance(key, str):
        raise SpecError(f"a key of metadata must be a string; got {type(key).__name__}")
    if trouble := unwritable(key):
        raise SpecError(f"a key of metadata must be storable text; got {trouble}")
    if not isinstance(value, str | int | float | bool) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        raise SpecError(
            f"metadata `{key}` must be a string, a finite number, true or false; got {_described(value)}; "
            "leave the key out where there is nothing to say"
        )
    if trouble := unwritable(value):
        raise SpecError(f"metadata `{key}` must be storable, so that it can be filtered by; got {trouble}")


def _is_finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and unwritable(value) is None


def _described(value: object) -> str:
    return f"{value}" if isinstance(value, float) else type(value).__name__
