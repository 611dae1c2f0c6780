"""Vectors and pair scores kept in Redis, for the processes of a service that share them over the network."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

import redis

from sensecheck.core.errors import CacheError, SpecError

PREFIX = "sensecheck:vectors:"
PREFIXES = {"vectors": PREFIX, "pairs": "sensecheck:pairs:"}
"""How the names begin of each thing that is kept."""
BATCH_SIZE = 500
SECONDS = 5.0
"""How long Redis may take for one answer."""


class RedisKeys:
    """Bodies by maker and key; a name in Redis is the prefix, a digest of the maker, and the key.

    What is let go when Redis is full is for its own `maxmemory-policy` to say; `allkeys-lru` suits a cache.
    """

    def __init__(
        self, client: "redis.Redis", address: str, *, prefix: str = PREFIX, seconds: int | None = None
    ) -> None:
        self._client = client
        self._address = address
        self._prefix = prefix.encode()
        self._seconds = seconds
        """How long a body is kept; None for as long as Redis likes."""
        self.max_bytes = None

    @classmethod
    def at(cls, address: str, *, prefix: str = PREFIX, seconds: int | None = None) -> "RedisKeys":
        """The keys of the Redis at `redis://HOST:6379/0`; nothing is connected before the first use."""
        try:
            client = redis.Redis.from_url(address, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
            shown = _without_secrets(address)
        except ValueError:  # which repeats the address, and with it a password
            raise SpecError(
                "`cache` must be an address such as `redis://HOST:6379/0`; got something else"
            ) from None
        return cls(client, shown, prefix=prefix, seconds=seconds)

    @property
    def address(self) -> str:
        """Where they are kept, without the password."""
        return self._address

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        found: dict[bytes, bytes] = {}
        with self._used():
            for some in _portions(keys):
                bodies = self._client.mget([self._name(maker, key) for key in some])
                found |= {
                    key: body for key, body in zip(some, bodies, strict=True) if isinstance(body, bytes)
                }
        return found

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that another process had written first, what is kept instead."""
        late: list[bytes] = []
        with self._used():
            self._client.sadd(self._makers, maker)
            for some in _portions(list(bodies)):
                with self._client.pipeline(transaction=False) as asked:
                    for key in some:
                        asked.set(self._name(maker, key), bodies[key], nx=True, ex=self._seconds)
                    late += [key for key, kept in zip(some, asked.execute(), strict=True) if not kept]
        return self.read(maker, late)

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies."""
        with self._used():
            for some in _portions(keys):
                self._client.unlink(*(self._name(maker, key) for key in some))

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        with self._used():
            held = {maker: sum(1 for _ in self._names(maker)) for maker in self._known()}
        return {maker: count for maker, count in held.items() if count}

    def used_bytes(self) -> int:
        """How much the kept bodies take, without what Redis needs around them."""
        used = 0
        with self._used():
            for maker in self._known():
                for some in _portions(list(self._names(maker))):
                    with self._client.pipeline(transaction=False) as asked:
                        for name in some:
                            asked.strlen(name)
                        used += sum(asked.execute())
        return used

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were."""
        gone = 0
        with self._used():
            for one in self._known() if maker is None else [maker]:
                for some in _portions(list(self._names(one))):
                    gone += int(self._client.unlink(*some))
                self._client.srem(self._makers, one)
        return gone

    @property
    def _makers(self) -> bytes:
        return self._prefix + b"makers"

    def _known(self) -> list[str]:
        return sorted(
            name.decode() for name in self._client.smembers(self._makers) if isinstance(name, bytes)
        )

    def _name(self, maker: str, key: bytes) -> bytes:
        return self._prefix + hashlib.blake2b(maker.encode(), digest_size=8).hexdigest().encode() + b":" + key

    def _names(self, maker: str) -> Iterator[bytes]:
        """The names of all that one maker made, each once: Redis may tell a name again."""
        yield from set(self._client.scan_iter(self._name(maker, b"*"), count=BATCH_SIZE))

    @contextmanager
    def _used(self) -> Iterator[None]:
        try:
            yield
        except redis.RedisError as broken:
            raise CacheError(
                f"the cache `{self.address}` cannot be used: {broken}; start Redis, or let it evict "
                "(`maxmemory-policy allkeys-lru`) where it is full, or switch the cache off with "
                "SENSECHECK_CACHE=off"
            ) from broken


def _portions(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), BATCH_SIZE):
        yield keys[start : start + BATCH_SIZE]


def _without_secrets(address: str) -> str:
    """The scheme, the host, the port and the database, without a name, a password or what follows."""
    parts = urlsplit(address)
    port = "" if parts.port is None else f":{parts.port}"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
