"""How much somebody may still ask for: buckets that fill up again, and budgets of a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from time import time

from cachetools import LRUCache


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
    """How a bucket stands after a request."""

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


_EPSILON = 1e-6
DAY = 86_400.0


def _budget_level(bucket: Bucket, taken: float, now: float) -> Level:
    ends = bucket.window - now % bucket.window
    left = bucket.quota - int(taken)
    allowed = bucket.takes <= left
    return Level(bucket, max(0, left - bucket.takes if allowed else left), 0.0 if allowed else ends, ends)


class LocalBuckets:
    """Buckets in the memory of this process; those that were not touched for longest are forgotten first."""

    def __init__(self, most: int = 100_000) -> None:
        self._held: LRUCache[str, tuple[float, float]] = LRUCache(most)
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
        """How they would stand, without taking from any."""
        at = time() if now is None else now
        return tuple(Level.of(bucket, self._before(bucket, at), at) for bucket in buckets)

    def __len__(self) -> int:
        return len(self._held)

    def _before(self, bucket: Bucket, now: float) -> float:
        held, until = self._held.get(bucket.key, (0.0, 0.0))
        return held if until > now else 0.0

    def _note(self, level: Level, now: float) -> None:
        taken = level.bucket.quota - level.remaining
        known = now + level.reset if level.bucket.refills else float(taken)
        self._held[level.bucket.key] = known, now + level.reset


def whole_seconds(seconds: float) -> int:
    """As many whole seconds, and not one too few."""
    return ceil(seconds - _EPSILON)
