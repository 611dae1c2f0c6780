"""A name belongs to the first one who creates it, on this machine and in a store of objects."""

import stat
from pathlib import Path
from secrets import token_hex

import pytest
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from sensecheck.io.objectstore import create_once, knows_conditions, put_once


def test_the_first_one_creates_a_file_and_the_second_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"

    assert create_once(path, b"first")
    assert not create_once(path, b"second")
    assert path.read_bytes() == b"first"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_a_file_may_be_for_its_owner_only(tmp_path: Path) -> None:
    create_once(tmp_path / "file", b"", mode=0o600)

    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_the_first_one_creates_an_object_and_the_second_changes_nothing() -> None:
    store, path = MemoryFileSystem(), f"/{token_hex(8)}"

    assert knows_conditions(store, f"{path}.tried")
    assert put_once(store, path, b"first")
    assert not put_once(store, path, b"second")
    assert store.cat_file(path) == b"first"


def test_an_object_may_have_the_content_of_a_file(tmp_path: Path) -> None:
    store, path = MemoryFileSystem(), f"/{token_hex(8)}"
    (tmp_path / "file").write_bytes(b"first")

    assert put_once(store, path, tmp_path / "file")
    assert not put_once(store, path, b"second")
    assert store.cat_file(path) == b"first"


def test_a_store_that_looks_first_and_writes_then_cannot_tell_who_was_first(tmp_path: Path) -> None:
    assert not knows_conditions(LocalFileSystem(), str(tmp_path / "tried"))


class Heedless(MemoryFileSystem):  # type: ignore[misc]  # fsspec is untyped
    """A store that puts whatever it is told to put."""

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **told: object) -> None:
        super().pipe_file(path, value, mode="overwrite")


class Conflicting(MemoryFileSystem):  # type: ignore[misc]  # fsspec is untyped
    """A store that takes neither of two that come at once, and says so in words of its own."""

    conflicts = 1

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **told: object) -> None:
        if self.conflicts:
            self.conflicts -= 1
            raise OSError("ConditionalRequestConflict")
        super().pipe_file(path, value, mode=mode)


def test_a_store_that_ignores_conditions_is_found_out() -> None:
    assert not knows_conditions(Heedless(skip_instance_cache=True), f"/{token_hex(8)}")


def test_a_conflict_is_tried_again_and_trouble_that_stays_is_said() -> None:
    store = Conflicting(skip_instance_cache=True)
    assert put_once(store, f"/{token_hex(8)}", b"")

    store.conflicts = 99
    with pytest.raises(OSError, match="ConditionalRequestConflict"):
        put_once(store, f"/{token_hex(8)}", b"")
