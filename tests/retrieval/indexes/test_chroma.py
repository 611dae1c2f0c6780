"""The index in Chroma: in a folder, and on a real server."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import chromadb
import pytest

from sensecheck.core.errors import SensecheckError, SpecError, StaleIndex, ToolError, Unreachable
from sensecheck.retrieval.indexes.chroma import ChromaIndex
from sensecheck.testing import index_contract
from tests.free_port import free_port
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


def test_an_index_that_is_closed_says_so(tmp_path: Path) -> None:
    index = ChromaIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    index.add([entry("a")])
    index.close()
    index.close()

    for asked in (index.count, lambda: index.search(along(0), 1), lambda: index.add([entry("b")])):
        with pytest.raises(ToolError, match="`guide` is closed"):
            asked()


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(Unreachable, match=address):
            ChromaIndex.open(address, "guide", encoder=MADE_BY, dimension=WIDE)


@pytest.mark.parametrize(
    ("status", "said"), [(401, "401.*`from_client`"), (403, "403"), (500, "500"), (200, "as Chroma does")]
)
def test_a_server_that_refuses_is_not_called_unreachable(status: int, said: str) -> None:
    paths: list[str] = []
    with _answering_with(status, paths) as address, pytest.raises(ToolError, match=said):
        ChromaIndex.open(f"{address}/a/prefix", "guide", encoder=MADE_BY, dimension=WIDE)
    assert paths[0].startswith("/a/prefix/api/")


def test_an_address_in_capitals_makes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for where, kind in (("HTTP://127.0.0.1:1", Unreachable), ("127.0.0.1:8000", SpecError)):
        with pytest.raises(kind):
            ChromaIndex.open(where, "guide", encoder=MADE_BY, dimension=WIDE)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_the_program_has_open_itself_wants_that_client(tmp_path: Path) -> None:
    own: Any = chromadb.PersistentClient(str(tmp_path))
    with pytest.raises(SpecError, match="`from_client`"):
        ChromaIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)

    ChromaIndex.from_client(own, "guide", encoder=MADE_BY, dimension=WIDE).close()

    assert [collection.name for collection in own.list_collections()] == ["guide"]
    own.close()


def test_a_collection_that_another_encoder_made_anew_is_noticed(tmp_path: Path) -> None:
    index = ChromaIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    index.add([entry("a")])
    index._client.delete_collection("guide")
    ChromaIndex.from_client(index._client, "guide", encoder="other:2", dimension=WIDE).add([entry("b")])

    with pytest.raises(ToolError, match="does not exist"):
        index.search(along(0), 1)
    index.close()


def test_a_real_server_keeps_to_the_contract_and_is_unreachable_when_it_is_gone(tmp_path: Path) -> None:
    with _serving(tmp_path) as address:
        _keeps_to_the_contract(address)
        _lets_go_of_the_server(address)
        index = ChromaIndex.open(address, "left", encoder=MADE_BY, dimension=WIDE)
    with pytest.raises(Unreachable, match="`left`"):
        index.search(along(0), 1)
    index.close()


def _lets_go_of_the_server(address: str) -> None:
    before = _open_sockets()
    for encoder, refused in ((MADE_BY, False), ("other:2", True)):
        for _ in range(3):
            try:
                ChromaIndex.open(address, "sockets", encoder=encoder, dimension=WIDE).close()
            except StaleIndex:
                assert refused
    assert _open_sockets() == before


def _open_sockets() -> int:
    if not (here := Path("/proc/self/fd")).exists():
        return 0
    return sum(str(one.readlink()).startswith("socket:") for one in here.iterdir() if one.is_symlink())


@contextmanager
def _answering_with(status: int, paths: list[str]) -> Iterator[str]:
    """The address of a server that answers everything so, and notes what it was asked for."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"<p>not Chroma</p>")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            serving.join()


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


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    """The address of a Chroma server, which ends with this block."""
    port = free_port()
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
