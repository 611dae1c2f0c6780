"""Vectors kept on disk: once, by content, for several processes at once, within a size."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from sensecheck.config import Settings
from sensecheck.core.backends import Embedding, Encoder
from sensecheck.core.errors import CacheError, EncoderError
from sensecheck.core.unicode import text_key
from sensecheck.encoders.disk_cache import CachedEncoder, packed, unpacked
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.memory import Remembered
from sensecheck.io.blobcache import IDLE, VectorFile
from tests.conftest import Counting

LONG = " ".join(f"Sentence number {i} is here." for i in range(100))


def file_at(folder: Path, megabytes: float = 100) -> VectorFile:
    return VectorFile(folder / "vectors.sqlite3", max_bytes=int(megabytes * 1e6))


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_a_text_is_encoded_once_ever(tmp_path: Path) -> None:
    counting = Counting()
    CachedEncoder(counting, file_at(tmp_path)).encode(["a", "b", "a"])
    again = CachedEncoder(counting, file_at(tmp_path)).encode(["b", "c", "a"])

    assert counting.asked == ["a", "b", "c"]
    assert len(again) == 3


def test_what_comes_back_is_bit_for_bit_what_went_in(tmp_path: Path, minilm: Encoder) -> None:
    texts = ["short", LONG, "half known ᏣᎳ"]
    fresh = CachedEncoder(minilm, file_at(tmp_path)).encode(texts)
    kept = CachedEncoder(minilm, file_at(tmp_path)).encode(texts)

    for one, other in zip(fresh, kept, strict=True):
        assert np.array_equal(one.vector, other.vector)
        assert np.array_equal(one.windows, other.windows)
        assert (one.spans, one.unread_chars) == (other.spans, other.unread_chars)
    assert len(kept[1].spans) > 1
    assert kept[2].unread_chars == 2


def test_another_encoder_does_not_get_these_vectors(tmp_path: Path) -> None:
    small, large = Counting(HashingEncoder(16)), Counting(HashingEncoder(32))
    CachedEncoder(small, file_at(tmp_path)).encode(["a"])
    placed = CachedEncoder(large, file_at(tmp_path)).encode(["a"])

    assert large.asked == ["a"]
    assert placed[0].vector.shape == (32,)


def test_token_vectors_are_not_kept_but_given(tmp_path: Path) -> None:
    counting = Counting()
    cached = CachedEncoder(counting, file_at(tmp_path))

    assert cached.encode(["one two"], tokens=True)[0].tokens is not None
    assert file_at(tmp_path).count() == {}


def test_the_file_stays_within_its_size_and_lets_the_oldest_go(tmp_path: Path) -> None:
    file = file_at(tmp_path, megabytes=0.3)
    cached = CachedEncoder(HashingEncoder(), file)
    for start in range(0, 2000, 100):
        cached.encode([f"text {i}" for i in range(start, start + 100)])

    assert file.used_bytes() <= 300_000
    kept = sum(file.count().values())
    assert 50 < kept < 2000
    counting = Counting()
    CachedEncoder(counting, file).encode(["text 1999", "text 0"])
    assert counting.asked == ["text 0"]


def test_the_first_write_wins(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write("e", {b"k": b"first"})
    file.write("e", {b"k": b"second"})

    assert file.read("e", [b"k"]) == {b"k": b"first"}


def test_several_processes_write_and_read_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from sensecheck.encoders.disk_cache import CachedEncoder\n"
        "from sensecheck.encoders.hashing import HashingEncoder\n"
        "from sensecheck.io.blobcache import VectorFile\n"
        "cached = CachedEncoder(HashingEncoder(), VectorFile(Path(sys.argv[1]), max_bytes=10**8))\n"
        "for i in range(60):\n"
        "    cached.encode([f'text {j}' for j in range(i * 5, i * 5 + 20)])\n"
    )
    path = tmp_path / "vectors.sqlite3"
    workers = [subprocess.Popen([sys.executable, "-c", script, str(path)]) for _ in range(4)]

    assert [worker.wait(timeout=60) for worker in workers] == [0, 0, 0, 0]
    assert sum(file_at(tmp_path).count().values()) == 315


def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite3").write_bytes(b"this is no database" * 100)

    with pytest.raises(CacheError, match=r"sensecheck cache clear --all"):
        CachedEncoder(HashingEncoder(), file_at(tmp_path)).encode(["a"])


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "vectors.sqlite3") as file:
        file.execute("PRAGMA user_version = 99")
    file.close()

    with pytest.raises(CacheError, match="has the shape 99; this version reads 1"):
        file_at(tmp_path).count()


BODY = packed(HashingEncoder().encode(["a"])[0])


@pytest.mark.parametrize("body", [b"", b"x", BODY[:-3], BODY + b"x", bytes(len(BODY)), bytes(12)])
def test_a_damaged_vector_is_made_again_and_replaced(tmp_path: Path, body: bytes) -> None:
    file, counting = file_at(tmp_path), Counting()
    file.write(counting.fingerprint, {text_key("a"): body})
    placed = CachedEncoder(counting, file).encode(["a", "b"])
    again = CachedEncoder(counting, file).encode(["b", "a"])

    assert unpacked(body) is None
    assert counting.asked == ["a", "b"]
    assert np.array_equal(placed[0].vector, again[1].vector)
    assert packed(placed[0]) == BODY


@pytest.mark.parametrize(
    "around", [lambda inner, file: CachedEncoder(inner, file), lambda inner, _: Remembered(inner, 9)]
)
def test_an_encoder_that_leaves_a_text_out_is_an_error(
    tmp_path: Path, around: Callable[[Encoder, VectorFile], Encoder]
) -> None:
    class Few(HashingEncoder):
        def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
            return super().encode(texts, tokens=tokens)[:-1]

    with pytest.raises(EncoderError, match="`hashing` gave 1 embeddings for 2 texts"):
        around(Few(), file_at(tmp_path)).encode(["a", "b"])


def test_two_forms_of_a_text_keep_their_own_spans(tmp_path: Path) -> None:
    cached = CachedEncoder(HashingEncoder(), file_at(tmp_path))
    placed = [cached.encode([text])[0].spans for text in ("cafe\u0301 x", "caf\u00e9 x", "cafe\u0301 x")]

    assert placed == [((0, 7),), ((0, 6),), ((0, 7),)]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files as Linux shows them")
def test_threads_that_come_and_go_leave_no_file_open(tmp_path: Path) -> None:
    cached = CachedEncoder(HashingEncoder(), file_at(tmp_path))
    cached.encode(["a"])
    before = open_files()
    for _ in range(50):
        thread = threading.Thread(target=cached.encode, args=(["a"],))
        thread.start()
        thread.join()

    assert open_files() <= before


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files as Linux shows them")
def test_few_connections_are_kept_and_closed_with_the_file(tmp_path: Path) -> None:
    before = open_files()
    file = file_at(tmp_path)
    cached = CachedEncoder(HashingEncoder(), file)
    gate = threading.Barrier(30)

    def work(cached: Encoder) -> None:
        gate.wait()
        cached.encode([f"text {threading.get_ident()}"])

    threads = [threading.Thread(target=work, args=(cached,)) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(file._idle[os.getpid()]) <= IDLE

    del cached, file
    assert open_files() <= before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_opens_a_connection_of_its_own(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from sensecheck.io.blobcache import VectorFile\n"
        "file = VectorFile(Path(sys.argv[1]), max_bytes=10**8)\n"
        "file.write('e', {b'parent': b'1'})\n"
        "held = file._idle[os.getpid()][0]\n"
        "child = os.fork()\n"
        "file.write('e', {b'child' if child == 0 else b'again': b'2'})\n"
        "assert (file._idle[os.getpid()][0] is held) == (child != 0)\n"
        "assert child == 0 or os.waitpid(child, 0)[1] == 0\n"
        "assert file.count() == {'e': 3} or child == 0\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "v.sqlite3")], check=True, timeout=60)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_what_we_make_is_for_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        file_at(tmp_path / "new").write("e", {b"k": b"1"})
    finally:
        os.umask(before)

    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "new", tmp_path / "new/vectors.sqlite3")]
    assert modes == [0o700, 0o600]


def test_the_home_folder_may_be_written_short() -> None:
    assert Settings(cache="~/v.sqlite3").cache_file() == Path.home() / "v.sqlite3"


def test_clearing(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write("one", {b"a": b"1", b"b": b"2"})
    file.write("two", {b"a": b"1"})

    assert file.clear("one") == 2
    assert file.count() == {"two": 1}
    assert file.clear() == 1
