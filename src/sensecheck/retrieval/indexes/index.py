"""The shape of a vector store, and a query's way through it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from sensecheck.core.encoder import Encoder, Vectors
from sensecheck.core.errors import StaleIndex
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match, Retrieved
from sensecheck.retrieval.wanted import Wanted


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
    """Where the vectors of references lie; it gives closeness, whatever its engine calls a score."""

    @property
    def encoder(self) -> str | None:
        """The fingerprint of the encoder that made its vectors; None where nobody wrote it down."""
        ...

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        ...

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        ...

    def count(self) -> int:
        """How many references it holds."""
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
    """References as entries, each with its place; a text that cannot be read raises `Unreadable`."""
    held = list(references)
    space = Space.of((reference.text for reference in held), encoder)
    return (Entry(reference, space.vector(reference.text)) for reference in held)
