"""How much a caller may ask for: counted here, or together with others in Redis."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from time import monotonic, time

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.io.sockets import listening_at
from sensecheck.server.auth import anonymous_key, local_key
from sensecheck.server.caller import Caller
from sensecheck.server.problems import Problem
from sensecheck.server.rate_limits import DAY, Bucket, Level, Limiter, LocalBuckets, RedisBuckets, buckets_of
from sensecheck.store.service.records import ApiKey
from tests.redis_server import own_prefix, own_redis, redis_address
from tests.server.running import PAGE


@pytest.fixture
def prefix() -> Iterator[str]:
    """Names of our own in a Redis that others use too."""
    with own_prefix() as own:
        yield own


def key(**limits: int) -> ApiKey:
    plain = {"per_minute": 0, "per_session_minute": 0, "per_address_minute": 0, "daily_budget": 0}
    return replace(anonymous_key(1), id=token_hex(6), **{**plain, **limits})  # type: ignore[arg-type]  # by name


def caller(held: ApiKey, address: str = "203.0.113.5") -> Caller:
    return Caller(held, address, PAGE)


async def refusal(limiter: Limiter, who: Caller, session: str | None = None, cost: int = 1) -> Problem:
    with pytest.raises(Problem) as refused:
        await limiter.take(who, session, cost)
    return refused.value


Visits = Callable[[Limiter], Awaitable[None]]


def counted(visits: Visits, shared: Callable[[], RedisBuckets] | None = None) -> list[bool]:
    told: list[bool] = []

    async def all_of_them() -> None:
        limiter = Limiter(shared() if shared else None, told=told.append)
        try:
            await visits(limiter)
        finally:
            await limiter.close()

    asyncio.run(all_of_them())
    return told


@pytest.fixture(params=["here", "redis"])
def counting(request: pytest.FixtureRequest, prefix: str) -> Callable[[Visits], list[bool]]:
    """Both ways to count, which must come to the same."""
    if request.param == "here":
        return lambda visits: counted(visits, None)
    address = redis_address()
    return lambda visits: counted(visits, lambda: RedisBuckets.at(address, prefix=prefix))


def test_a_key_may_be_used_so_often_in_a_minute(counting: Callable[[Visits], list[bool]]) -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=3))
        left = [(await limiter.take(who, None, 1)).levels[0].remaining for _ in range(3)]
        assert left == [2, 1, 0]
        refused = await refusal(limiter, who)
        assert refused.kind.name == "rate-limited"
        assert refused.retry_after is not None
        assert 15 < refused.retry_after <= 20
        await limiter.take(caller(key(per_minute=3)), None, 1)

    assert False not in counting(visits)


def test_sessions_and_addresses_have_limits_of_their_own(counting: Callable[[Visits], list[bool]]) -> None:
    async def visits(limiter: Limiter) -> None:
        held = key(per_session_minute=1, per_address_minute=2)
        await limiter.take(caller(held), "one", 1)
        assert "session" in (await refusal(limiter, caller(held), "one")).detail
        await limiter.take(caller(held), "two", 1)
        assert "address" in (await refusal(limiter, caller(held), "three")).detail
        await limiter.take(caller(held, "203.0.113.6"), "three", 1)

    counting(visits)


def test_what_is_refused_by_one_limit_takes_nothing_from_the_others(
    counting: Callable[[Visits], list[bool]],
) -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=10, per_session_minute=1))
        await limiter.take(who, "one", 1)
        for _ in range(20):
            await refusal(limiter, who, "one")
        assert (await limiter.take(who, "two", 1)).levels[0].remaining == 8

    counting(visits)


def test_a_budget_is_for_a_day(counting: Callable[[Visits], list[bool]]) -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(daily_budget=100))
        await limiter.take(who, None, 60)
        refused = await refusal(limiter, who, cost=60)
        assert refused.kind.name == "budget-spent"
        assert refused.retry_after == pytest.approx(DAY - time() % DAY, abs=5)
        assert (await limiter.take(who, None, 40)).levels[0].remaining == 0
        alone = await refusal(limiter, who, cost=101)
        assert "alone" in alone.detail
        assert alone.retry_after is None

    counting(visits)


def test_a_batch_counts_as_many_and_a_large_one_takes_all(counting: Callable[[Visits], list[bool]]) -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=10))
        assert (await limiter.take(who, None, 1, requests=4)).levels[0].remaining == 6
        await limiter.take(caller(key(per_minute=10)), None, 1, requests=500)
        with pytest.raises(Problem):
            await limiter.take(who, None, 1, requests=500)

    counting(visits)


def test_the_headers_tell_each_limit_by_name(counting: Callable[[Visits], list[bool]]) -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=60, per_address_minute=30, daily_budget=1000))
        headers = (await limiter.take(who, None, 7)).headers()
        assert headers["RateLimit-Policy"] == '"key";q=60;w=60, "address";q=30;w=60, "day";q=1000;w=86400'
        assert headers["RateLimit"].startswith('"key";r=59;t=1, "address";r=29;t=2, "day";r=993;t=')

    counting(visits)


def test_this_machines_user_is_not_counted() -> None:
    assert buckets_of(caller(local_key(1)), "session", 1000) == ()


def test_a_household_of_ipv6_is_one_address() -> None:
    held = key(per_address_minute=5)
    names = {
        buckets_of(caller(held, address), None, 0)[0].key
        for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    }

    assert len(names) == 2


@pytest.mark.database
def test_what_clients_choose_is_not_written_to_redis(prefix: str) -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=5, per_session_minute=5, per_address_minute=5, daily_budget=50))
        await limiter.take(who, "canary", 1)

    counted(visits, lambda: RedisBuckets.at(redis_address(), prefix=prefix))

    with redis.Redis.from_url(redis_address()) as client:
        held = {name: client.ttl(name) for name in client.scan_iter(f"{prefix}*")}
    assert len(held) == 4
    assert not any(b"canary" in name or b"203.0.113.5" in name for name in held)
    assert all(0 < ttl <= DAY for ttl in held.values())


@pytest.mark.database
def test_many_processes_count_together(prefix: str) -> None:
    held = key(per_minute=50)

    async def often(limiter: Limiter) -> int:
        came_to = [
            await asyncio.gather(limiter.take(caller(held), None, 1), return_exceptions=True)
            for _ in range(25)
        ]
        return sum(not isinstance(one, Problem) for (one,) in came_to)

    async def visits(limiter: Limiter) -> None:
        others = [Limiter(RedisBuckets.at(redis_address(), prefix=prefix)) for _ in range(3)]
        through = await asyncio.gather(*(often(one) for one in (limiter, *others)))
        for one in others:
            await one.close()
        assert 50 <= sum(through) <= 52  # a minute has begun

    assert counted(visits, lambda: RedisBuckets.at(redis_address(), prefix=prefix)) == [True]


def test_without_redis_limits_hold_here_and_nobody_waits_for_it() -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=3))
        began = monotonic()
        for _ in range(3):
            await limiter.take(who, None, 1)
        assert (await refusal(limiter, who)).kind.name == "rate-limited"
        assert monotonic() - began < 3.0

    assert counted(visits, lambda: RedisBuckets.at("redis://127.0.0.1:1/0")) == [True, False]


def test_a_redis_that_swallows_everything_costs_a_quarter_of_a_second_twice() -> None:
    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=100))
        began = monotonic()
        for _ in range(50):
            await limiter.take(who, None, 1)
        assert monotonic() - began < 5.0  # 12 seconds, if all had waited

    with listening_at("127.0.0.1", 0) as hole:
        address = f"redis://127.0.0.1:{hole.getsockname()[1]}/0"
        assert counted(visits, lambda: RedisBuckets.at(address)) == [True, False]


@pytest.mark.database
def test_a_redis_that_comes_back_is_used_again(tmp_path: Path) -> None:
    with listening_at("127.0.0.1", 0) as free:
        port = free.getsockname()[1]

    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=100))
        await limiter.take(who, None, 1)
        await limiter.take(who, None, 1)
        with own_redis(port, tmp_path):
            until = monotonic() + 10
            while limiter._returning is not None and monotonic() < until:
                await asyncio.sleep(0.05)
            left = (await limiter.take(who, None, 1)).levels[0].remaining
        assert left == 99  # Redis did not see those before

    assert counted(visits, lambda: RedisBuckets.at(f"redis://127.0.0.1:{port}/0")) == [True, False, True]


@pytest.mark.database
def test_a_redis_that_pauses_once_is_not_given_up(tmp_path: Path) -> None:
    with listening_at("127.0.0.1", 0) as free:
        port = free.getsockname()[1]

    async def visits(limiter: Limiter) -> None:
        who = caller(key(per_minute=100))
        with own_redis(port, tmp_path), redis.Redis(port=port) as client:
            await limiter.take(who, None, 1)
            client.execute_command("CLIENT", "PAUSE", "400")
            await limiter.take(who, None, 1)
            client.ping()  # when it goes on
            assert (await limiter.take(who, None, 1)).levels[0].remaining in (97, 98)

    assert counted(visits, lambda: RedisBuckets.at(f"redis://127.0.0.1:{port}/0")) == [True]


@pytest.mark.database
def test_when_redis_goes_away_nobody_begins_anew(tmp_path: Path) -> None:
    with listening_at("127.0.0.1", 0) as free:
        port = free.getsockname()[1]

    async def visits(limiter: Limiter) -> None:
        who, spent = caller(key(daily_budget=100, per_minute=50)), caller(key(daily_budget=100))
        with own_redis(port, tmp_path), redis.Redis(port=port) as client:
            await limiter.take(who, None, 80)
            await limiter.take(spent, None, 1)
            await refusal(limiter, who, cost=30)
            for name in client.scan_iter(f"*{spent.key.id}*:day:*"):
                client.set(name, 100)  # by other processes
            await refusal(limiter, spent)
        assert "spent" in (await refusal(limiter, who, cost=30)).detail
        assert [level.remaining for level in (await limiter.take(who, None, 20)).levels] == [48, 0]
        await refusal(limiter, spent)

    assert counted(visits, lambda: RedisBuckets.at(f"redis://127.0.0.1:{port}/0")) == [True, False]


def test_buckets_here_are_bounded() -> None:
    buckets = LocalBuckets(100)

    for number in range(1000):
        buckets.take([Bucket("key", str(number), 5, 60.0)])

    assert len(buckets) == 100


@given(
    quota=st.integers(1, 50),
    pauses=st.lists(st.floats(0.0, 30.0), min_size=1, max_size=60),
    takes=st.integers(1, 3),
)
def test_never_more_goes_through_than_a_full_bucket_and_what_flowed_in(
    quota: int, pauses: list[float], takes: int
) -> None:
    buckets, now, through = LocalBuckets(), 1000.0, 0
    bucket = Bucket("key", "one", quota, 60.0, takes=min(takes, quota))
    for pause in pauses:
        now += pause
        level = buckets.take([bucket], now)[0]
        through += bucket.takes if level.wait == 0.0 else 0
        assert through <= quota + quota * (now - 1000.0) / 60.0 + 1e-3
        assert 0 <= level.remaining <= quota
        if level.wait:
            assert Level.of(bucket, buckets._known["one"][0], now + level.wait).wait == 0.0
