"""Rate limits by key, session and address, and budgets of a day.

They are counted in the memory of one process, or in Redis for all processes together.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil, floor
from time import time
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.io.retry import RetryPolicy, run_with_retries_async
from sensecheck.server.caller import Caller, counted_as
from sensecheck.server.logging import log
from sensecheck.server.middleware.request import add_headers
from sensecheck.server.problems import BUDGET_SPENT, LIMITED, Problem

if TYPE_CHECKING:
    from redis.asyncio import Redis

DAY = 86_400.0
_EPSILON = 1e-6
PREFIX = "sensecheck:"
REDIS_SECONDS = 0.25
"""As long as Redis has, to be connected to and to answer; one that saves its data may pause for a moment."""
_CONNECTIONS = 8
"""Each is busy for a fraction of a millisecond; many more would only be many to open at once."""
_CLOSED = "the handler is closed"
SCRIPT = """
local clock = redis.call('TIME')
local now = tonumber(clock[1]) + tonumber(clock[2]) / 1000000
local full, told, allowed = {}, {tostring(now)}, true
for i, key in ipairs(KEYS) do
  local quota, window = tonumber(ARGV[i * 4 - 3]), tonumber(ARGV[i * 4 - 2])
  local takes, refills = tonumber(ARGV[i * 4 - 1]), ARGV[i * 4] == '1'
  local held = tonumber(redis.call('GET', key) or '0')
  told[i + 1] = string.format('%.6f', held)
  if refills then
    full[i] = math.max(held, now) + takes * window / quota
    allowed = allowed and full[i] - window - now <= 0.000001
  else
    allowed = allowed and held + takes <= quota
  end
end
if allowed then
  for i, key in ipairs(KEYS) do
    if full[i] then
      redis.call('SET', key, string.format('%.6f', full[i]), 'PX', math.ceil((full[i] - now) * 1000) + 1)
    else
      redis.call('INCRBY', key, ARGV[i * 4 - 1])
      redis.call('EXPIRE', key, math.ceil(tonumber(ARGV[i * 4 - 2])))
    end
  end
end
return told
"""
"""Redis returns what it had before; the levels follow from that by the same arithmetic as everywhere."""
MINUTE = 60.0
RETRIES = RetryPolicy(first_pause=1.0, max_pause=1.0)
"""Of a Redis that is down, for as long as it is."""
FAILURES = 2
"""So many in a row, and Redis counts as down: one may be a connection that was closed while unused."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """So much within so many seconds; it starts full, and fills evenly."""

    name: str
    """What people know it by: `key`, `session`, `address`, `day`."""
    key: str
    """Whose it is, as the counting knows it."""
    quota: int
    window: float
    takes: int = 1
    """How much this request takes; never more than the quota of a bucket that fills up again."""
    refills: bool = True
    """False for a budget: what was taken comes back all at once, at the end of the window."""


@dataclass(frozen=True, slots=True)
class Level:
    """How full a bucket is after a request."""

    bucket: Bucket
    remaining: int
    wait: float
    """Seconds until the request would be allowed; 0 for one that is."""
    reset: float
    """Seconds until the bucket is full."""

    @classmethod
    def of(cls, bucket: Bucket, before: float, now: float) -> "Level":
        """The level of a bucket of which `before` is known: when it is full again, or how much was taken."""
        if not bucket.refills:
            return _budget_level(bucket, before, now)
        each = bucket.window / bucket.quota
        full_at = max(before, now)
        wait = full_at + bucket.takes * each - bucket.window - now
        allowed = wait <= _EPSILON
        full_at += bucket.takes * each if allowed else 0.0
        remaining = floor((bucket.window - (full_at - now)) / each + _EPSILON)
        return cls(bucket, max(0, remaining), 0.0 if allowed else wait, full_at - now)


class LocalBuckets:
    """Buckets in the memory of this process; those that were not touched for longest are forgotten first."""

    def __init__(self, most: int = 100_000) -> None:
        self._known: LRUCache[str, tuple[float, float]] = LRUCache(most)
        """What is known of each bucket, and from when on it is as good as untouched."""

    def take(self, buckets: Sequence[Bucket], now: float | None = None) -> tuple[Level, ...]:
        """Take from all of them, or, if one of them holds too little, from none."""
        at = time() if now is None else now
        levels = self.levels(buckets, at)
        self.note(levels, at)
        return levels

    def note(self, levels: Sequence[Level], now: float | None = None) -> None:
        """Know of the levels after a request, here or elsewhere; one that was refused took from none."""
        at = time() if now is None else now
        allowed = all(level.wait == 0.0 for level in levels)
        for level in levels:
            if allowed or level.wait > 0.0:
                self._note(level, at)

    def levels(self, buckets: Sequence[Bucket], now: float | None = None) -> tuple[Level, ...]:
        """How full they would be, without taking from any."""
        at = time() if now is None else now
        return tuple(Level.of(bucket, self._before(bucket, at), at) for bucket in buckets)

    def __len__(self) -> int:
        return len(self._known)

    def _before(self, bucket: Bucket, now: float) -> float:
        before, until = self._known.get(bucket.key, (0.0, 0.0))
        return before if until > now else 0.0

    def _note(self, level: Level, now: float) -> None:
        used = level.bucket.quota - level.remaining
        before = now + level.reset if level.bucket.refills else float(used)
        self._known[level.bucket.key] = before, now + level.reset


class RedisBuckets:
    """Buckets that many processes share."""

    def __init__(self, client: "Redis", *, prefix: str = PREFIX) -> None:
        self._client = client
        self._prefix = prefix
        self._script: Any = client.register_script(SCRIPT)

    @classmethod
    def at(cls, address: str, *, prefix: str = PREFIX) -> "RedisBuckets":
        """The buckets of the Redis at `redis://HOST:6379/0`; nothing is connected before the first use."""
        with extra("redis"):
            from redis.asyncio import BlockingConnectionPool, Redis  # noqa: PLC0415
            from redis.asyncio.retry import Retry  # noqa: PLC0415
            from redis.backoff import NoBackoff  # noqa: PLC0415
        try:
            pool = BlockingConnectionPool.from_url(
                address,
                max_connections=_CONNECTIONS,
                timeout=REDIS_SECONDS,
                socket_connect_timeout=REDIS_SECONDS,
                socket_timeout=REDIS_SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError:  # which repeats the address, and with it a password
            raise SpecError(
                "SENSECHECK_SERVE_REDIS must be an address such as `redis://HOST:6379/0`; got something else"
            ) from None
        return cls(Redis.from_pool(pool), prefix=prefix)

    async def take(self, buckets: Sequence[Bucket]) -> tuple[Level, ...]:
        """Take from all of them, or, if one of them holds too little, from none."""
        keys = [self._prefix + bucket.key for bucket in buckets]
        words = [
            str(word)
            for bucket in buckets
            for word in (bucket.quota, bucket.window, bucket.takes, int(bucket.refills))
        ]
        with _as_connection_reset():
            now, *values = [float(word) for word in await self._script(keys=keys, args=words)]
        return tuple(Level.of(bucket, before, now) for bucket, before in zip(buckets, values, strict=True))

    async def ping(self) -> None:
        """Raise what Redis raises when it does not answer."""
        with _as_connection_reset():
            await self._client.ping()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._client.aclose()


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a caller may still ask for after this request."""

    levels: tuple[Level, ...]

    def headers(self) -> dict[str, str]:
        """The headers that report it; the limiter itself puts them on the reply."""
        if not self.levels:
            return {}
        policies = [
            f'"{level.bucket.name}";q={level.bucket.quota};w={level.bucket.window:.0f}'
            for level in self.levels
        ]
        remaining = [
            f'"{level.bucket.name}";r={level.remaining};t={whole_seconds(level.reset)}'
            for level in self.levels
        ]
        return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(remaining)}


class Limiter:
    """Counts requests and what they cost, together with all other processes where there is a Redis."""

    def __init__(
        self,
        shared: RedisBuckets | None = None,
        *,
        local: LocalBuckets | None = None,
        told: Callable[[bool], None] = lambda up: None,
    ) -> None:
        self._shared = shared
        self._local = local or LocalBuckets()
        self._on_redis_change = told
        """Called with whether Redis answers: at first, where there is one, and each time this changes."""
        self._returning: asyncio.Task[None] | None = None
        """Waits for a Redis that is down, so that no request has to."""
        self._failures = 0
        if shared is not None:
            told(True)

    async def take(
        self, caller: Caller, session_id: str | None, cost: int, *, requests: int = 1
    ) -> Allowance:
        """Count a request, or raise the problem that says why it is one too many."""
        buckets = buckets_of(caller, session_id, cost, requests)
        allowance = Allowance(await self._levels(buckets))
        add_headers(allowance.headers())
        if (wait := max((level.wait for level in allowance.levels), default=0.0)) > 0.0:
            raise _refused(allowance, wait, cost)
        return allowance

    async def close(self) -> None:
        """Let go of Redis."""
        if self._returning is not None:
            self._returning.cancel()
            with suppress(asyncio.CancelledError):
                await self._returning
        if self._shared is not None:
            await self._shared.close()

    async def _levels(self, buckets: Sequence[Bucket]) -> tuple[Level, ...]:
        if not buckets:
            return ()
        if self._shared is None or self._returning is not None:
            return self._local.take(buckets)
        from redis.exceptions import RedisError  # noqa: PLC0415 - an extra, there if `shared` is

        try:
            levels = await self._shared.take(buckets)
        except (RedisError, OSError, TimeoutError) as down:
            self._failures += 1
            if self._failures >= FAILURES:
                self._rest(type(down).__name__)
            return self._local.take(buckets)
        self._failures = 0
        # Should Redis become unavailable, no bucket starts afresh: its level is known here too.
        self._local.note(levels)
        return levels

    def _rest(self, trouble: str) -> None:
        if self._returning is None:
            log().warning("redis_down", trouble=trouble, instead="limits are counted in this process alone")
            self._on_redis_change(False)
            self._returning = asyncio.create_task(self._until_it_answers())

    async def _until_it_answers(self) -> None:
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        assert self._shared is not None
        await asyncio.sleep(RETRIES.first_pause)
        errors = (RedisError, OSError, TimeoutError)
        await run_with_retries_async(RETRIES, self._shared.ping, errors=errors, sleep=asyncio.sleep)
        log().info("redis_up")
        self._on_redis_change(True)
        self._returning = None


def buckets_of(caller: Caller, session_id: str | None, cost: int, requests: int = 1) -> tuple[Bucket, ...]:
    """What a request is counted in; a limit of 0 is none.

    The braces keep all that is counted of one key on one node of a cluster of Redis.
    """
    key, prefix = caller.key, f"{{{caller.key.id}}}"
    buckets = [_rate("key", f"{prefix}:key", key.per_minute, requests)]
    if key.kind == "publishable":  # servers are few, and each asks for many people
        address = _hashed(counted_as(caller.address))
        buckets.append(_rate("address", f"{prefix}:address:{address}", key.per_address_minute, requests))
    if session_id is not None:
        buckets.append(
            _rate("session", f"{prefix}:session:{_hashed(session_id)}", key.per_session_minute, requests)
        )
    if key.daily_budget and cost:
        day = int(time() // DAY)
        buckets.append(Bucket("day", f"{prefix}:day:{day}", key.daily_budget, DAY, takes=cost, refills=False))
    return tuple(bucket for bucket in buckets if bucket.quota > 0)


def whole_seconds(seconds: float) -> int:
    """As many whole seconds, and not one too few."""
    return ceil(seconds - _EPSILON)


def _budget_level(bucket: Bucket, used: float, now: float) -> Level:
    reset = bucket.window - now % bucket.window
    remaining = bucket.quota - int(used)
    allowed = bucket.takes <= remaining
    return Level(
        bucket, max(0, remaining - bucket.takes if allowed else remaining), 0.0 if allowed else reset, reset
    )


@contextmanager
def _as_connection_reset() -> Iterator[None]:
    """A connection that Redis closed since it was last used: uvloop has no error of its own for that."""
    try:
        yield
    except RuntimeError as closed:
        if _CLOSED not in str(closed):
            raise
        raise ConnectionResetError("Redis closed the connection") from closed


def _refused(allowance: Allowance, wait: float, cost: int) -> Problem:
    late = next(level for level in allowance.levels if level.wait == wait)
    name, quota = late.bucket.name, late.bucket.quota
    if name != "day":
        says = f"the limit of the {name} is {quota} in {late.bucket.window:.0f} seconds"
        return Problem(LIMITED, says, retry_after=wait, more={"limit": name})
    if cost > quota:
        return Problem(BUDGET_SPENT, f"this request alone is more than the {quota} tokens of a day")
    return Problem(BUDGET_SPENT, f"the {quota} tokens of this day are spent", retry_after=wait)


def _rate(name: str, key: str, per_minute: int, requests: int) -> Bucket:
    """A batch of more than a minute's worth takes a whole minute, since it could never go through else."""
    return Bucket(name, key, per_minute, MINUTE, takes=min(requests, per_minute))


def _hashed(text: str) -> str:
    """What a client chose is not written to Redis."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
