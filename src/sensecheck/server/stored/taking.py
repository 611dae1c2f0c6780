"""The name of a request is taken in a thread, which goes on when whoever asked has left."""

from asyncio import shield
from contextlib import suppress
from threading import Lock

from sensecheck.server.problems import Problem
from sensecheck.server.settings import LEASE
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.store.service.idempotency import Fresh, Reserved
from sensecheck.store.service.service_store import ServiceStore


class Taking:
    """Takes a name for one request, and gives it back by itself where nobody waits for it any more."""

    def __init__(self, project: int, name: str, request: str) -> None:
        self._project, self._name, self._request = project, name, request
        self._lock = Lock()
        self._has_left = False
        self._taken: Fresh | None = None

    async def asked_of(self, desk: StoreDesk) -> Reserved:
        """What becomes of the name."""
        try:
            return await desk.ask(self._take)
        except BaseException:
            # The client left, or the database was too slow: the thread may have the name, or get it yet.
            with self._lock:
                self._has_left, taken = True, self._taken
            if taken is not None:
                await shield(self._given_back(desk, taken))
            raise

    def _take(self, store: ServiceStore) -> Reserved:
        found = store.reserve(self._project, self._name, self._request, seconds=LEASE)
        with self._lock:
            self._taken = found if isinstance(found, Fresh) else None
            left_behind = self._has_left
        if left_behind and isinstance(found, Fresh):
            self._give_back(store, found)
        return found

    async def _given_back(self, desk: StoreDesk, taken: Fresh) -> None:
        with suppress(Problem):  # without the database it lapses by itself
            await desk.ask(lambda store: self._give_back(store, taken))

    def _give_back(self, store: ServiceStore, taken: Fresh) -> None:
        store.release(self._project, self._name, until=taken.until)
