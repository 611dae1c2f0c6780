"""The place that an address means."""

from sensecheck.evals.shards.addresses import is_url, local_path, must_hold_no_secret
from sensecheck.evals.shards.local_place import LocalPlace
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.store_place import StorePlace


def place_of(address: str) -> Place:
    """A folder of this machine, or a prefix in a store: `results/`, `s3://bucket/results`."""
    must_hold_no_secret(address)
    return StorePlace(address.rstrip("/")) if is_url(address) else LocalPlace(local_path(address))
