"""Fitted policies that were looked up lately."""

from collections.abc import Callable
from time import monotonic

from sensecheck.server.stored.looked_up import LookedUp
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.store.service.policies import Items, resolve

SECONDS_GOOD = 10.0
"""So long after a new version was fitted, the one before may still be used where none was named."""
Fitted = tuple[str, Items | None, str]
"""One of our policies, the line in it, and its name and version."""


class KnownPolicies:
    """Finds the policies of projects by their names."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._known: LookedUp[tuple[int, str], Fitted] = LookedUp(
            lambda store, named: resolve(store, *named), good=SECONDS_GOOD, clock=clock
        )

    async def find(self, desk: StoreDesk, project: int, name: str) -> Fitted | None:
        """The policy; None for one that the project does not have. Raises `store-away`."""
        return await self._known.find(desk, (project, name))
