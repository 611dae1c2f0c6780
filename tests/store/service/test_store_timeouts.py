"""A database that swallows everything holds nobody up for ever."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from sensecheck.core.errors import Unreachable
from sensecheck.store.columns import now
from sensecheck.store.retry import allow, is_away
from sensecheck.store.service.store import ServiceStore, StoreTimeouts
from sensecheck.store.service_tables import messages
from tests.databases import postgresql_database, postgresql_place, postgresql_server
from tests.faults.kinds import BLACKHOLE, PASS, blackhole
from tests.faults.proxy import FaultProxy, fault_proxy
from tests.ready_tables import make_tables
from tests.store.service.made import count, entry, kept_message

pytestmark = [pytest.mark.database, pytest.mark.fault]


LIMITS = StoreTimeouts(connect=2, statement=0.8, use=1.5)
SLACK = 4.0
"""Seconds: this machine has other things to do."""


@pytest.fixture
def proxy() -> Iterator[FaultProxy]:
    with fault_proxy(postgresql_place()) as made:
        yield made


@pytest.fixture
def store(proxy: FaultProxy) -> Iterator[ServiceStore]:
    """A store behind the proxy."""
    with postgresql_database() as address:
        make_tables(address)
        there = address.replace(postgresql_server(), f"postgresql://root@127.0.0.1:{proxy.port}")
        opened = ServiceStore.open(there, limits=LIMITS)
        yield opened
        proxy.now(PASS)
        opened.close()


@contextmanager
def away_within(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    with pytest.raises(OperationalError) as told:
        yield
    assert time.monotonic() - began < seconds
    assert is_away(told.value)


@pytest.mark.parametrize("fault", [BLACKHOLE, blackhole("to_client")])
@pytest.mark.parametrize(
    "work",
    [
        lambda store: store.ping(),
        lambda store: store.write([entry(1, at=now())]),
        lambda store: kept_message(store, 1, entry(1).message.id),
        lambda store: store.erase_session(1, "s1"),
    ],
)
def test_whoever_asks_a_server_that_is_not_heard_is_let_go(
    store: ServiceStore, proxy: FaultProxy, fault: object, work: Callable[[ServiceStore], object]
) -> None:
    store.ping()
    proxy.now(fault)  # type: ignore[arg-type]

    with away_within(LIMITS.use + SLACK):
        work(store)


def test_a_transaction_whose_wire_goes_dead_in_the_middle_is_let_go(
    store: ServiceStore, proxy: FaultProxy
) -> None:
    with away_within(LIMITS.use + SLACK), store.writing() as connection:
        proxy.now(BLACKHOLE)
        connection.execute(messages.select())


def test_a_new_connection_to_a_server_that_is_not_heard_is_given_up(
    store: ServiceStore, proxy: FaultProxy
) -> None:
    store.engine.dispose()
    proxy.now(BLACKHOLE)

    with away_within(LIMITS.connect + SLACK):
        store.ping()


def test_a_store_whose_server_goes_silent_while_it_is_opened_is_not_opened(proxy: FaultProxy) -> None:
    with postgresql_database() as address:
        make_tables(address)
        there = address.replace(postgresql_server(), f"postgresql://root@127.0.0.1:{proxy.port}")
        proxy.now(BLACKHOLE)
        began = time.monotonic()

        with pytest.raises(Unreachable):
            ServiceStore.open(there, limits=LIMITS)

        assert time.monotonic() - began < LIMITS.connect + SLACK


def test_once_the_server_is_heard_again_all_goes_on(store: ServiceStore, proxy: FaultProxy) -> None:
    waiting = entry(1, at=now())
    proxy.now(BLACKHOLE)
    with away_within(LIMITS.use + SLACK):
        store.write([waiting])
    proxy.now(PASS)

    store.write([waiting])

    assert count(store, messages) == 1


def test_connections_that_the_server_ended_meanwhile_are_made_anew(store: ServiceStore) -> None:
    store.ping()
    end = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with store.engine.connect() as first:
        with store.engine.connect():
            pass  # a second one lies in the pool now
        first.execute(end)

    for _ in range(3):
        store.ping()


def test_a_statement_that_takes_too_long_is_ended_by_the_server(store: ServiceStore) -> None:
    with away_within(LIMITS.statement + SLACK), store.engine.connect() as connection:
        connection.execute(text("SELECT pg_sleep(20)"))
    store.ping()


def test_work_that_may_take_longer_does(store: ServiceStore) -> None:
    with store.writing() as connection:
        allow(connection, 20)
        assert connection.execute(text("SELECT 1 FROM pg_sleep(2)")).scalar_one() == 1


def test_a_connection_that_is_used_for_long_in_small_pieces_is_cut_too(store: ServiceStore) -> None:
    with away_within(LIMITS.use + SLACK), store.writing() as connection:
        for _ in range(100):
            connection.execute(text("SELECT pg_sleep(0.1)"))


def test_uses_that_are_over_are_forgotten(store: ServiceStore) -> None:
    for _ in range(5):
        store.ping()
    with store.engine.connect():
        assert len(store.deadlines._uses) == 1
    assert store.deadlines._uses == set()
