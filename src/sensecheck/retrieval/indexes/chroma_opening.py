"""A client of Chroma, and a collection that says whose vectors it holds: opened, made, closed."""

from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError, ToolError
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.address import Address, address_in
from sensecheck.retrieval.indexes.chroma_forms import answering
from sensecheck.retrieval.indexes.origin import Origin

ORIGIN = "sensecheck"
_PORT = 8000


def client_at(where: str | Path) -> Any:
    """A client for a folder, or for a server."""
    address = address_in(where, port=_PORT, credentials="give a client with its headers to `from_client`")
    return _in_folder(str(where)) if address is None else _at_address(address)


def end_client(client: Any) -> None:
    """Close the client, and the connections to a server, which Chroma would leave open."""
    parts = (client, getattr(client, "_admin_client", None))
    sessions = [getattr(getattr(part, "_server", None), "_session", None) for part in parts]
    client.close()
    for session in sessions:
        if session is not None:
            session.close()


def opened_collection(client: Any, collection: str, origin: Origin) -> Any:
    """The collection, made if need be; not by Chroma's get-or-create, which writes over its metadata."""
    with extra("chroma"):
        from chromadb.errors import NotFoundError  # noqa: PLC0415  # an extra
    try:
        return client.get_collection(collection, embedding_function=None)
    except NotFoundError:
        return client.create_collection(
            collection,
            configuration={"hnsw": {"space": "cosine"}},
            metadata={ORIGIN: origin.written()},
            embedding_function=None,
        )


def _in_folder(place: str) -> Any:
    with extra("chroma"):
        import chromadb  # noqa: PLC0415  # an extra
    try:
        with answering(f"the Chroma folder `{place}`"):
            return chromadb.PersistentClient(path=place, settings=_quiet())
    except SpecError:
        raise
    except ValueError as problem:
        raise SpecError(
            f"the Chroma folder `{place}` cannot be opened: {problem}; where this program has a client of "
            "its own on that folder, give that to `from_client`"
        ) from problem


def _at_address(address: Address) -> Any:
    with extra("chroma"):
        import chromadb  # noqa: PLC0415  # an extra
    at, secure = f"the Chroma server at `{address}`", address.scheme == "https"
    try:
        with answering(at):
            # A host that is a whole address keeps what comes after the port.
            return chromadb.HttpClient(str(address), address.port, ssl=secure, settings=_quiet())
    except SpecError:
        raise
    except ValueError as problem:
        raise ToolError(f"{at} does not answer as Chroma does") from problem


def _quiet() -> Any:
    with extra("chroma"):
        from chromadb.config import Settings  # noqa: PLC0415  # an extra
    return Settings(anonymized_telemetry=False)
