"""How much a caller may ask for: by key, by session, by address, and in a day."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from time import time

from sensecheck.io.retry import RetryPolicy, run_with_retries_async
from sensecheck.server.caller import Caller
from sensecheck.server.entry.addresses import counted_as
from sensecheck.server.entry.buckets import DAY, Bucket, Level, LocalBuckets, RedisBuckets, whole_seconds
from sensecheck.server.logs import log
from sensecheck.server.problems import BUDGET_SPENT, LIMITED, Problem
from sensecheck.server.watching.visit import tell

MINUTE = 60.0
RETRIES = RetryPolicy(first_pause=1.0, max_pause=1.0)
"""Of a Redis that is down, for as long as it is."""
FAILURES = 2
"""So many in a row, and Redis counts as down: one may be a connection that was closed while unused."""


def buckets_of(caller: Caller, session_id: str | None, cost: int, requests: int = 1) -> tuple[Bucket, ...]:
    """What a request is counted in; a limit of 0 is none.

    The braces keep all that is counted of one key on one node of a cluster of Redis.
    """
    key, own = caller.key, f"{{{caller.key.id}}}"
    found = [_rate("key", f"{own}:key", key.per_minute, requests)]
    if key.kind == "publishable":  # servers are few, and each asks for many people
        where = _hidden(counted_as(caller.address))
        found.append(_rate("address", f"{own}:address:{where}", key.per_address_minute, requests))
    if session_id is not None:
        found.append(
            _rate("session", f"{own}:session:{_hidden(session_id)}", key.per_session_minute, requests)
        )
    if key.daily_budget and cost:
        day = int(time() // DAY)
        found.append(Bucket("day", f"{own}:day:{day}", key.daily_budget, DAY, takes=cost, refills=False))
    return tuple(bucket for bucket in found if bucket.quota > 0)


def _rate(name: str, key: str, per_minute: int, requests: int) -> Bucket:
    """A batch of more than a minute's worth takes a whole minute, since it could never go through else."""
    return Bucket(name, key, per_minute, MINUTE, takes=min(requests, per_minute))


def _hidden(text: str) -> str:
    """What a client chose is not written to Redis."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a caller may still ask for after this request."""

    levels: tuple[Level, ...]

    def headers(self) -> dict[str, str]:
        """The headers that tell it; the limiter itself puts them on the answer."""
        if not self.levels:
            return {}
        policies = [
            f'"{level.bucket.name}";q={level.bucket.quota};w={level.bucket.window:.0f}'
            for level in self.levels
        ]
        left = [
            f'"{level.bucket.name}";r={level.remaining};t={whole_seconds(level.reset)}'
            for level in self.levels
        ]
        return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(left)}


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
        self._told = told
        """Is told whether Redis answers: at first, where there is one, and each time that this changes."""
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
        tell(allowance.headers())
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
        # Should Redis go away, nobody begins anew: what was left of each bucket is known here too.
        self._local.note(levels)
        return levels

    def _rest(self, trouble: str) -> None:
        if self._returning is None:
            log().warning("redis_down", trouble=trouble, instead="limits are counted in this process alone")
            self._told(False)
            self._returning = asyncio.create_task(self._until_it_answers())

    async def _until_it_answers(self) -> None:
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        assert self._shared is not None
        await asyncio.sleep(RETRIES.first_pause)
        away = (RedisError, OSError, TimeoutError)
        await run_with_retries_async(RETRIES, self._shared.ping, errors=away, sleep=asyncio.sleep)
        log().info("redis_up")
        self._told(True)
        self._returning = None


def _refused(allowance: Allowance, wait: float, cost: int) -> Problem:
    late = next(level for level in allowance.levels if level.wait == wait)
    name, quota = late.bucket.name, late.bucket.quota
    if name != "day":
        says = f"the limit of the {name} is {quota} in {late.bucket.window:.0f} seconds"
        return Problem(LIMITED, says, retry_after=wait, more={"limit": name})
    if cost > quota:
        return Problem(BUDGET_SPENT, f"this request alone is more than the {quota} tokens of a day")
    return Problem(BUDGET_SPENT, f"the {quota} tokens of this day are spent", retry_after=wait)
