"""The name of a request is not lost when whoever sent it leaves while it is taken."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.server.auth import PROJECT, local_key
from sensecheck.server.caller import Caller
from sensecheck.server.database import AsyncStore, message_for
from sensecheck.server.idempotency import NameLease
from sensecheck.server.problems import NOT_FOUND, STORE_AWAY, Problem, ProblemKind
from sensecheck.server.settings import LEASE, ServiceSettings
from sensecheck.store.columns import now
from sensecheck.store.service.idempotency import Fresh, Reserved, UnderWay
from sensecheck.store.service.records import new_id
from sensecheck.store.service.store import ServiceStore

OLD = "01981f6a-7c00-7aaa-8bbb-0123456789ab"


@pytest.fixture
def project(store: ServiceStore) -> int:
    """A project, made before anybody has to wait."""
    return store.project(PROJECT)


@contextmanager
def asked(store: ServiceStore, *, patience: float = 6.0) -> Iterator[AsyncStore]:
    """A desk for the database."""
    desk = AsyncStore(store, patience=patience)
    yield desk
    desk.close()


def taken(store: ServiceStore, project: int) -> Reserved:
    """What becomes of the name for whoever sends the request again."""
    return store.reserve(project, "name", "request", seconds=60)


async def is_free(store: ServiceStore, project: int) -> bool:
    """Whether the name can be had within three seconds."""
    until = monotonic() + 3
    while monotonic() < until:
        if isinstance(taken(store, project), Fresh):
            return True
        await asyncio.sleep(0.05)
    return False


def test_a_name_is_taken_for_whoever_waits(store: ServiceStore, project: int) -> None:
    with asked(store) as desk:
        found = asyncio.run(NameLease(project, "name", "request").take(desk))

    assert isinstance(found, Fresh)
    assert (found.until - now()).total_seconds() == pytest.approx(LEASE, abs=30)
    assert taken(store, project) == UnderWay()


def test_a_client_that_leaves_meanwhile_leaves_no_name_taken(store: ServiceStore, project: int) -> None:
    async def leave() -> bool:
        with asked(store) as desk:
            with store.writing():  # nobody else can write until this ends
                taking = asyncio.create_task(NameLease(project, "name", "request").take(desk))
                await asyncio.sleep(0.2)
                taking.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await taking
            await asyncio.sleep(0.5)  # the thread, which nobody waits for, has its turn
            return await is_free(store, project)

    assert asyncio.run(leave())


def test_a_name_that_comes_too_late_is_given_back(store: ServiceStore, project: int) -> None:
    async def hurry() -> bool:
        with asked(store, patience=0.2) as desk:
            with store.writing(), pytest.raises(Problem, match="in time"):
                await NameLease(project, "name", "request").take(desk)
            await asyncio.sleep(0.5)
            return await is_free(store, project)

    assert asyncio.run(hurry())


def test_a_writer_may_not_take_as_long_as_a_name_is_held() -> None:
    assert ServiceSettings(writer_timeout=LEASE / 2 - 1).writer_timeout < LEASE / 2
    with pytest.raises(SpecError, match="must be less than 450"):
        ServiceSettings(writer_timeout=LEASE / 2)


@pytest.mark.parametrize(
    ("message", "waiting", "kind"),
    [("new", 1, STORE_AWAY), ("new", 0, NOT_FOUND), (OLD, 1, NOT_FOUND), ("nonsense", 1, NOT_FOUND)],
)
def test_a_message_that_may_wait_for_the_database_is_not_called_missing(
    store: ServiceStore, project: int, message: str, waiting: int, kind: ProblemKind
) -> None:
    caller = Caller(local_key(project), "127.0.0.1")
    named = new_id(now()) if message == "new" else message
    with store.reading() as connection, pytest.raises(Problem) as told:
        message_for(connection, caller, named, waiting=waiting)

    assert told.value.kind is kind
    assert (told.value.retry_after is not None) == (kind is STORE_AWAY)
