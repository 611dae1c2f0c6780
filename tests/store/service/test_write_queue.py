"""What the keeper says it has kept is in the database or in the spool, in order and once."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import cast

import pytest

from sensecheck.core.errors import StorageError, StorageFull
from sensecheck.server.database import AsyncWriteQueue
from sensecheck.server.problems import BROKEN, NO_ROOM, STOPPING, Problem
from sensecheck.store.service.records import Entry
from sensecheck.store.service.spool import Spool
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import WriteQueue
from tests.store.service.keeping import a_keeper, an_entry, empty_within, in_database, numbers
from tests.store.service.made import kept_message

NEVER = 30.0
"""Seconds, on a machine that has much else to do: the spool is not what is tested."""


class Counted:
    """A real database; how often it was written to is counted, and a gate may keep writers waiting."""

    def __init__(self, store: ServiceStore) -> None:
        self.store = store
        self.sizes: list[int] = []
        self.gate = threading.Event()
        self.gate.set()
        self.written = threading.Event()

    def write(self, entries: Sequence[Entry], /) -> None:
        self.gate.wait(30)
        self.sizes.append(len(entries))
        try:
            self.store.write(entries)
        finally:
            self.written.set()


def kept(futures: Sequence["Future[None]"]) -> None:
    for future in futures:
        future.result(20)


def test_what_is_kept_is_in_the_database(store: ServiceStore, tmp_path: Path) -> None:
    entries = [an_entry(number) for number in range(50)]
    with a_keeper(store, tmp_path, hurry=NEVER) as keeper:
        kept([keeper.keep(entry) for entry in entries])

        assert in_database(store) == numbers(range(50))
        assert (keeper.waiting, keeper.spooled_total) == (0, 0)
        assert kept_message(store, 1, entries[7].message.id) == entries[7].message


def test_all_that_wait_go_into_one_transaction(store: ServiceStore, tmp_path: Path) -> None:
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path, hurry=NEVER) as keeper:
        futures = [keeper.keep(an_entry(0))]
        while not keeper._database.busy:
            sleep(0.001)
        futures += [keeper.keep(an_entry(number)) for number in range(1, 200)]
        counted.gate.set()
        kept(futures)

    assert counted.sizes == [1, 199]


def test_while_the_database_is_slow_entries_go_to_the_spool_and_follow_in_order(
    store: ServiceStore, tmp_path: Path
) -> None:
    counted = Counted(store)
    with a_keeper(counted, tmp_path) as keeper:
        counted.gate.clear()
        kept([keeper.keep(an_entry(number)) for number in range(20)])
        kept([keeper.keep(an_entry(number)) for number in range(20, 1200)])

        assert keeper.waiting == keeper.spooled_total == 1200
        assert in_database(store) == []
        counted.gate.set()
        assert empty_within(keeper, 10) < 10
        assert in_database(store) == numbers(range(1200))
        kept([keeper.keep(an_entry(1200))])
        assert keeper.spooled_total == 1200


def test_a_second_request_does_not_wait_for_a_database_that_is_away(
    store: ServiceStore, tmp_path: Path
) -> None:
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path) as keeper:
        keeper.keep(an_entry(0)).result(3)
        keeper.keep(an_entry(1)).result(0.5)
        counted.gate.set()


def bad_entry(number: int) -> Entry:
    """One that neither database takes: no column holds such a number."""
    return an_entry(number, project=2**70)


def test_an_entry_that_is_refused_fails_alone(
    store: ServiceStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path, hurry=NEVER) as keeper:
        futures = [keeper.keep(bad_entry(n) if n in (0, 7) else an_entry(n)) for n in range(20)]
        counted.gate.set()
        wrong = [n for n, future in enumerate(futures) if future.exception(20) is not None]

        assert wrong == [0, 7]
        assert isinstance(futures[7].exception(), StorageError)
        assert in_database(store) == numbers(n for n in range(20) if n not in wrong)
        assert keeper.waiting == keeper.set_aside == 0
        assert "is refused: " in caplog.text


def test_an_entry_that_is_refused_out_of_the_spool_is_set_aside_and_blocks_nobody(
    store: ServiceStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool.open(tmp_path / "spool.sqlite3", megabytes=1)
    spool.add([bad_entry(n) if n in (0, 7) else an_entry(n) for n in range(20)])
    spool.close()
    with caplog.at_level(logging.ERROR), a_keeper(store, tmp_path) as keeper:
        empty_within(keeper, 10)

        assert keeper.set_aside == 2
        assert in_database(store) == numbers(n for n in range(20) if n not in (0, 7))
        assert "entry 8 of the spool" in caplog.text
        assert "middleware" not in caplog.text


def test_an_entry_without_words_fails_alone_on_its_way_to_the_spool(
    store: ServiceStore, tmp_path: Path
) -> None:
    strange = an_entry(1)
    strange = replace(strange, message=replace(strange.message, support=float("nan")))
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path) as keeper:
        futures = [keeper.keep(entry) for entry in (an_entry(0), strange, an_entry(2))]
        assert [future.exception(5) is None for future in futures] == [True, False, True]
        counted.gate.set()


def test_the_spool_is_emptied_also_while_clients_never_rest(store: ServiceStore, tmp_path: Path) -> None:
    spool = Spool.open(tmp_path / "spool.sqlite3", megabytes=64)
    spool.add([an_entry(number) for number in range(2500)])
    spool.close()
    with a_keeper(store, tmp_path) as keeper:
        count = 2500
        while keeper.waiting:
            assert count < 10_000, f"{keeper.waiting} still wait"
            kept([keeper.keep(an_entry(number)) for number in range(count, count + 64)])
            count += 64

        assert in_database(store) == numbers(range(count))


def test_what_a_killed_process_left_is_written_at_the_start(store: ServiceStore, tmp_path: Path) -> None:
    spool = Spool.open(tmp_path / "spool.sqlite3", megabytes=64)
    spool.add([an_entry(number) for number in range(1500)])
    spool.close()
    with a_keeper(store, tmp_path) as keeper:
        kept([keeper.keep(an_entry(1500))])
        empty_within(keeper, 10)

        assert in_database(store) == numbers(range(1501))


def test_an_entry_that_is_there_already_is_left_as_it_is(store: ServiceStore, tmp_path: Path) -> None:
    entry = an_entry(1)
    with a_keeper(store, tmp_path) as keeper:
        kept([keeper.keep(entry)])
        kept([keeper.keep(replace(entry, message=replace(entry.message, user_message="2")))])

        assert in_database(store) == ["1"]


def test_a_spool_that_is_full_is_told_and_what_it_has_is_not_lost(
    store: ServiceStore, tmp_path: Path
) -> None:
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path, megabytes=1) as keeper:
        kept([keeper.keep(an_entry(0))])
        taken = 1
        while (wrong := keeper.keep(an_entry(taken)).exception(5)) is None:
            taken += 1

        assert isinstance(wrong, StorageFull)
        counted.gate.set()
        empty_within(keeper, 10)
        assert in_database(store) == numbers(range(taken))
        kept([keeper.keep(an_entry(taken + 1))])


def test_stopping_keeps_what_was_taken_and_takes_nothing_more(store: ServiceStore, tmp_path: Path) -> None:
    with a_keeper(store, tmp_path) as keeper:
        futures = [keeper.keep(an_entry(number)) for number in range(2000)]
        assert keeper.stop(10)

        assert all(future.done() and future.exception() is None for future in futures)
        assert in_database(store) == numbers(range(2000))
        with pytest.raises(StorageError):
            keeper.keep(an_entry(1)).result(1)


@pytest.mark.parametrize("count", [2, 1200], ids=["while it is left alone", "after that"])
def test_stopping_empties_the_spool_when_the_database_is_back(
    store: ServiceStore, tmp_path: Path, count: int
) -> None:
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path) as keeper:
        kept([keeper.keep(an_entry(0))])
        kept([keeper.keep(an_entry(number)) for number in range(1, count)])
        threading.Timer(0.5, counted.gate.set).start()
        assert keeper.stop(10)

        assert keeper.waiting == 0
        assert in_database(store) == numbers(range(count))


class Ended(Spool):
    """A spool whose disk is gone altogether."""

    def add(self, entries: Sequence[Entry]) -> None:
        raise RuntimeError("the disk is gone")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_nobody_waits_for_ever_when_the_thread_ends(store: ServiceStore, tmp_path: Path) -> None:
    counted = Counted(store)
    counted.gate.clear()
    spool = Ended.open(tmp_path / "spool.sqlite3", megabytes=1)
    keeper = WriteQueue(counted, spool, hurry=0.1)
    keeper.start()
    first, second = keeper.keep(an_entry(0)), keeper.keep(an_entry(1))

    assert isinstance(first.exception(5), StorageError)
    assert isinstance(second.exception(5), StorageError)
    assert not keeper.alive
    counted.gate.set()
    assert counted.written.wait(20)  # its connection must be back before the store is closed
    spool.close()


def test_a_client_that_leaves_undoes_nothing(store: ServiceStore, tmp_path: Path) -> None:
    counted = Counted(store)
    counted.gate.clear()
    with a_keeper(counted, tmp_path, hurry=NEVER) as keeper:
        keeping = AsyncWriteQueue(keeper)

        async def leave() -> None:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(keeping.keep(an_entry(1)), 0.1)
            counted.gate.set()
            await keeping.keep(an_entry(2))

        asyncio.run(leave())
        assert in_database(store) == numbers([1, 2])
        assert keeper.waiting == keeper.spooled_total == keeper.set_aside == 0
        assert keeper.alive


def test_the_loop_is_told_what_went_wrong_as_a_problem(store: ServiceStore, tmp_path: Path) -> None:
    counted = Counted(store)
    with a_keeper(counted, tmp_path, megabytes=1, hurry=3) as keeper:
        keeping = AsyncWriteQueue(keeper)

        async def problem_of(entry: Entry) -> Problem:
            with pytest.raises(Problem) as found:
                await keeping.keep(entry)
            return found.value

        assert asyncio.run(problem_of(bad_entry(1))).kind is BROKEN
        counted.gate.clear()
        large = an_entry(2)
        large = replace(large, message=replace(large.message, assistant_response="x" * 2_000_000))
        full = asyncio.run(problem_of(large))
        assert full.kind is NO_ROOM
        assert full.retry_after is not None
        counted.gate.set()
        keeper.stop(5)
        assert asyncio.run(problem_of(an_entry(3))).kind is STOPPING


def test_a_spool_that_cannot_be_read_for_a_while_is_read_later(
    store: ServiceStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with a_keeper(store, tmp_path) as keeper:
        spool = keeper._spool
        spool._file.execute("ALTER TABLE entries RENAME TO out_of_reach")
        spool.waiting = 1  # as if the file were damaged after it was counted
        keeper._queue.wake()
        until(lambda: "cannot be read: SQLITE_ERROR" in caplog.text)
        assert keeper.alive
        spool.waiting = 0
        spool._file.execute("ALTER TABLE out_of_reach RENAME TO entries")

        kept([keeper.keep(an_entry(1))])
        empty_within(keeper, 10)
        assert in_database(store) == ["1"]


def test_a_keeper_that_dies_says_so_and_lets_nobody_wait(
    store: ServiceStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with a_keeper(store, tmp_path) as keeper:
        kept([keeper.keep(an_entry(1))])
        with pytest.raises(StorageError):
            keeper.keep(cast("Entry", "no entry at all")).result(20)

        until(lambda: not keeper.alive)
        told = next(record for record in caplog.records if record.levelno == logging.CRITICAL)
        assert "the write queue has ended" in told.getMessage()
        with pytest.raises(StorageError):
            keeper.keep(an_entry(2)).result(20)


def until(holds: Callable[[], bool]) -> None:
    """Wait for it."""
    for _ in range(1000):
        if holds():
            return
        sleep(0.01)
    pytest.fail("it never came to that")
