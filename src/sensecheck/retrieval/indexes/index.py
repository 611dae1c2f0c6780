"""The shape of a vector store, and a query's way through it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import Any, Protocol

from sensecheck.core.encoder import Encoder, Vectors
from sensecheck.core.errors import StaleIndex
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.retrieved import Retrieved
from sensecheck.retrieval.wanted import Wanted

_PLACED_AT_ONCE = 512


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
class Entry:
    """A reference and where it lies, as it is put into an index."""

    reference: Reference
    vector: Vectors = field(repr=False, compare=False)


class Index(Protocol):
    """Where the vectors of references lie; it gives closeness, whatever its engine calls a score.

    Which encoder made its vectors is looked up when it is opened. Where others can take a store away and make
    it anew with another encoder, those who hold it open should open it again.
    """

    @property
    def encoder(self) -> str | None:
        """The fingerprint of the encoder that made its vectors; None where nobody wrote it down."""
        ...

    def add(self, entries: Iterable[Entry]) -> None:
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
class Retriever:
    """An encoder and an index of its vectors: a query to its matches."""

    encoder: Encoder
    index: Index

    def __post_init__(self) -> None:
        if self.index.encoder is not None and self.index.encoder != self.encoder.fingerprint:
            raise StaleIndex(
                f"the index holds vectors of the encoder `{self.index.encoder}`; in use is "
                f"`{self.encoder.fingerprint}`: its closeness would mean nothing; build the index again"
            )

    def retrieve(self, query: str, k: int = 20, *, filter: Wanted | None = None) -> Retrieved:
        """What lies nearest to the query."""
        vector = Space.of([query], self.encoder).vector(query)
        return Retrieved(query, tuple(self.index.search(vector, k, filter=filter)))


def placed_entries(references: Iterable[Reference], encoder: Encoder) -> Iterator[Entry]:
    """References as entries, each with its place; a text that cannot be read raises `Unreadable`.

    They are read and placed as they are asked for, some hundreds at a time.
    """
    coming = iter(references)
    while some := list(islice(coming, _PLACED_AT_ONCE)):
        space = Space.of((reference.text for reference in some), encoder)
        for reference in some:
            yield Entry(reference, space.vector(reference.text))


def kept(reference: Reference) -> str:
    """The reference as JSON in ASCII: 1 stays 1, 1.0 stays 1.0, and no character can trouble an engine."""
    held = {field.name: getattr(reference, field.name) for field in fields(reference)}
    return json.dumps(held | {"metadata": dict(reference.metadata)}, allow_nan=False)


def reference_of(line: str) -> Reference:
    """The reference that `kept` wrote."""
    return Reference(**json.loads(line))
