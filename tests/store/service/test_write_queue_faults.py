"""Whatever happens to the wire: what was acknowledged is in the database in the end, once and in order."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic, sleep

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import HURRY, WriteQueue
from tests.databases import postgresql_database, postgresql_place
from tests.faults.kinds import BLACKHOLE, PASS, REFUSE, RESET, STALL, Fault, cut, latency, slow, stall
from tests.faults.proxy import FaultProxy, fault_proxy
from tests.ready_tables import make_tables
from tests.store.cut_wire import cut_wire
from tests.store.service.keeping import a_keeper, an_entry, as_written, empty_within, numbers

pytestmark = [pytest.mark.database, pytest.mark.fault]


RECOVERY = 10.0
"""Seconds after which all is well again."""


@dataclass
class Requests:
    """Requests that come in one after another."""

    keeper: WriteQueue
    project: int = field(default_factory=count(1).__next__)
    """Each test has one of its own, in a database of all."""
    kept: list["Future[None]"] = field(default_factory=list)

    def come(self, *, seconds: float) -> None:
        """For so long, two or three in a hundredth of a second."""
        until = monotonic() + seconds
        while monotonic() < until:
            self.kept.append(self.keeper.keep(an_entry(len(self.kept), project=self.project)))
            sleep(0.004)

    def all_kept(self, *, within: float) -> list[str]:
        """Each is acknowledged soon; their numbers."""
        until = monotonic() + within
        for future in self.kept:
            future.result(max(0.0, until - monotonic()))
        return numbers(range(len(self.kept)))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgresql_database() as made:
        make_tables(made)
        yield made


@contextmanager
def keeper_through(address: str, port: int, folder: Path, *, hurry: float = HURRY) -> Iterator[WriteQueue]:
    store = ServiceStore.open(make_url(address).set(port=port).render_as_string())
    with a_keeper(store, folder, hurry=hurry) as keeper:
        yield keeper
    store.close()


@contextmanager
def behind_proxy(
    address: str, folder: Path, *, hurry: float = HURRY
) -> Iterator[tuple[FaultProxy, Requests]]:
    with (
        fault_proxy(postgresql_place()) as proxy,
        keeper_through(address, proxy.port, folder, hurry=hurry) as keeper,
    ):
        requests = Requests(keeper)
        requests.come(seconds=0.3)
        requests.all_kept(within=5)
        yield proxy, requests


@pytest.mark.parametrize(
    "fault",
    [
        RESET,
        REFUSE,
        BLACKHOLE,
        STALL,
        stall("to_client"),
        latency(1500),
        slow(200),
        cut(300, "to_server"),
        cut(20, "to_client"),
        cut(2000, "to_client"),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.amount:g}-{len(fault.ways)}",
)
def test_during_a_fault_all_is_kept_at_once_and_written_when_it_is_over(
    address: str, tmp_path: Path, fault: Fault
) -> None:
    with behind_proxy(address, tmp_path) as (proxy, requests):
        proxy.now(fault)
        requests.come(seconds=2.5)
        requests.all_kept(within=1.5)

        assert requests.keeper.spooled_total > 0
        proxy.now(PASS)
        assert empty_within(requests.keeper, RECOVERY) < RECOVERY
        requests.come(seconds=0.2)
        expected = requests.all_kept(within=2)

        empty_within(requests.keeper, RECOVERY)
        assert as_written(address, requests.project) == expected


def test_a_database_that_is_only_a_little_late_is_waited_for(address: str, tmp_path: Path) -> None:
    with behind_proxy(address, tmp_path, hurry=10) as (proxy, requests):
        proxy.now(latency(20))
        requests.come(seconds=1)
        expected = requests.all_kept(within=10)

        assert requests.keeper.spooled_total == 0
        assert as_written(address, requests.project) == expected


def test_faults_that_come_and_go_lose_nothing(address: str, tmp_path: Path) -> None:
    with behind_proxy(address, tmp_path) as (proxy, requests):
        for fault in (REFUSE, latency(300), RESET, cut(700), BLACKHOLE, slow(2000), STALL):
            proxy.now(fault)
            requests.come(seconds=0.4)
            proxy.now(PASS)
            requests.come(seconds=0.2)
        expected = requests.all_kept(within=2)
        empty_within(requests.keeper, RECOVERY)

        assert as_written(address, requests.project) == expected


@pytest.mark.parametrize("swallowed", [True, False], ids=["before the commit", "after the commit"])
def test_a_wire_that_is_cut_around_a_commit_neither_loses_nor_doubles(
    address: str, tmp_path: Path, swallowed: bool
) -> None:
    with (
        cut_wire(postgresql_place(), b"COMMIT", swallowed=swallowed) as wire,
        keeper_through(address, wire.port, tmp_path) as keeper,
    ):
        requests = Requests(keeper)
        wire.armed.set()
        requests.come(seconds=0.5)
        expected = requests.all_kept(within=2)
        empty_within(keeper, RECOVERY)

        assert wire.cut.is_set()
        assert keeper.spooled_total > 0
        assert as_written(address, requests.project) == expected


def test_a_server_that_ends_every_connection_loses_nothing(address: str, tmp_path: Path) -> None:
    other = ServiceStore.open(address)
    end = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with keeper_through(address, postgresql_place()[1], tmp_path) as keeper:
        requests = Requests(keeper)
        for _ in range(10):
            requests.come(seconds=0.05)
            with other.engine.begin() as connection:
                connection.execute(end)
        expected = requests.all_kept(within=2)
        empty_within(keeper, RECOVERY)
        other.close()

        assert as_written(address, requests.project) == expected


def test_a_table_that_is_missing_for_a_while_loses_nothing(address: str, tmp_path: Path) -> None:
    other = ServiceStore.open(address)
    with keeper_through(address, postgresql_place()[1], tmp_path) as keeper:
        requests = Requests(keeper)
        with other.engine.begin() as connection:
            connection.execute(text("ALTER TABLE messages RENAME TO elsewhere"))
        requests.come(seconds=0.5)
        with other.engine.begin() as connection:
            connection.execute(text("ALTER TABLE elsewhere RENAME TO messages"))
        expected = requests.all_kept(within=2)
        empty_within(keeper, RECOVERY)
        other.close()

        assert keeper.set_aside == 0
        assert as_written(address, requests.project) == expected
