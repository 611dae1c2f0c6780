"""The index in memory, and its file."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sensecheck.core.errors import SpecError, StaleIndex
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval.indexes.index import Reference
from sensecheck.retrieval.indexes.memory import MemoryIndex
from tests.retrieval.indexes.contract import MADE_BY, WIDE, IndexContract, Opened, along, entry, sources


def put_instead(path: Path, part: str, other: npt.NDArray[Any]) -> None:
    """Replace one part of a file."""
    with np.load(path) as file:
        parts = dict(file)
    with path.open("wb") as damaged:
        np.savez(damaged, **(parts | {part: other}))


class TestMemoryIndex(IndexContract):
    @pytest.fixture
    def opened(self) -> Opened:
        return MemoryIndex


def test_of_those_equally_close_the_first_by_id_come_first() -> None:
    wide = 384  # where a product of matrices tells equal rows apart
    row, asked = np.random.default_rng(2).normal(size=(2, wide)).astype(np.float32)
    index = MemoryIndex(MADE_BY, wide)
    index.add(entry(f"{n:02}", row, part=n % 2) for n in reversed(range(31)))

    assert sources(index.search(asked, 5)) == ["00", "01", "02", "03", "04"]
    assert sources(index.search(asked, 3, filter={"part": 1})) == ["01", "03", "05"]
    assert len({match.closeness for match in index.search(asked, 31)}) == 1


def test_references_are_placed_and_put_in_at_once() -> None:
    encoder = HashingEncoder()
    index = MemoryIndex.of([Reference("a", "opening hours"), Reference("b", "the roof leaks")], encoder)

    assert (index.count(), index.encoder) == (2, encoder.fingerprint)


def test_a_match_cannot_change_the_index() -> None:
    index = MemoryIndex(MADE_BY, WIDE)
    index.add([entry("a")])
    (match,) = index.search(along(0), 1)
    assert match.vector is not None
    match.vector[:] = 0

    assert index.search(along(0), 1)[0].closeness == pytest.approx(1)


def test_a_file_brings_everything_back(tmp_path: Path) -> None:
    path = tmp_path / "guide.index"
    index = MemoryIndex(MADE_BY, WIDE)
    index.add(entry(f"r{n}\u2028", along(n, lean=0.2), year=n, share=float(n)) for n in range(5))
    index.save(path)

    again = MemoryIndex.load(path, MADE_BY)

    assert again.search(along(2), 5) == index.search(along(2), 5)
    assert [file.name for file in tmp_path.iterdir()] == ["guide.index"]
    again.add([entry("new", along(9)), entry("r0\u2028", along(9, lean=1))])
    assert again.count() == 6


def test_an_empty_index_has_a_file_too(tmp_path: Path) -> None:
    MemoryIndex(MADE_BY, WIDE).save(tmp_path / "empty")

    assert MemoryIndex.load(tmp_path / "empty", MADE_BY).search(along(0), 1) == []


def test_a_file_of_another_encoder_does_not_load(tmp_path: Path) -> None:
    MemoryIndex(MADE_BY, WIDE).save(tmp_path / "index")

    with pytest.raises(StaleIndex, match=r"test-encoder:1.*other:2"):
        MemoryIndex.load(tmp_path / "index", "other:2")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"\x93NUMPY", b"text"])
def test_a_file_that_is_no_index_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index").write_bytes(content)

    with pytest.raises(SpecError, match="index"):
        MemoryIndex.load(tmp_path / "index", MADE_BY)


def test_arrays_of_somebody_else_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", x=np.ones(3))
    np.save(tmp_path / "other.npy", np.zeros((3, WIDE)))

    for other in ("other.npz", "other.npy"):
        with pytest.raises(SpecError, match=f"{other}` cannot be read as an index"):
            MemoryIndex.load(tmp_path / other, MADE_BY)
    with pytest.raises(SpecError, match="not there"):
        MemoryIndex.load(tmp_path / "nowhere", MADE_BY)


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index"
    index = MemoryIndex(MADE_BY, WIDE)
    index.add([entry("a")])
    index.save(path)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    index.add([entry("b")])
    with pytest.raises(SpecError, match=r"cannot be written.*No space"):
        index.save(path)

    monkeypatch.undo()
    assert MemoryIndex.load(path, MADE_BY).count() == 1
    assert [file.name for file in tmp_path.iterdir()] == ["index"]


def test_a_file_may_be_read_by_those_whom_the_system_lets(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    MemoryIndex(MADE_BY, WIDE).save(tmp_path / "new folder" / "index")

    assert (tmp_path / "new folder" / "index").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize(
    ("part", "other", "said"),
    [
        ("about", np.frombuffer(b'{"engine": "another"}', np.uint8), "no index of the engine `memory`"),
        ("about", np.frombuffer(b'{"engine": "memory"}', np.uint8), "does not say which encoder"),
        ("array", np.zeros((2, WIDE), np.float32), rf"1 references of {WIDE} numbers.*\(2, {WIDE}\)"),
    ],
)
def test_a_file_whose_parts_do_not_belong_together_is_refused(
    tmp_path: Path, part: str, other: npt.NDArray[Any], said: str
) -> None:
    path = tmp_path / "index"
    index = MemoryIndex(MADE_BY, WIDE)
    index.add([entry("a")])
    index.save(path)
    put_instead(path, part, other)

    with pytest.raises(SpecError, match=said):
        MemoryIndex.load(path, MADE_BY)


@pytest.mark.parametrize("damage", [b'{"id": "a", "te\n', b'{"other": 1}', b"[1]"])
def test_a_reference_that_is_damaged_in_the_file_is_named(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "index"
    index = MemoryIndex(MADE_BY, WIDE)
    index.add([entry("a")])
    index.save(path)
    put_instead(path, "references", np.frombuffer(damage, np.uint8))

    with pytest.raises(SpecError, match="reference 1 cannot be read"):
        MemoryIndex.load(path, MADE_BY)
