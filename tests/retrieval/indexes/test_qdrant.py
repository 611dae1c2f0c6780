"""The index in Qdrant, as far as it can be run without a server: its own engine in memory and in a folder."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient, models

from sensecheck.core.errors import SpecError, StaleIndex, ToolError, Unreachable
from sensecheck.retrieval.indexes.qdrant import QdrantIndex
from tests.retrieval.indexes.contract import MADE_BY, WIDE, KeptIndexContract, Opened, along, entry, sources


class TestQdrantIndex(KeptIndexContract):
    @pytest.fixture
    def opened(self) -> Iterator[Opened]:
        client = QdrantClient(":memory:")
        yield lambda encoder, dimension: QdrantIndex.from_client(
            client, "guide", encoder=encoder, dimension=dimension
        )
        client.close()


def test_a_folder_keeps_the_collection_and_its_encoder(tmp_path: Path) -> None:
    index = QdrantIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    index.add([entry("a", along(0), year=1), entry("b", along(1), year=1.0)])
    index.close()

    again = QdrantIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    found = again.search(along(0), 2)
    again.close()

    assert sources(found) == ["a", "b"]
    assert [type(match.metadata["year"]) for match in found] == [int, float]
    with pytest.raises(StaleIndex, match=r"test-encoder:1.*other:2"):
        QdrantIndex.open(tmp_path, "guide", encoder="other:2", dimension=WIDE)


# Qdrant leaves the lock file open that it could not lock.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_folder_that_is_open_elsewhere_is_an_error_that_says_so(tmp_path: Path) -> None:
    index = QdrantIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)

    with pytest.raises(SpecError, match="open elsewhere"):
        QdrantIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    index.close()


def test_a_collection_that_somebody_else_made_is_refused() -> None:
    client = QdrantClient(":memory:")
    size = models.VectorParams(size=WIDE, distance=models.Distance.DOT)
    client.create_collection("theirs", vectors_config=size)

    with pytest.raises(SpecError, match=r"`theirs`.*which encoder"):
        QdrantIndex.from_client(client, "theirs", encoder=MADE_BY, dimension=WIDE)
    client.close()


def test_vectors_can_be_left_out() -> None:
    index = QdrantIndex.open(":memory:", "guide", encoder=MADE_BY, dimension=WIDE, with_vectors=False)
    index.add([entry("a")])

    assert index.search(along(0), 1)[0].vector is None
    index.close()


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(Unreachable, match="`guide`"):
            QdrantIndex.open(address, "guide", encoder=MADE_BY, dimension=WIDE)


def test_the_collection_of_another_who_was_quicker_is_taken_as_made(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QdrantClient(":memory:")
    QdrantIndex.from_client(client, "guide", encoder=MADE_BY, dimension=WIDE).add([entry("a")])
    exists, asked = client.collection_exists, iter([False])
    monkeypatch.setattr(client, "collection_exists", lambda name: next(asked, None) is None and exists(name))

    assert QdrantIndex.from_client(client, "guide", encoder=MADE_BY, dimension=WIDE).count() == 1
    client.close()


def test_a_server_that_keeps_no_origin_keeps_no_collection_either(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QdrantClient(":memory:")
    make = client.create_collection

    def without_metadata(*given: Any, metadata: object, **named: Any) -> bool:
        return bool(metadata) and make(*given, **named)

    monkeypatch.setattr(client, "create_collection", without_metadata)
    with pytest.raises(ToolError, match="keeps no metadata"):
        QdrantIndex.from_client(client, "guide", encoder=MADE_BY, dimension=WIDE)
    assert not client.collection_exists("guide")
    client.close()


def test_tags_are_made_quick_where_an_earlier_opening_came_not_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client, made = QdrantClient(":memory:"), []
    monkeypatch.setattr(client, "create_payload_index", lambda *given: made.append(given[:2]))
    for _ in range(2):
        QdrantIndex.from_client(client, "guide", encoder=MADE_BY, dimension=WIDE)

    assert made == 2 * [("guide", "tags")]
    client.close()


def test_a_client_that_was_given_stays_open() -> None:
    client = QdrantClient(":memory:")
    QdrantIndex.from_client(client, "guide", encoder=MADE_BY, dimension=WIDE).close()

    assert client.collection_exists("guide")
    client.close()


def test_what_qdrant_itself_refuses_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SpecError, match="the Qdrant folder"):
        QdrantIndex.open(tmp_path / "file", "guide", encoder=MADE_BY, dimension=WIDE)
    with pytest.raises(ToolError, match="`a/b`"):
        QdrantIndex.open(":memory:", "a/b", encoder=MADE_BY, dimension=WIDE)
    client = QdrantClient(":memory:")
    index = QdrantIndex.from_client(client, "guide", encoder=MADE_BY, dimension=WIDE)
    client.delete_collection("guide")
    with pytest.raises(ToolError, match="not found"):
        index.search(along(0), 1)
    client.close()
    with pytest.raises(ToolError, match="closed"):
        index.search(along(0), 1)


def test_a_key_for_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="`api_key` is for a server"):
        QdrantIndex.open(tmp_path / "new", "guide", encoder=MADE_BY, dimension=WIDE, api_key="secret")
    assert not (tmp_path / "new").exists()


def test_an_address_with_a_password_is_refused_without_saying_it() -> None:
    with pytest.raises(SpecError, match="`api_key`") as refused:
        QdrantIndex.open("http://me:hidden@127.0.0.1:1", "guide", encoder=MADE_BY, dimension=WIDE)
    assert "hidden" not in str(refused.value)
