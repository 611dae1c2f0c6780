"""A client of Qdrant, and a collection that says whose vectors it holds: opened and made."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from sensecheck.core.errors import SpecError, ToolError
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.address import address_in
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.indexes.qdrant_forms import qdrant_models

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

ORIGIN = "sensecheck"
_PORT = 6333


def client_at(where: str | Path, *, api_key: str | None) -> "QdrantClient":
    """A client for a server, a folder, or memory."""
    with extra("qdrant"):
        from qdrant_client import QdrantClient  # noqa: PLC0415  # an extra
    address = address_in(
        where, port=_PORT, credentials="give `api_key`, or a client of yours to `from_client`"
    )
    if address is not None:
        return QdrantClient(url=str(address), api_key=api_key, check_compatibility=False)
    if api_key is not None:
        raise SpecError(f"`api_key` is for a server; found the folder `{where}`")
    return QdrantClient(":memory:") if where == ":memory:" else _in_folder(str(where))


def make_collection(client: "QdrantClient", collection: str, origin: Origin) -> None:
    """Make it; where somebody else was quicker, it is made already."""
    with extra("qdrant"):
        from qdrant_client.http.exceptions import UnexpectedResponse  # noqa: PLC0415  # an extra
    models = qdrant_models()
    wide = models.VectorParams(size=origin.dimension, distance=models.Distance.COSINE)
    try:
        client.create_collection(collection, vectors_config=wide, metadata={ORIGIN: origin.written()})
    except (UnexpectedResponse, ValueError):
        if client.collection_exists(collection):
            return
        raise
    if ORIGIN not in (client.get_collection(collection).config.metadata or {}):
        client.delete_collection(collection)
        raise ToolError(
            f"the Qdrant collection `{collection}` would not say which encoder it is for: "
            "this server keeps no metadata of collections; a newer one does"
        )


def make_tags_quick(client: "QdrantClient", collection: str) -> None:
    """A server searches tags fast with it, and may refuse to without; in a folder it does nothing."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Payload indexes have no effect", UserWarning)
        client.create_payload_index(collection, "tags", qdrant_models().PayloadSchemaType.KEYWORD)


def _in_folder(place: str) -> "QdrantClient":
    with extra("qdrant"):
        from qdrant_client import QdrantClient  # noqa: PLC0415  # an extra
    try:
        return QdrantClient(path=place)
    except RuntimeError as problem:
        raise SpecError(
            f"the Qdrant folder `{place}` is open elsewhere; close it there, or run a Qdrant server"
        ) from problem
    except OSError as problem:
        raise SpecError(f"the Qdrant folder `{place}` cannot be opened: {problem.strerror}") from problem
