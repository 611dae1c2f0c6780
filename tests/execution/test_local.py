import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sensecheck.core.errors import StorageError, StorageFull
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.location import own_name

WRITERS = [sys.executable, "-m", "tests.execution.location_writers"]


def kept(place: LocalLocation, name: str, content: bytes) -> str:
    with place.scratch() as folder:
        (folder / "written").write_bytes(content)
        return place.keep(folder / "written", name)


def test_the_first_one_to_keep_a_name_wins(tmp_path: Path) -> None:
    place = LocalLocation(tmp_path / "run")

    assert kept(place, "results/a.parquet", b"first") == "results/a.parquet"
    assert kept(place, "results/a.parquet", b"second") == "results/a.parquet"
    assert place.write("run.json", b"first") is True
    assert place.write("run.json", b"second") is False

    assert place.read("results/a.parquet") == place.read("run.json") == b"first"
    assert place.names("results") == ["results/a.parquet"]
    assert list((tmp_path / "run" / ".scratch").iterdir()) == []

    place.drop("results")
    place.drop("none")
    assert place.names("results") == []
    assert place.read("run.json") == b"first"


def test_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    place = LocalLocation(tmp_path / "run")

    assert (place.names("results"), place.read("run.json"), place.sweep()) == ([], None, 0)
    with pytest.raises(StorageError, match=r"none.parquet` cannot be used: No such file"):
        place.open("results/none.parquet")


def test_a_disk_without_second_names_gets_names_of_their_own(tmp_path: Path) -> None:
    place = LocalLocation(tmp_path, conditional=False)

    names = [kept(place, "results/a.parquet", content) for content in (b"first", b"second")]

    assert len(set(names)) == 2
    assert [own_name(name) for name in names] == ["results/a.parquet"] * 2
    assert [place.read(name) for name in names] == [b"first", b"second"]
    assert place.write("run.json", b"first") is True
    assert place.write("run.json", b"second") is False


def test_of_eight_writers_of_one_name_one_is_first(tmp_path: Path) -> None:
    said = subprocess.run([*WRITERS, "write", str(tmp_path)], capture_output=True, check=True).stdout

    assert sorted(json.loads(said)) == [*[False] * 7, True]
    content = LocalLocation(tmp_path).read("results/wanted.bin")
    assert content in [str(number).encode() * 10_000 for number in range(8)]
    assert LocalLocation(tmp_path).names("results") == ["results/wanted.bin"]


def test_a_killed_writer_leaves_nothing_to_be_seen_and_its_scratch_is_swept(tmp_path: Path) -> None:
    place = LocalLocation(tmp_path)
    with subprocess.Popen([*WRITERS, "hang", str(tmp_path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        assert place.sweep() == 0
        writer.kill()
    with place.scratch() as mine:
        (mine / "mine").write_bytes(b"mine")
        assert place.sweep() == 1
        assert (mine / "mine").read_bytes() == b"mine"

    assert place.sweep() == 0
    assert [path.name for path in tmp_path.rglob("*")] == [".scratch"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk of our own can be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_no_room_and_takes_more_once_there_is_some(small_disk: Path) -> None:
    place = LocalLocation(small_disk)
    (small_disk / "large").write_bytes(b"." * 50_000)

    with pytest.raises(StorageFull, match=r"is full: No space left on device; make room there"):
        kept(place, "results/a.parquet", b"." * 50_000)
    (small_disk / "large").unlink()

    assert place.names("results") == []
    assert kept(place, "results/a.parquet", b"." * 50_000) == "results/a.parquet"


def test_a_disk_that_may_only_be_read_is_named(small_disk: Path) -> None:
    place = LocalLocation(small_disk / "run")
    place.write("run.json", b"{}")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    assert place.read("run.json") == b"{}"
    with pytest.raises(StorageError, match=r"disk/run` may not be written: Read-only file system"):
        place.write("manifest.json", b"{}")


def test_a_file_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file")

    with pytest.raises(StorageError, match="Not a directory"):
        LocalLocation(tmp_path / "run").write("run.json", b"{}")
