"""Jobs that somebody waits for, alone and in batches."""

import asyncio
from dataclasses import dataclass

from sensecheck.server.engine.asking import EngineAway
from sensecheck.server.engine.jobs import Job, Result

SUSPECT = 2
"""A job that was there when an engine fell so often is given alone from then on."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A job, and who waits for it."""

    job: Job
    cost: float
    future: "asyncio.Future[Result]"
    falls: int = 0
    """How often an engine fell while it held this job."""

    @property
    def suspect(self) -> bool:
        """Whether it is given alone, so that it is clear who is to blame."""
        return self.falls >= SUSPECT

    def settle(self, result: Result) -> None:
        """Tell who waits, if they still do."""
        if not self.future.done():
            self.future.set_result(result)

    def give_up(self, because: str) -> None:
        """Tell who waits that nobody will do it."""
        if not self.future.done():
            self.future.set_exception(EngineAway(because))


@dataclass(frozen=True, slots=True)
class Sent:
    """A batch that an engine holds."""

    tickets: tuple[Ticket, ...]
    at: float
    cost: float

    @property
    def suspect(self) -> bool:
        """Whether its one job is under suspicion."""
        return any(ticket.suspect for ticket in self.tickets)


class Waiting:
    """Jobs that have not begun, first come, first served; any of them can be taken out at any time."""

    def __init__(self) -> None:
        self._held: dict[Ticket, None] = {}
        self.cost = 0.0
        """Of all of them."""

    def __len__(self) -> int:
        return len(self._held)

    @property
    def first(self) -> Ticket:
        """Who has waited longest."""
        return next(iter(self._held))

    def add(self, ticket: Ticket) -> None:
        """At the end; whoever gives up waiting takes their job away again."""
        self._held[ticket] = None
        self.cost += ticket.cost
        ticket.future.add_done_callback(lambda _: self.remove(ticket))

    def put_back(self, tickets: list[Ticket]) -> None:
        """Before all others: they have waited longest."""
        rest = self.drained()
        for ticket in (*tickets, *rest):
            self.add(ticket)

    def remove(self, ticket: Ticket) -> None:
        """No longer here; nothing happens when it is not."""
        if ticket in self._held:
            del self._held[ticket]
            self.cost = self.cost - ticket.cost if self._held else 0.0

    def taken(self, cost: float, most: int) -> tuple[Ticket, ...]:
        """The next ones, as many as together cost so much, and at least one; a suspect comes alone."""
        taken: list[Ticket] = []
        for ticket in self._held:
            if taken and (ticket.cost > cost or len(taken) == most or ticket.suspect or taken[0].suspect):
                break
            taken.append(ticket)
            cost -= ticket.cost
        for ticket in taken:
            self.remove(ticket)
        return tuple(taken)

    def innocent(self) -> tuple[Ticket, ...]:
        """Those that no engine fell over, taken out."""
        found = tuple(ticket for ticket in self._held if not ticket.falls)
        for ticket in found:
            self.remove(ticket)
        return found

    def drained(self) -> tuple[Ticket, ...]:
        """All of them, taken out."""
        found = tuple(self._held)
        self._held.clear()
        self.cost = 0.0
        return found
