"""Names of our own in a Redis that others use too."""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex

import redis

REDIS = "redis://127.0.0.1:6379/0"


@contextmanager
def own_prefix() -> Iterator[str]:
    """How our names begin; all of them are gone afterwards."""
    own = f"sensecheck-test-{token_hex(6)}:"
    yield own
    with redis.Redis.from_url(REDIS) as client:
        for key in client.scan_iter(f"{own}*"):
            client.delete(key)
