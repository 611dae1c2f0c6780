"""Vectors or pair scores kept as Parquet segments, for workers that share a folder or a store of objects.

`ROOT/MAKER/BUCKET/NUMBER.parquet`: the maker's digest, the first hex digit of the keys, and a number that
only one writer gets. Whoever finds a number taken reads what the winner wrote, leaves out the keys that are
there now, and takes the next one: the first write of a key wins, with nobody to ask. Of several entries for
a key the one with the highest number counts, so that a body can be let go and be written anew.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import PurePosixPath
from typing import TypeVar

import numpy as np
import pyarrow as pa

from sensecheck.core.errors import CacheError
from sensecheck.core.store_errors import store_errors
from sensecheck.encoders.caches.segment import KEY_BYTES, Entries, SegmentKeys, entries_at, segment_of
from sensecheck.encoders.caches.segment_folder import SegmentFolder

MOST_KEYS = 4_000_000
"""How many keys of segments stay in memory, at 20 bytes each."""

Told = TypeVar("Told")
Open = Callable[[], pa.NativeFile]


class Segments:
    """Bodies by maker and key, in files that are never changed.

    A maker's buckets are listed when they are first needed, and one of them again when a number turns out to
    be taken: what others wrote in the meantime is encoded once more, and found at the latest when it is to
    be written.
    """

    def __init__(self, folder: SegmentFolder) -> None:
        self._folder = folder
        self._listed: dict[str, list[str]] = {}
        """By bucket: its segments, the newest first."""
        self._held: dict[str, SegmentKeys] = {}
        self.max_bytes = None

    @property
    def address(self) -> str:
        """Where they are kept, without secrets."""
        return f"parquet:{self._folder.address}"

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        found: dict[bytes, bytes] = {}
        with self._used():
            for bucket, some in _by_bucket(maker, keys).items():
                found |= self._kept(bucket, some)
        return found

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that somebody else had written first, what is kept instead."""
        first: dict[bytes, bytes] = {}
        with self._used():
            for bucket, keys in _by_bucket(maker, list(bodies)).items():
                kept = self._kept(bucket, keys)
                while not self._added(bucket, maker, {key: bodies[key] for key in keys if key not in kept}):
                    kept = self._kept(bucket, keys)
                first |= kept
        return first

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies."""
        with self._used():
            for bucket, some in _by_bucket(maker, keys).items():
                while not self._added(bucket, maker, dict.fromkeys(self._kept(bucket, some))):
                    pass

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        counted: Counter[str] = Counter()
        with self._used():
            for name in self._folder.names():
                segment = self._keys(name, partial(self._folder.open, name))
                counted[segment.maker] += len(segment.keys) - 2 * segment.dropped
        return {maker: count for maker, count in sorted(counted.items()) if count}

    def used_bytes(self) -> int:
        """How much the segments take."""
        with self._used():
            return self._folder.used_bytes()

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were, if that can be read.

        A writer that is at work may then write a key once more that another has just written.
        """
        held: dict[str, int] = {}
        with suppress(CacheError):
            held = self.count()
        with self._used():
            self._folder.remove(self._folder.names("" if maker is None else _folder_of(maker)))
        self._listed.clear()
        self._held.clear()
        return sum(held.values()) if maker is None else held.get(maker, 0)

    def _kept(self, bucket: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies of a bucket; all is looked up anew where somebody cleared it."""
        try:
            return self._looked_up(bucket, keys)
        except FileNotFoundError:
            for name in self._listed.pop(bucket, ()):
                self._held.pop(name, None)
            return self._looked_up(bucket, keys)

    def _looked_up(self, bucket: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        wanted: list[bytes] = list(keys)
        found: dict[bytes, bytes | None] = {}
        for name in self._names(bucket):
            opened = cache(partial(self._folder.open, name))  # once, for its keys and its bodies
            rows = self._keys(name, opened).rows_of(np.array(wanted, f"S{KEY_BYTES}"))
            there = np.flatnonzero(rows >= 0)
            if there.size:
                entries = self._read(name, opened, partial(entries_at, rows=rows[there]))
                if list(entries) != [wanted[i] for i in there]:  # all was cleared, and names began anew
                    raise FileNotFoundError(f"`{name}` is another segment now")
                found |= entries
                wanted = [wanted[i] for i in np.flatnonzero(rows < 0)]
            if not wanted:
                break
        return {key: body for key, body in found.items() if body is not None}

    def _added(self, bucket: str, maker: str, entries: Entries) -> bool:
        """Whether they are kept now; no where somebody took the number, and the bucket is to be read anew."""
        if not entries:
            return True
        names = self._names(bucket)
        number = int(PurePosixPath(names[0]).stem) + 1 if names else 1
        name = f"{bucket}/{number:08}.parquet"
        if self._folder.create(name, segment_of(maker, entries)):
            self._listed[bucket] = [name, *names]
            self._hold(name, SegmentKeys.of(maker, entries))
            return True
        self._listed.pop(bucket, None)
        return False

    def _names(self, bucket: str) -> list[str]:
        """The segments of a bucket, the newest first."""
        names = self._listed.get(bucket)
        return self._list(bucket)[bucket] if names is None else names

    def _list(self, bucket: str) -> dict[str, list[str]]:
        """List a bucket; with the first one of a maker all of them, since most calls need them all."""
        maker = bucket.partition("/")[0]
        alone = any(one.startswith(maker) for one in list(self._listed))
        found: dict[str, list[str]] = {one: [] for one in ([bucket] if alone else _buckets(maker))}
        for name in reversed(self._folder.names(bucket if alone else maker)):
            found.setdefault(str(PurePosixPath(name).parent), []).append(name)
        self._listed |= found
        return found

    def _keys(self, name: str, opened: Open) -> SegmentKeys:
        keys = self._held.get(name)
        return self._hold(name, self._read(name, opened, SegmentKeys.read)) if keys is None else keys

    def _hold(self, name: str, keys: SegmentKeys) -> SegmentKeys:
        self._held[name] = keys
        while sum(len(one.keys) for one in list(self._held.values())) > MOST_KEYS and len(self._held) > 1:
            self._held.pop(next(iter(self._held)), None)
        return keys

    def _read(self, name: str, opened: Open, read: Callable[[pa.NativeFile], Told]) -> Told:
        file = opened()
        try:
            return read(file)
        except (OSError, ValueError, KeyError, pa.ArrowException) as damaged:
            raise CacheError(
                f"the segment `{name}` of the cache `{self.address}` is damaged: {damaged}; "
                "delete it, or clear the cache with `sensecheck cache clear --all`"
            ) from damaged

    @contextmanager
    def _used(self) -> Iterator[None]:
        try:
            yield
        except store_errors() as broken:
            raise CacheError(
                f"the cache `{self.address}` cannot be used: {broken}; look after its folder or "
                "store, or switch it off with SENSECHECK_CACHE=off"
            ) from broken


def _by_bucket(maker: str, keys: Sequence[bytes]) -> dict[str, list[bytes]]:
    buckets: dict[str, list[bytes]] = {}
    for key in keys:
        buckets.setdefault(f"{_folder_of(maker)}/{key[0] >> 4:x}", []).append(key)
    return buckets


def _buckets(folder: str) -> list[str]:
    return [f"{folder}/{digit:x}" for digit in range(16)]


def _folder_of(maker: str) -> str:
    return hashlib.blake2b(maker.encode(), digest_size=8).hexdigest()
