"""Who is let in, also while the database is away."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest
from starlette.requests import Request

from sensecheck.server.auth import STRANGERS, Authenticator, known_keys
from sensecheck.server.caller import Proxies
from sensecheck.server.database import AsyncStore
from sensecheck.server.middleware.request import VISIT, Visit
from sensecheck.server.problems import Problem
from sensecheck.store.service.api_keys import new_parts, revoke, written
from sensecheck.store.service.store import ServiceStore, StoreTimeouts
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.server.locked_out import away
from tests.server.running import PAGE, PEPPER, new_key

pytestmark = pytest.mark.database


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgresql_database() as where:
        make_tables(where)
        yield where


@pytest.fixture
def opened(address: str) -> Iterator[ServiceStore]:
    store = ServiceStore.open(address, limits=StoreTimeouts(connect=2))
    yield store
    store.close()


def request(key: str | None = None, *, peer: str = "198.51.100.7", **headers: str) -> Request:
    sent = {"host": "api.example.com", **headers, **({"authorization": f"Bearer {key}"} if key else {})}
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in sent.items()]
    return Request({"type": "http", "headers": raw, "client": (peer, 1234), "method": "POST", "path": "/"})


def visited(
    store: ServiceStore, visits: Callable[[Authenticator, Clock], Awaitable[None]], proxies: str = ""
) -> None:
    async def all_of_them() -> None:
        desk, clock = AsyncStore(store), Clock()
        try:
            authenticator = Authenticator(
                known_keys(desk, clock=clock), PEPPER, proxies=Proxies.read(proxies)
            )
            await visits(authenticator, clock)
        finally:
            desk.close()

    asyncio.run(all_of_them())


async def refusal(authenticator: Authenticator, asked: Request) -> str:
    with pytest.raises(Problem) as refused:
        await authenticator.admit(asked, None)
    return refused.value.kind.name


def test_a_key_lets_its_holder_in_for_what_it_may_do(opened: ServiceStore) -> None:
    held, key = new_key(opened, "secret", scopes=frozenset(("check",)))

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        caller = await authenticator.admit(request(key), "check")
        assert replace(caller.key, digest=b"") == replace(held, digest=b"")
        assert caller.address == "198.51.100.7"
        with pytest.raises(Problem, match="does not have the scope `stats`"):
            await authenticator.admit(request(key), "stats")

    visited(opened, visits)


def near(key: str) -> str:
    """The key with another last character."""
    return key[:-1] + ("A" if key[-1] != "A" else "B")


def test_what_is_no_key_or_not_the_whole_of_one_is_not_known(opened: ServiceStore) -> None:
    _, key = new_key(opened, "secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        for wrong in (
            near(key),
            key.replace("sk_", "pk_"),
            written(new_parts("secret")),
            "sk_",
            "x",
            "é",
            key + " ",
        ):
            assert await refusal(authenticator, request(wrong, origin=PAGE)) in ("unknown-key", "not-allowed")
        for header in ("Basic abc", "Bearer", "", key):
            sent = request()
            sent.scope["headers"].append((b"authorization", header.encode()))
            assert await refusal(authenticator, sent) == "unknown-key"
        assert await refusal(authenticator, request()) == "no-key"

    visited(opened, visits)


def test_a_key_that_was_taken_back_is_refused_within_half_a_minute(opened: ServiceStore) -> None:
    held, key = new_key(opened, "secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        await authenticator.admit(request(key), None)
        with opened.writing() as connection:
            revoke(connection, held.id)
        clock.now += 31
        assert await refusal(authenticator, request(key)) == "unknown-key"

    visited(opened, visits)


@pytest.mark.parametrize("refused", ["from another page", "revoked"])
def test_a_key_whose_secret_is_right_is_in_the_log_also_where_it_is_refused(
    opened: ServiceStore, refused: str
) -> None:
    held, key = new_key(opened, "publishable")
    if refused == "revoked":
        with opened.writing() as connection:
            revoke(connection, held.id)

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        VISIT.set(visit := Visit("a request"))
        assert await refusal(authenticator, request(near(key), origin="https://elsewhere.example")) != ""
        assert visit.key is None
        assert await refusal(authenticator, request(key, origin="https://elsewhere.example")) in (
            "origin-not-allowed",
            "unknown-key",
        )
        assert visit.key == held.id
        assert visit.origin is None, "the page may read the refusal"

    visited(opened, visits)


def test_a_key_that_was_just_made_is_known_within_seconds(opened: ServiceStore) -> None:
    parts = new_parts("secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        assert await refusal(authenticator, request(written(parts))) == "unknown-key"
        _, key = new_key(opened, "secret")
        await authenticator.admit(request(key), None)

    visited(opened, visits)


def test_a_database_that_is_away_is_never_taken_for_a_wrong_key(opened: ServiceStore, address: str) -> None:
    _, seen = new_key(opened, "secret")
    _, unseen = new_key(opened, "secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        await authenticator.admit(request(seen), None)
        with away(address):
            clock.now += 31
            await authenticator.admit(request(seen), None)
            clock.now += 3000
            await authenticator.admit(request(seen), None)
            assert await refusal(authenticator, request(unseen)) == "store-away"
            assert await refusal(authenticator, request(written(new_parts("secret")))) == "store-away"
            clock.now += 600
            assert await refusal(authenticator, request(seen)) == "store-away"
        await authenticator.admit(request(unseen), None)
        await authenticator.admit(request(seen), None)

    visited(opened, visits)


def test_a_key_that_was_taken_back_stays_so_while_the_database_is_away(
    opened: ServiceStore, address: str
) -> None:
    held, key = new_key(opened, "secret")
    with opened.writing() as connection:
        revoke(connection, held.id)

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        assert await refusal(authenticator, request(key)) == "unknown-key"
        with away(address):
            clock.now += 31
            assert await refusal(authenticator, request(key)) == "unknown-key"

    visited(opened, visits)


def test_many_who_come_at_once_with_one_key_ask_the_database_once(opened: ServiceStore) -> None:
    _, key = new_key(opened, "secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        callers = await asyncio.gather(*(authenticator.admit(request(key), None) for _ in range(200)))
        assert len({id(caller.key) for caller in callers}) == 1

    visited(opened, visits)


def test_whoever_tries_many_keys_is_not_let_near_the_database(opened: ServiceStore) -> None:
    _, key = new_key(opened, "secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        tried = [
            await refusal(authenticator, request(written(new_parts("secret")))) for _ in range(STRANGERS + 20)
        ]
        assert tried[:STRANGERS] == ["unknown-key"] * STRANGERS
        assert tried[-1] == "rate-limited"
        await authenticator.admit(request(key, peer="198.51.100.8"), None)
        await authenticator.admit(request(key), None)  # it is remembered by now

    visited(opened, visits)


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("198.51.100.7", "203.0.113.5", "198.51.100.7"),  # no proxy of ours: anyone can write that
        ("10.0.0.1", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.1", "6.6.6.6, 203.0.113.5", "203.0.113.5"),
        ("10.0.0.1", "6.6.6.6, 203.0.113.5, 10.0.0.2", "203.0.113.5"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "6.6.6.6, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::ffff:10.0.0.1", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_an_address_is_the_last_that_no_proxy_of_ours_stands_for(
    opened: ServiceStore, peer: str, forwarded: str, client: str
) -> None:
    _, key = new_key(opened, "secret")

    async def visits(authenticator: Authenticator, clock: Clock) -> None:
        caller = await authenticator.admit(request(key, peer=peer, x_forwarded_for=forwarded), None)
        assert caller.address == client

    visited(opened, visits, proxies="10.0.0.0/24")
