"""Where the jobs of large requests wait, so that small ones have their turn between them."""

from asyncio import Future
from collections.abc import Callable, Iterable
from functools import partial

from sensecheck.server.engine.jobs import Result
from sensecheck.server.engine.tickets import Ticket, Waiting


class Sluice:
    """Lets jobs in bit by bit: never more at once than a share of what an engine may have ahead of it."""

    def __init__(self, let_in: Callable[[Ticket], None], share: Callable[[], float]) -> None:
        self._let_in = let_in
        self._share = share
        """How much may be inside at once, in tokens; a job that is alone may be larger."""
        self._waiting = Waiting()
        self._inside: dict[Ticket, float] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def cost(self) -> float:
        """Of all that waits here."""
        return self._waiting.cost

    def take(self, tickets: Iterable[Ticket]) -> None:
        """Let jobs wait here, behind those that came before; whoever gives up takes theirs away again."""
        for ticket in tickets:
            self._waiting.add(ticket)
        self._flow()

    def give_up(self, because: str) -> None:
        """Nobody will do what is here."""
        for ticket in self._waiting.drained():
            ticket.give_up(because)

    def _flow(self) -> None:
        while self._waiting and self._has_room():
            ticket = self._waiting.first
            self._waiting.remove(ticket)
            self._let_in(ticket)
            self._inside[ticket] = ticket.cost
            ticket.future.add_done_callback(partial(self._out, ticket))

    def _has_room(self) -> bool:
        return not self._inside or sum(self._inside.values()) + self._waiting.first.cost <= self._share()

    def _out(self, ticket: Ticket, _: "Future[Result]") -> None:
        del self._inside[ticket]
        self._flow()
