"""A file is there in whole or not at all."""

import os
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.io.atomic import whole_binary_file, whole_file

Opened = Callable[[Path], AbstractContextManager[object]]


def test_a_text_and_bytes_are_put_in_place_at_the_end(tmp_path: Path) -> None:
    with whole_file(tmp_path / "new" / "text") as text, whole_binary_file(tmp_path / "new" / "bytes") as file:
        text.write("one\n")
        file.write(b"\x00\xff")
        assert not (tmp_path / "new" / "text").exists()
        assert not (tmp_path / "new" / "bytes").exists()

    assert (tmp_path / "new" / "text").read_bytes() == b"one\n"
    assert (tmp_path / "new" / "bytes").read_bytes() == b"\x00\xff"
    assert len(list((tmp_path / "new").iterdir())) == 2


@pytest.mark.parametrize("opened", [whole_file, whole_binary_file])
def test_what_was_there_stays_when_the_writing_fails(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "file").write_text("old")

    with pytest.raises(SpecError, match="No space left"), opened(tmp_path / "file"):
        raise OSError(28, "No space left on device")

    assert (tmp_path / "file").read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_bytes_may_be_read_by_those_whom_the_system_lets(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with whole_binary_file(tmp_path / "file") as file:
            file.write(b"x")
    finally:
        os.umask(before)

    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o644


def test_a_folder_that_is_a_file_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(SpecError, match="cannot be written"), whole_binary_file(tmp_path / "file" / "inside"):
        pass
