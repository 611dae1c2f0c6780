"""The index in Chroma: in a folder, and on a real server."""

import gc
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sensecheck.core.errors import SensecheckError, SpecError, StaleIndex, Unreachable
from sensecheck.retrieval.indexes.chroma import ChromaIndex
from sensecheck.testing import index_contract
from tests.retrieval.indexes.contract import MADE_BY, WIDE, KeptIndexContract, Opened, along, entry


class TestChromaIndex(KeptIndexContract):
    @pytest.fixture
    def opened(self, tmp_path: Path) -> Iterator[Opened]:
        there: list[ChromaIndex] = []

        def one(encoder: str, dimension: int) -> ChromaIndex:
            there.append(ChromaIndex.open(tmp_path, "guide", encoder=encoder, dimension=dimension))
            return there[-1]

        yield one
        for index in there:
            index.close()


def test_a_collection_with_a_name_that_chroma_does_not_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="`x`"):
        ChromaIndex.open(tmp_path, "x", encoder=MADE_BY, dimension=WIDE)


def test_a_folder_that_is_a_file_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(SensecheckError, match="the Chroma folder"):
        ChromaIndex.open(tmp_path / "file", "guide", encoder=MADE_BY, dimension=WIDE)


def test_vectors_can_be_left_out(tmp_path: Path) -> None:
    index = ChromaIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE, with_vectors=False)
    index.add([entry("a")])

    assert index.search(along(0), 1)[0].vector is None
    index.close()


def test_a_server_that_is_not_there_is_unreachable() -> None:
    port = _free_port()

    with pytest.raises(Unreachable, match=f"127.0.0.1:{port}"):
        ChromaIndex.open(f"http://127.0.0.1:{port}", "guide", encoder=MADE_BY, dimension=WIDE)


# Chroma's client never closes its sockets, so they end here, where that may be said.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_a_real_server_keeps_to_the_contract_and_is_unreachable_when_it_is_gone(tmp_path: Path) -> None:
    with _serving(tmp_path) as address:
        _keeps_to_the_contract(address)
        index = ChromaIndex.open(address, "left", encoder=MADE_BY, dimension=WIDE)
    with pytest.raises(Unreachable, match="`left`"):
        index.search(along(0), 1)
    index.close()
    del index
    gc.collect()


def _keeps_to_the_contract(address: str) -> None:
    there: list[ChromaIndex] = []

    def one(encoder: str, dimension: int) -> ChromaIndex:
        there.append(ChromaIndex.open(address, f"of-{dimension}", encoder=encoder, dimension=dimension))
        return there[-1]

    index_contract(one)
    one(MADE_BY, WIDE).add(entry(f"r{n}", along(n % WIDE, lean=n / 6_000)) for n in range(6_000))
    assert one(MADE_BY, WIDE).count() == 6_000
    assert one(MADE_BY, WIDE).search(along(0), 1)[0].source == "r0"
    with pytest.raises(StaleIndex, match=r"test-encoder:1.*other:2"):
        one("other:2", WIDE)
    for index in there:
        index.close()


def _free_port() -> int:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        return int(nobody.getsockname()[1])


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    """The address of a Chroma server, which ends with this block."""
    port = _free_port()
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--host", "127.0.0.1"]
    with subprocess.Popen(
        [*command, "--port", str(port), "--path", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the Chroma server did not start")
