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
            redacted_address = _without_secrets(address)
        except ValueError:  # which repeats the address, and with it a password
            raise SpecError(
                "`cache` must be an address such as `redis://HOST:6379/0`; got something else"
            ) from None
        return cls(client, redacted_address, prefix=prefix, seconds=seconds)

    @property
    def address(self) -> str:
        """Where they are kept, without the password."""
        return self._address

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        found_bodies: dict[bytes, bytes] = {}
        with self._converting_errors():
            for batch in _batches(keys):
                bodies = self._client.mget([self._name(maker, key) for key in batch])
                found_bodies |= {
                    key: body for key, body in zip(batch, bodies, strict=True) if isinstance(body, bytes)
                }
        return found_bodies

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that another process had written first, what is kept instead."""
        existing: list[bytes] = []
        with self._converting_errors():
            self._client.sadd(self._makers, maker)
            for batch in _batches(list(bodies)):
                with self._client.pipeline(transaction=False) as pipeline:
                    for key in batch:
                        pipeline.set(self._name(maker, key), bodies[key], nx=True, ex=self._seconds)
                    existing += [
                        key for key, stored in zip(batch, pipeline.execute(), strict=True) if not stored
                    ]
        return self.read(maker, existing)

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies."""
        with self._converting_errors():
            for batch in _batches(keys):
                self._client.unlink(*(self._name(maker, key) for key in batch))

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        with self._converting_errors():
            counts = {maker: sum(1 for _ in self._names(maker)) for maker in self._stored_makers()}
        return {maker: count for maker, count in counts.items() if count}

    def used_bytes(self) -> int:
        """How much the kept bodies take, without what Redis needs around them."""
        total = 0
        with self._converting_errors():
            for maker in self._stored_makers():
                for batch in _batches(list(self._names(maker))):
                    with self._client.pipeline(transaction=False) as pipeline:
                        for name in batch:
                            pipeline.strlen(name)
                        total += sum(pipeline.execute())
        return total

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were."""
        removed = 0
        with self._converting_errors():
            for each_maker in self._stored_makers() if maker is None else [maker]:
                for batch in _batches(list(self._names(each_maker))):
                    removed += int(self._client.unlink(*batch))
                self._client.srem(self._makers, each_maker)
        return removed

    @property
    def _makers(self) -> bytes:
        return self._prefix + b"makers"

    def _stored_makers(self) -> list[str]:
        return sorted(
            name.decode() for name in self._client.smembers(self._makers) if isinstance(name, bytes)
        )

    def _name(self, maker: str, key: bytes) -> bytes:
        return self._prefix + hashlib.blake2b(maker.encode(), digest_size=8).hexdigest().encode() + b":" + key

    def _names(self, maker: str) -> Iterator[bytes]:
        """The names of all that one maker made, each once: Redis may repeat a name."""
        yield from set(self._client.scan_iter(self._name(maker, b"*"), count=BATCH_SIZE))

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        try:
            yield
        except redis.RedisError as broken:
            raise CacheError(
                f"the cache `{self.address}` cannot be used: {broken}; start Redis, or let it evict "
                "(`maxmemory-policy allkeys-lru`) where it is full, or switch the cache off with "
                "SENSECHECK_CACHE=off"
            ) from broken


def _batches(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), BATCH_SIZE):
        yield keys[start : start + BATCH_SIZE]


def _without_secrets(address: str) -> str:
    """The scheme, the host, the port and the database, without a name, a password or what follows."""
    parts = urlsplit(address)
    port = "" if parts.port is None else f":{parts.port}"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"
