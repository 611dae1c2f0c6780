"""What keeps vectors or pairs at an address, in a Redis under names of its own."""

from sensecheck.encoders.caches import What, keeper_at, kind_of
from sensecheck.encoders.disk_cache import Keeper


def opened_at(address: str, prefix: str, what: What = "vectors") -> Keeper:
    """As the settings would have it, but for the prefix."""
    if kind_of(address) == "redis":
        from sensecheck.encoders.redis_cache import RedisKeys  # not for those who need none

        return RedisKeys.at(address, prefix=f"{prefix}{what}:")
    return keeper_at(address, max_bytes=10**9, what=what)
