"""The same buckets for all processes together, in Redis: all of a request's in one round trip."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.server.entry.buckets import Bucket, Level

if TYPE_CHECKING:
    from redis.asyncio import Redis

PREFIX = "sensecheck:"
SECONDS = 0.25
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
"""Redis tells what it held before; the levels follow from that by the same arithmetic as everywhere."""


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
                timeout=SECONDS,
                socket_connect_timeout=SECONDS,
                socket_timeout=SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError:  # which repeats the address, and with it a password
            raise SpecError(
                "SENSECHECK_SERVE_REDIS wants an address such as `redis://HOST:6379/0`; found something else"
            ) from None
        return cls(Redis.from_pool(pool), prefix=prefix)

    async def take(self, buckets: Sequence[Bucket]) -> tuple[Level, ...]:
        """Take from all of them, or, if one of them holds too little, from none."""
        keys = [self._prefix + bucket.key for bucket in buckets]
        words = [word for bucket in buckets for word in _words(bucket)]
        with _told_as_reset():
            now, *before = [float(word) for word in await self._script(keys=keys, args=words)]
        return tuple(Level.of(bucket, held, now) for bucket, held in zip(buckets, before, strict=True))

    async def ping(self) -> None:
        """Raise what Redis raises when it does not answer."""
        with _told_as_reset():
            await self._client.ping()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._client.aclose()


@contextmanager
def _told_as_reset() -> Iterator[None]:
    """A connection that Redis closed since it was last used: uvloop has no error of its own for that."""
    try:
        yield
    except RuntimeError as closed:
        if _CLOSED not in str(closed):
            raise
        raise ConnectionResetError("Redis closed the connection") from closed


def _words(bucket: Bucket) -> tuple[str, ...]:
    return str(bucket.quota), str(bucket.window), str(bucket.takes), str(int(bucket.refills))
