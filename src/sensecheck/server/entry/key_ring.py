"""Keys that were looked up lately."""

from collections.abc import Callable
from time import monotonic

from sensecheck.server.stored.looked_up import LookedUp
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.store.service.api_keys import find
from sensecheck.store.service.records import ApiKey
from sensecheck.store.service.service_store import ServiceStore

SECONDS_GOOD = 30.0
"""So long after it was taken back, a key may still be answered."""
SECONDS_UNKNOWN = 5.0


class KeyRing:
    """Finds keys by their ids."""

    def __init__(self, desk: StoreDesk, *, clock: Callable[[], float] = monotonic) -> None:
        self._desk = desk
        self._known: LookedUp[str, ApiKey] = LookedUp(
            _find, good=SECONDS_GOOD, missing=SECONDS_UNKNOWN, clock=clock
        )

    def remembers(self, key_id: str) -> bool:
        """Whether this key can be told without the database."""
        return self._known.remembers(key_id)

    async def find(self, key_id: str) -> ApiKey | None:
        """The key with this id; raises `store-away` where only the database could tell."""
        return await self._known.find(self._desk, key_id)


def _find(store: ServiceStore, key_id: str) -> ApiKey | None:
    with store.engine.connect() as connection:
        return find(connection, key_id)
