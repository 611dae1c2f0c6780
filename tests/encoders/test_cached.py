"""Vectors kept on disk: once, by content, for several processes at once, within a size."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sensecheck.core.encoder import Encoder
from sensecheck.core.errors import CacheError
from sensecheck.encoders.cached import Cached, packed, unpacked
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.vector_file import VectorFile
from tests.conftest import Counting

LONG = " ".join(f"Sentence number {i} is here." for i in range(100))


def file_at(folder: Path, megabytes: float = 100) -> VectorFile:
    return VectorFile(folder / "vectors.sqlite3", max_bytes=int(megabytes * 1e6))


def test_a_text_is_encoded_once_ever(tmp_path: Path) -> None:
    counting = Counting()
    Cached(counting, file_at(tmp_path)).place(["a", "b", "a"])
    again = Cached(counting, file_at(tmp_path)).place(["b", "c", "a"])

    assert counting.asked == ["a", "b", "c"]
    assert len(again) == 3


def test_what_comes_back_is_bit_for_bit_what_went_in(tmp_path: Path, minilm: Encoder) -> None:
    texts = ["short", LONG, "half known ᏣᎳ"]
    fresh = Cached(minilm, file_at(tmp_path)).place(texts)
    kept = Cached(minilm, file_at(tmp_path)).place(texts)

    for one, other in zip(fresh, kept, strict=True):
        assert np.array_equal(one.vector, other.vector)
        assert np.array_equal(one.windows, other.windows)
        assert (one.spans, one.unread_chars) == (other.spans, other.unread_chars)
    assert len(kept[1].spans) > 1
    assert kept[2].unread_chars == 2


def test_another_encoder_does_not_get_these_vectors(tmp_path: Path) -> None:
    small, large = Counting(HashingEncoder(16)), Counting(HashingEncoder(32))
    Cached(small, file_at(tmp_path)).place(["a"])
    placed = Cached(large, file_at(tmp_path)).place(["a"])

    assert large.asked == ["a"]
    assert placed[0].vector.shape == (32,)


def test_token_vectors_are_not_kept_but_given(tmp_path: Path) -> None:
    counting = Counting()
    cached = Cached(counting, file_at(tmp_path))

    assert cached.place(["one two"], tokens=True)[0].tokens is not None
    assert file_at(tmp_path).count() == {}


def test_the_file_stays_within_its_size_and_lets_the_oldest_go(tmp_path: Path) -> None:
    file = file_at(tmp_path, megabytes=0.3)
    cached = Cached(HashingEncoder(), file)
    for start in range(0, 2000, 100):
        cached.place([f"text {i}" for i in range(start, start + 100)])

    assert file.used_bytes() <= 300_000
    kept = sum(file.count().values())
    assert 50 < kept < 2000
    counting = Counting()
    Cached(counting, file).place(["text 1999", "text 0"])
    assert counting.asked == ["text 0"]


def test_the_first_write_wins(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write("e", {b"k": b"first"})
    file.write("e", {b"k": b"second"})

    assert file.read("e", [b"k"]) == {b"k": b"first"}


def test_several_processes_write_and_read_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from sensecheck.encoders.cached import Cached\n"
        "from sensecheck.encoders.hashing import HashingEncoder\n"
        "from sensecheck.encoders.vector_file import VectorFile\n"
        "cached = Cached(HashingEncoder(), VectorFile(Path(sys.argv[1]), max_bytes=10**8))\n"
        "for i in range(60):\n"
        "    cached.place([f'text {j}' for j in range(i * 5, i * 5 + 20)])\n"
    )
    path = tmp_path / "vectors.sqlite3"
    workers = [subprocess.Popen([sys.executable, "-c", script, str(path)]) for _ in range(4)]

    assert [worker.wait(timeout=60) for worker in workers] == [0, 0, 0, 0]
    assert sum(file_at(tmp_path).count().values()) == 315


def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite3").write_bytes(b"this is no database" * 100)

    with pytest.raises(CacheError, match=r"sensecheck cache clear --all"):
        Cached(HashingEncoder(), file_at(tmp_path)).place(["a"])


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "vectors.sqlite3") as file:
        file.execute("PRAGMA user_version = 99")
    file.close()

    with pytest.raises(CacheError, match="has the shape 99; this version reads 1"):
        file_at(tmp_path).count()


def test_a_damaged_vector_is_noticed() -> None:
    body = packed(HashingEncoder().place(["a"])[0])

    assert unpacked(body).vector.shape == (256,)
    with pytest.raises(CacheError, match="damaged"):
        unpacked(body[:-3])


def test_clearing(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write("one", {b"a": b"1", b"b": b"2"})
    file.write("two", {b"a": b"1"})

    assert file.clear("one") == 2
    assert file.count() == {"two": 1}
    assert file.clear() == 1
