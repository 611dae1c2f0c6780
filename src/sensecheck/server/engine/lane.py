"""One engine, what it holds, and what waits for it."""

import asyncio
from collections.abc import Sequence

from sensecheck.server.engine.child import Child
from sensecheck.server.engine.costs import Pace, Remembers
from sensecheck.server.engine.frames import Batch, Broke, Done
from sensecheck.server.engine.tickets import SUSPECT, Sent, Ticket, Waiting

AT_ONCE = 2
"""Batches that an engine holds: one that it encodes, and one that it decides, or that comes next."""
BATCH_SECONDS = 0.35
"""How much work one batch is, about: who comes next does not wait longer than that for their turn."""
MOST_JOBS = 256
PATIENCE = 60.0
"""An engine that answers nothing for so long, and for much longer than expected, hangs."""
_FELL_OVER_IT = "an engine fell over this very job"


class Lane:
    """Gives an engine all that waits, as soon as it can take it."""

    def __init__(self, number: int, pace: Pace, *, patience: float = PATIENCE) -> None:
        self.number = number
        self.remembers = Remembers()
        self.child: Child | None = None
        self.batches = 0
        """How many were given so far."""
        self.settled = 0
        """How many came back."""
        self._pace = pace
        self._patience = patience
        self._waiting = Waiting()
        self._sent: dict[int, Sent] = {}
        self._settled_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._hung = False
        self._called = False

    @property
    def waiting(self) -> int:
        """Jobs that have not begun."""
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self._waiting and not self._sent

    def seconds_ahead(self) -> float:
        """How long it takes until all that is here is done, about."""
        under_way = self._pace.seconds(sum(sent.cost for sent in self._sent.values()))
        begun = self._begun_at()
        if begun is not None:
            # What is overdue by some time may well take that time again: nobody should queue behind it.
            under_way = abs(under_way - (_now() - begun))
        return under_way + self._pace.seconds(self._waiting.cost)

    def take(self, ticket: Ticket) -> None:
        """Let a job wait here."""
        self.remembers.note(ticket.job)
        self._waiting.add(ticket)
        if not self._called:
            # A moment later: whoever comes in the same moment goes into the same batch.
            self._called = True
            asyncio.get_running_loop().call_soon(self.give)

    def give(self) -> None:
        """Hand the engine as much as it can take."""
        self._called = False
        while self.child is not None and self._waiting and self._may_give():
            tickets = self._waiting.taken(BATCH_SECONDS * self._pace.per_second, MOST_JOBS)
            self.batches += 1
            self._sent[self.batches] = Sent(tickets, _now(), sum(ticket.cost for ticket in tickets))
            self.child.send(Batch(self.batches, tuple(ticket.job for ticket in tickets)))
        self._watch()

    def settle(self, frame: Done | Broke) -> None:
        """What the engine says of a batch."""
        began = self._begun_at()
        sent = self._sent.pop(frame.number)
        if isinstance(frame, Done):
            self.settled += 1
            if began is not None:
                self._pace.learn(sent.cost, _now() - began)
            for ticket, result in zip(sent.tickets, frame.results, strict=True):
                ticket.settle(result)
        else:
            self._again(sent.tickets, SUSPECT)
        self._settled_at = _now()
        self.give()

    def fell(self) -> None:
        """The engine is gone: what it held waits for the next one, before all others."""
        self.child = None
        self.remembers.forget()
        held = [ticket for sent in self._sent.values() for ticket in sent.tickets]
        self._sent.clear()
        if self._hung and len(held) == 1:
            held[0].give_up(_FELL_OVER_IT)
        self._again(held, SUSPECT if self._hung else 1)
        self._hung = False
        self._watch()

    def give_up(self, because: str) -> None:
        """Nobody will do what is here."""
        held = [ticket for sent in self._sent.values() for ticket in sent.tickets]
        self._sent.clear()
        for ticket in (*held, *self._waiting.drained()):
            ticket.give_up(because)
        self._watch()

    def handed_over(self) -> tuple[Ticket, ...]:
        """What waits here and may as well go to another engine."""
        return self._waiting.innocent()

    def _may_give(self) -> bool:
        suspicion = self._waiting.first.suspect or any(sent.suspect for sent in self._sent.values())
        return not self._sent if suspicion else len(self._sent) < AT_ONCE

    def _again(self, tickets: Sequence[Ticket], falls: int) -> None:
        """Once more, and alone in the end; who was alone when the engine fell is to blame for it."""
        back: list[Ticket] = []
        for ticket in tickets:
            if ticket.suspect:
                ticket.give_up(_FELL_OVER_IT)
            elif not ticket.future.done():
                ticket.falls += falls
                back.append(ticket)
        self._waiting.put_back(back)

    def _begun_at(self) -> float | None:
        """Since when the engine is at the oldest of its batches."""
        return max(self._settled_at, next(iter(self._sent.values())).at) if self._sent else None

    def _watch(self) -> None:
        """Be called when the oldest batch has taken too long."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        begun = self._begun_at()
        if begun is not None:
            oldest = next(iter(self._sent.values()))
            patience = self._patience / 4 if oldest.suspect else self._patience
            when = begun + patience + 4 * self._pace.seconds(oldest.cost)
            self._alarm = asyncio.get_running_loop().call_at(when, self._hangs)

    def _hangs(self) -> None:
        self._hung = True
        if self.child is not None:
            self.child.kill()


def _now() -> float:
    return asyncio.get_running_loop().time()
