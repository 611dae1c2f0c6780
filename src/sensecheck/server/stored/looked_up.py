"""What was looked up in the database lately, so that it is not asked for each request."""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from cachetools import LRUCache

from sensecheck.server.problems import STORE_AWAY, Problem
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.store.service.service_store import ServiceStore

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
SECONDS_WITHOUT_DATABASE = 3600.0
"""While the database is away, what was known so lately is known still."""
PATIENCE = 1.5
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class _Seen(Generic[V]):
    value: V | None
    at: float


class LookedUp(Generic[K, V]):
    """Finds things by name; what many want at once is looked up once, and nobody waits twice in vain."""

    def __init__(
        self,
        look_up: Callable[[ServiceStore, K], V | None],
        *,
        good: float,
        missing: float = 0.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._look_up = look_up
        self._good, self._missing = good, missing
        """Seconds for which it is believed that a thing is as it was, or that there is none."""
        self._clock = clock
        self._seen: LRUCache[K, _Seen[V]] = LRUCache(_MOST)
        self._asked: dict[K, asyncio.Task[V | Problem | None]] = {}
        """Lookups under way: whoever wants the same waits for the same one."""
        self._away = False

    def remembers(self, name: K) -> bool:
        """Whether this can be told without the database."""
        return (seen := self._seen.get(name)) is not None and self._fresh(seen)

    async def find(self, desk: StoreDesk, name: K) -> V | None:
        """What has this name; None where nothing has. Raises `store-away` where only the database knows."""
        seen = self._seen.get(name)
        if seen is not None and self._fresh(seen):
            return seen.value
        known = None if seen is None or self._age(seen) >= SECONDS_WITHOUT_DATABASE else seen.value
        asked = self._asked.get(name) or self._ask(desk, name)
        if known is not None and self._away:
            return known  # nobody waits for a database that did not answer the one before
        found = await asyncio.shield(asked)
        if not isinstance(found, Problem):
            return found
        if known is not None and found.kind is STORE_AWAY:
            return known
        raise Problem(found.kind, found.detail, retry_after=found.retry_after)

    def _age(self, seen: _Seen[V]) -> float:
        return self._clock() - seen.at

    def _fresh(self, seen: _Seen[V]) -> bool:
        return self._age(seen) < (self._missing if seen.value is None else self._good)

    def _ask(self, desk: StoreDesk, name: K) -> "asyncio.Task[V | Problem | None]":
        asked = self._asked[name] = asyncio.create_task(self._answer(desk, name))
        asked.add_done_callback(lambda _: self._asked.pop(name, None))
        return asked

    async def _answer(self, desk: StoreDesk, name: K) -> V | Problem | None:
        try:
            value = await desk.ask(lambda store: self._look_up(store, name), patience=PATIENCE)
        except Problem as problem:
            self._away = problem.kind is STORE_AWAY
            return problem
        self._away = False
        self._seen[name] = _Seen(value, self._clock())
        return value
