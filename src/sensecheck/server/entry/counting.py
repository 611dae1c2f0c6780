"""What a request is counted in."""

from hashlib import blake2b
from time import time

from sensecheck.server.caller import Caller
from sensecheck.server.entry.addresses import counted_as
from sensecheck.server.entry.buckets import DAY, Bucket

MINUTE = 60.0


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
