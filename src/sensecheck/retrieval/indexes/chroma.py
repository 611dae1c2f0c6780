"""An index in Chroma: a folder, or a server."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import Unreachable
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.chroma_forms import answering, condition_of, found_in
from sensecheck.retrieval.indexes.found import matches_of
from sensecheck.retrieval.indexes.index import Entry
from sensecheck.retrieval.indexes.kept import kept
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.indexes.tags import tags_of, wanted_tags
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.wanted import Wanted

_ORIGIN = "sensecheck"
_ANY = "any"
"""A tag that all have: Chroma refuses an empty list."""


class ChromaIndex:
    """A collection whose entries carry a reference and its tags; Chroma itself encodes nothing."""

    def __init__(self, client: Any, collection: Any, *, origin: Origin, with_vectors: bool = True) -> None:
        """`open` and `from_client` make sure that the collection is there, and whose vectors it holds."""
        self._client = client
        self._collection = collection
        self._origin = origin
        self._with_vectors = with_vectors

    @classmethod
    def open(
        cls, where: str | Path, collection: str, *, encoder: str, dimension: int, with_vectors: bool = True
    ) -> Self:
        """The collection in a folder, or at an address (`http://…`); made if need be."""
        with extra("chroma"):
            import chromadb  # noqa: PLC0415  # an extra
            from chromadb.config import Settings  # noqa: PLC0415  # an extra
        place = str(where)
        quiet = Settings(anonymized_telemetry=False)
        if place.startswith(("http://", "https://")):
            client: Any = _at_address(place, quiet)
        else:
            with answering(f"the Chroma folder `{place}`"):
                client = chromadb.PersistentClient(path=place, settings=quiet)
        try:
            return cls.from_client(
                client, collection, encoder=encoder, dimension=dimension, with_vectors=with_vectors
            )
        except BaseException:
            client.close()
            raise

    @classmethod
    def from_client(
        cls, client: Any, collection: str, *, encoder: str, dimension: int, with_vectors: bool = True
    ) -> Self:
        """The collection of a client that is open already; made if need be."""
        origin = Origin(encoder, dimension)
        at = f"the Chroma collection `{collection}`"
        with answering(at):
            opened = _opened(client, collection, origin)
        origin.must_be_that_of((opened.metadata or {}).get(_ORIGIN), at=at)
        return cls(client, opened, origin=origin, with_vectors=with_vectors)

    def close(self) -> None:
        """Let go of the folder, or of the server."""
        self._client.close()

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        with answering(self._at):
            return int(self._collection.count())

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        some = accepted(entries, self._origin.dimension)
        if not some:
            return
        with answering(self._at):
            at_once = self._client.get_max_batch_size()
            for start in range(0, len(some), at_once):
                self._put(some[start : start + at_once])

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        asked = unit_vector(vector, self._origin.dimension)
        with answering(self._at):
            found = self._collection.query(
                query_embeddings=[asked],
                n_results=accepted_k(k),
                where=condition_of(wanted_tags(filter)),
                include=["metadatas", "distances", *(["embeddings"] if self._with_vectors else [])],
            )
        return matches_of(found_in(found), self.encoder)

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


def _at_address(address: str, settings: Any) -> Any:
    with extra("chroma"):
        import chromadb  # noqa: PLC0415  # an extra
    parts = urlsplit(address)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 8000)
    try:
        return chromadb.HttpClient(host=parts.hostname or "", port=port, ssl=secure, settings=settings)
    except ValueError as problem:
        raise Unreachable(f"no Chroma server answers at `{parts.hostname}:{port}`") from problem


def _opened(client: Any, collection: str, origin: Origin) -> Any:
    """Not Chroma's get-or-create, which writes new metadata over what was there."""
    with extra("chroma"):
        from chromadb.errors import NotFoundError  # noqa: PLC0415  # an extra
    try:
        return client.get_collection(collection, embedding_function=None)
    except NotFoundError:
        return client.create_collection(
            collection,
            configuration={"hnsw": {"space": "cosine"}},
            metadata={_ORIGIN: origin.written()},
            embedding_function=None,
        )
