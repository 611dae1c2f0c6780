"""An index in Qdrant: a server, a folder, or memory. In memory and folders tested; not yet on a server."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sensecheck.core.encoder import Vectors
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.found import matches_of
from sensecheck.retrieval.indexes.index import Entry
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.indexes.qdrant_forms import (
    answering,
    condition_of,
    found_in,
    points_of,
)
from sensecheck.retrieval.indexes.qdrant_opening import ORIGIN, client_at, make_collection, make_tags_quick
from sensecheck.retrieval.indexes.tags import wanted_tags
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.wanted import Wanted

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

_AT_ONCE = 256
"""Points in one request: a few megabytes, where a server takes 32."""


class QdrantIndex:
    """A collection whose points carry a reference and its tags.

    Which encoder made its vectors is looked up when it is opened, and not again: open it again where others
    may have taken the collection away and made it anew.
    """

    def __init__(
        self,
        client: "QdrantClient",
        collection: str,
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

    @classmethod
    def open(
        cls,
        where: str | Path,
        collection: str,
        *,
        encoder: str,
        dimension: int,
        api_key: str | None = None,
        with_vectors: bool = True,
    ) -> Self:
        """The collection at an address (`http://…`), in a folder, or in `":memory:"`; made if need be."""
        client = client_at(where, api_key=api_key)
        try:
            index = cls.from_client(
                client, collection, encoder=encoder, dimension=dimension, with_vectors=with_vectors
            )
        except BaseException:
            client.close()
            raise
        index._owned = True
        return index

    @classmethod
    def from_client(
        cls,
        client: "QdrantClient",
        collection: str,
        *,
        encoder: str,
        dimension: int,
        with_vectors: bool = True,
    ) -> Self:
        """The collection of a client that is open already, which whoever made it closes; made if need be."""
        origin = Origin(encoder, dimension)
        at = f"the Qdrant collection `{collection}`"
        with answering(at):
            if not client.collection_exists(collection):
                make_collection(client, collection, origin)
            told = client.get_collection(collection)
            origin.must_be_that_of((told.config.metadata or {}).get(ORIGIN), at=at)
            if "tags" not in told.payload_schema:
                make_tags_quick(client, collection)
        return cls(client, collection, origin=origin, with_vectors=with_vectors)

    def close(self) -> None:
        """Let go of the server, or of the folder, which one program at a time can have open.

        A client that was given to `from_client` stays open.
        """
        if self._owned:
            self._client.close()

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        with answering(self._at):
            return self._client.count(self._collection, exact=True).count

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        some = accepted(entries, self._origin.dimension)
        for start in range(0, len(some), _AT_ONCE):
            with answering(self._at):
                self._client.upsert(self._collection, points_of(some[start : start + _AT_ONCE]), wait=True)

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        asked = unit_vector(vector, self._origin.dimension)
        with answering(self._at):
            points = self._client.query_points(
                self._collection,
                query=asked.tolist(),
                query_filter=condition_of(wanted_tags(filter)),
                limit=accepted_k(k),
                with_payload=["reference"],
                with_vectors=self._with_vectors,
            ).points
        return matches_of((found_in(point) for point in points), self.encoder)

    @property
    def _at(self) -> str:
        return f"the Qdrant collection `{self._collection}`"
