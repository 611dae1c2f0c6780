"""The index in Qdrant, as far as it can be run without a server: its own engine in memory and in a folder."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from qdrant_client import QdrantClient, models

from sensecheck.core.errors import SpecError, StaleIndex, Unreachable
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
