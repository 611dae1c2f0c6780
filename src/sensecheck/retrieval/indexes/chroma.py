"""An index in Chroma: a folder, or a server."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import ToolError
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.chroma_forms import answering, condition_of, found_in
from sensecheck.retrieval.indexes.chroma_opening import ORIGIN, client_at, end_client, opened_collection
from sensecheck.retrieval.indexes.found import matches_of
from sensecheck.retrieval.indexes.index import Entry, kept
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.indexes.tags import tags_of, wanted_tags
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.wanted import Wanted

_ANY = "any"
"""A tag that all have: Chroma refuses an empty list."""


class ChromaIndex:
    """A collection whose entries carry a reference and its tags; Chroma itself encodes nothing.

    Which encoder made its vectors is looked up when it is opened; a collection that others take away and make
    anew is another one to Chroma, and a search says that this one is gone.
    """

    def __init__(
        self,
        client: Any,
        collection: Any,
        *,
        origin: Origin,
        with_vectors: bool = True,
        owned: bool = False,
    ) -> None:
        """`open` and `from_client` make sure that the collection is there, and whose vectors it holds.

        A client that is `owned` ends with the index.
        """
        self._client = client
        self._collection = collection
        self._origin = origin
        self._with_vectors = with_vectors
        self._owned = owned
        self._closed = False

    @classmethod
    def open(
        cls, where: str | Path, collection: str, *, encoder: str, dimension: int, with_vectors: bool = True
    ) -> Self:
        """The collection in a folder, or at an address (`http://…`); made if need be.

        For a server that wants a token, a tenant or a certificate, give a client of yours to `from_client`.
        """
        client = client_at(where)
        try:
            index = cls.from_client(
                client, collection, encoder=encoder, dimension=dimension, with_vectors=with_vectors
            )
        except BaseException:
            end_client(client)
            raise
        index._owned = True
        return index

    @classmethod
    def from_client(
        cls, client: Any, collection: str, *, encoder: str, dimension: int, with_vectors: bool = True
    ) -> Self:
        """The collection of a client that is open already, which whoever made it closes; made if need be."""
        origin = Origin(encoder, dimension)
        at = f"the Chroma collection `{collection}`"
        with answering(at):
            opened = opened_collection(client, collection, origin)
        origin.must_be_that_of((opened.metadata or {}).get(ORIGIN), at=at)
        return cls(client, opened, origin=origin, with_vectors=with_vectors)

    def close(self) -> None:
        """Let go of the folder, or of the server; a client that was given to `from_client` stays open."""
        if self._owned and not self._closed:
            self._closed = True
            end_client(self._client)

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        self._must_be_open()
        with answering(self._at):
            return int(self._collection.count())

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        self._must_be_open()
        some = accepted(entries, self._origin.dimension)
        if not some:
            return
        with answering(self._at):
            at_once = self._client.get_max_batch_size()
            for start in range(0, len(some), at_once):
                self._put(some[start : start + at_once])

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        self._must_be_open()
        asked = unit_vector(vector, self._origin.dimension)
        with answering(self._at):
            found = self._collection.query(
                query_embeddings=[asked],
                n_results=accepted_k(k),
                where=condition_of(wanted_tags(filter)),
                include=["metadatas", "distances", *(["embeddings"] if self._with_vectors else [])],
            )
        return matches_of(found_in(found), self.encoder)

    def _must_be_open(self) -> None:
        if self._closed:
            raise ToolError(f"{self._at} is closed; `open` it again")

    def _put(self, entries: Sequence[Entry]) -> None:
        self._collection.upsert(
            ids=[entry.reference.id for entry in entries],
            embeddings=[entry.vector for entry in entries],
            metadatas=[
                {"reference": kept(entry.reference), "tags": [_ANY, *tags_of(entry.reference.metadata)]}
                for entry in entries
            ],
        )

    @property
    def _at(self) -> str:
        return f"the Chroma collection `{self._collection.name}`"
