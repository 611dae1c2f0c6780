"""The spool keeps what it took, in order, on the disk; what it cannot keep it refuses."""

import logging
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError, StorageFull
from sensecheck.store.service.records import Entry
from sensecheck.store.service.spool import Spool
from tests.store.service.keeping import an_entry

MUCH = 10**9


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "spool.sqlite3"


@pytest.fixture
def spool(path: Path) -> Iterator[Spool]:
    with closing(Spool.open(path, megabytes=1)) as opened:
        yield opened


def entries_of(spool: Spool, count: int = 1000) -> list[Entry]:
    return [one.entry for one in spool.first(count, characters=MUCH)]


def damaged(path: Path, change: str) -> None:
    """Somebody else changes the file, while nobody uses it."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(change)


def test_entries_come_out_as_they_went_in(spool: Spool) -> None:
    entries = [an_entry(number) for number in range(5)]
    spool.add(entries[:2])
    spool.add(entries[2:])

    assert spool.waiting == 5
    assert entries_of(spool) == entries
    assert entries_of(spool, 2) == entries[:2]


def test_what_was_added_is_there_after_a_restart(path: Path) -> None:
    entries = [an_entry(number) for number in range(3)]
    with closing(Spool.open(path, megabytes=1)) as spool:
        spool.add(entries)
    with closing(Spool.open(path, megabytes=1)) as spool:
        assert spool.waiting == 3
        assert entries_of(spool) == entries


def test_those_who_leave_are_gone_and_the_others_stay(spool: Spool) -> None:
    entries = [an_entry(number) for number in range(5)]
    spool.add(entries)
    spool.leave(spool.first(3, characters=MUCH))

    assert spool.waiting == 2
    assert entries_of(spool) == entries[3:]


def test_as_many_come_at_once_as_fit_and_one_at_least(spool: Spool) -> None:
    spool.add([an_entry(number) for number in range(5)])

    assert len(spool.first(5, characters=1)) == 1
    assert 1 < len(spool.first(5, characters=2500)) < 5


def test_nobody_else_can_read_the_file(spool: Spool, path: Path) -> None:
    spool.add([an_entry(1)])

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"spool.sqlite3": 0o600, "spool.sqlite3-wal": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_nothing_of_what_has_left_stays_in_the_file(spool: Spool, path: Path) -> None:
    spool.add([an_entry(number) for number in range(20)])
    spool.leave(spool.first(20, characters=MUCH))

    assert not [file for file in path.parent.iterdir() if b"middleware" in file.read_bytes()]


def test_every_commit_waits_for_the_disk(spool: Spool) -> None:
    file = spool._file
    assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert file.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_second_owner_is_told_what_to_do(spool: Spool, path: Path) -> None:
    other = (
        f"from pathlib import Path\nfrom sensecheck.store.service.spool import Spool\n"
        f"Spool.open(Path({str(path)!r}), megabytes=1)"
    )
    done = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True, check=False)

    assert "is used by another process; give each process a file of its own" in done.stderr
    with pytest.raises(SpecError, match="SENSECHECK_SERVE_SPOOL"):
        Spool.open(path, megabytes=1)


def filled(spool: Spool) -> int:
    """How many entries it took, until it took no more."""
    for number in range(10_000):
        try:
            spool.add([an_entry(number)])
        except StorageFull:
            return number
    raise AssertionError("it is never full")


def test_a_full_spool_takes_nothing_more_and_keeps_what_it_has(spool: Spool) -> None:
    taken = filled(spool)

    assert 300 < taken < 1500
    assert spool.waiting == taken
    spool.leave(spool.first(100, characters=MUCH))
    spool.add([an_entry(taken)])
    assert [entry.message.user_message for entry in entries_of(spool, 2000)] == [
        str(number) for number in range(100, taken + 1)
    ]


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_takes_no_more_is_no_room_and_nothing_is_lost(spool: Spool, path: Path) -> None:
    spool.add([an_entry(number) for number in range(10)])
    size = path.with_name("spool.sqlite3-wal").stat().st_size
    with files_no_larger_than(size), pytest.raises(StorageFull):
        spool.add([an_entry(10)])

    spool.add([an_entry(11)])
    assert [entry.message.user_message for entry in entries_of(spool)] == [*map(str, range(10)), "11"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    where = tmp_path / "disk"
    where.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(where)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no disk of our own can be mounted here")
    yield where
    subprocess.run(["umount", str(where)], check=True)


@pytest.mark.slow
def test_a_full_disk_is_no_room_and_what_it_holds_can_leave(small_disk: Path) -> None:
    with closing(Spool.open(small_disk / "spool.sqlite3", megabytes=64)) as spool:
        taken = filled(spool)
        seen: list[str | None] = []
        while spool.waiting:
            head = spool.first(20, characters=MUCH)
            seen += [one.entry.message.user_message for one in head]
            spool.leave(head)

        assert seen == [str(number) for number in range(taken)]
        assert taken > 500
        assert filled(spool) > 500


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entries SET body = substr(body, 1, 40) WHERE number = 2",
        "UPDATE entries SET body = x'ff00ff' WHERE number = 2",
        "UPDATE entries SET digest = x'00' WHERE number = 2",
        "UPDATE entries SET body = replace(body, 'robots', 'rabbits') WHERE number = 2",
    ],
    ids=["torn", "no text", "no digest", "changed"],
)
def test_a_row_that_cannot_be_read_is_set_aside_and_told(
    path: Path, change: str, caplog: pytest.LogCaptureFixture
) -> None:
    entries = [an_entry(number) for number in range(3)]
    with closing(Spool.open(path, megabytes=1)) as spool:
        spool.add(entries)
    damaged(path, change)
    with closing(Spool.open(path, megabytes=1)) as spool, caplog.at_level(logging.ERROR):
        assert entries_of(spool) == [entries[0], entries[2]]
        assert (spool.waiting, spool.set_aside) == (2, 1)
        assert "entry 2 of the spool" in caplog.text
        assert "middleware" not in caplog.text
    with closing(Spool.open(path, megabytes=1)) as spool:
        assert (spool.waiting, spool.set_aside) == (2, 1)


def test_a_spool_of_another_shape_is_refused(path: Path) -> None:
    Spool.open(path, megabytes=1).close()
    damaged(path, "PRAGMA user_version = 9")
    with pytest.raises(SpecError, match="has the shape 9, and this version reads 1"):
        Spool.open(path, megabytes=1)


def test_a_file_that_is_no_spool_is_not_overwritten(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all, but somebody's words " * 100)
    with pytest.raises(SpecError, match=r"is damaged .*move it away and keep it"):
        Spool.open(path, megabytes=1)
    assert path.read_bytes().startswith(b"no database at all")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpecError, match=r"cannot be made: .*SENSECHECK_SERVE_SPOOL"):
        Spool.open(tmp_path / "file" / "spool.sqlite3", megabytes=1)
