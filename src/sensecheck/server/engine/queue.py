"""The queue in front of the worker processes: who is admitted, and whose job is next.

It is a fair queue. Each job gets a tag: the cost that its client would have been served by then, if all
clients were served at the same speed; the lowest tag is next. So a client with much work waits for itself,
small jobs pass large ones, and a request waits only for what has a lower tag than its own.
"""

import asyncio
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from time import monotonic

from sensecheck.server.engine.cost import Pace, cost_of
from sensecheck.server.engine.jobs import Client, EngineAway, Job, Overloaded, Result

SMALL_TOKENS = 4_000.0
"""A job that costs less is small: large ones never keep it from a worker."""
BATCH_SECONDS = 0.35
"""How much work one batch is, about: the next job does not wait longer than that for its turn."""
MAX_BATCH_JOBS = 256
ACTIVE_SECONDS = 60.0
"""A key that asked for nothing in this time needs no part of the queue."""
MAX_RETRY_SECONDS = 60.0
RETRY_ROOM = 0.75
"""Those who were refused are told to come back when the wait is down to this share of the longest one."""
ADMIT_ROOM = 0.85
"""What comes for the first time is admitted up to this share of the longest wait: the wait is estimated, and
what is admitted should not have to be given up at its deadline."""
MAX_BOOKINGS = 10_000
_DELAY_WEIGHT = 0.1
_RETURN_WEIGHT = 0.05
_TINY = 1e-6
Line = tuple[Client | None, bool]
"""With whom a refused request waits: a client, or None for all others; and whether it is small."""


@dataclass(eq=False, slots=True)
class Admission:
    """The room in the queue that one request has taken."""

    client: Client
    reserved: float
    """The cost of its jobs that are not yet in the queue."""
    tag: float
    """Of the last of its jobs that is."""
    at: float
    """When it was admitted."""
    request: bytes = b""
    """By which it is known when it was refused and comes back."""
    is_used: bool = False
    """Whether any of its jobs is in the queue, or was."""
    is_released: bool = False
    begun: bool = False
    """Whether a worker has had any of its jobs."""


@dataclass(frozen=True, slots=True)
class Booking:
    """A request that was refused and may come back."""

    due: float
    """When it was told to."""
    until: float
    """When it is no longer expected."""
    line: Line
    work: int
    """How many milliseconds it will take, about."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A job in the queue, and the future that waits for its result."""

    job: Job
    cost: float
    tag: float
    admission: Admission
    future: "asyncio.Future[Result]"
    crashes: int = 0
    """How often a worker ended while it had this job."""

    @property
    def is_small(self) -> bool:
        """Whether large jobs never keep it from a worker."""
        return self.cost <= SMALL_TOKENS

    def settle(self, result: Result) -> None:
        """Hand over the result, if it is still wanted."""
        if not self.future.done():
            self.future.set_result(result)

    def give_up(self, error: EngineAway | Overloaded) -> None:
        """Report that there will be no result."""
        if not self.future.done():
            self.future.set_exception(error)


@dataclass(eq=False, slots=True)
class Batch:
    """Jobs that a worker has."""

    tickets: Sequence[Ticket]
    at: float
    small_only: bool = False
    """Whether it is in the slot for small jobs."""
    cost: float = field(init=False)
    is_small: bool = field(init=False)

    def __post_init__(self) -> None:
        self.cost = sum(ticket.cost for ticket in self.tickets)
        self.is_small = all(ticket.is_small for ticket in self.tickets)


class FairQueue:
    """Jobs that wait for any worker, and the room that requests have taken."""

    def __init__(
        self,
        pace: Pace,
        *,
        max_wait: float,
        key_share: float = 0.5,
        workers: Callable[[], int] = lambda: 1,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.suspects: list[Ticket] = []
        """Jobs that were there when a worker ended; each is given to a worker alone."""
        self._pace = pace
        self._max_wait = max_wait
        self._key_share = key_share
        self._workers = workers
        self._clock = clock
        self._waiting: list[Ticket] = []
        """By their tags."""
        self._running: dict[Batch, None] = {}
        self._admissions: dict[Admission, None] = {}
        self._served = 0.0
        """The tag of the job that was taken last."""
        self._tags: dict[Client, float] = {}
        """Of each client's last job."""
        self._seen: dict[str, float] = {}
        """When each key last asked."""
        self._booked: dict[Line, float] = {}
        """Until when those that were refused have been asked to wait."""
        self._bookings: dict[tuple[Client, bytes], Booking] = {}
        self._expected: dict[Line, Counter[int]] = {}
        """Milliseconds of work of all bookings, by where they wait and the second in which they are due."""
        self._returning = 1.0
        """The share of those that were refused who come back as told; all of them, until it is known."""
        self._delay = 0.0
        """Seconds between the admission of a request and its first job: the writer's time."""

    def __len__(self) -> int:
        return len(self._waiting) + len(self.suspects)

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self and not self._running

    def admit(self, costs: Sequence[float], client: Client, request: bytes = b"") -> Admission:
        """Take room for jobs of these costs; raises `Overloaded` where they would wait too long.

        A request that was refused and comes back when it was told to goes before those that come meanwhile.
        """
        now = self._clock()
        self._forget(now)
        booking = self._unbook((client, request))
        is_due = booking is not None and now >= booking.due
        if is_due:
            self._count_return(1.0)
        start = max(self._served, self._tags.get(client, 0.0))
        first, cost = costs[0], sum(costs)
        small = first <= SMALL_TOKENS
        wait = self._wait(start + first, small)
        own = self._is_over_share(client, now)
        self._seen[client.key] = now
        expected = 0.0 if is_due else self._expected_seconds(client, small, now)
        if own or wait + expected > (1.0 if is_due else ADMIT_ROOM) * self._max_wait:
            # Requests that wait for their own client do not move the time at which others may come back.
            line = client if own or start > self._served else None, small
            seconds = self._seconds(cost)
            room_at = now + wait - RETRY_ROOM * self._max_wait
            if booking is None:
                room_at = max(room_at, self._booked.get(line, now))
                self._booked[line] = min(room_at + self._returning * seconds, now + MAX_RETRY_SECONDS)
            elif not is_due:  # it keeps its place
                room_at = booking.due
            raise Overloaded(self._book((client, request), line, seconds, room_at), own=own)
        admission = Admission(client, cost, start, now, request)
        self._admissions[admission] = None
        self._tags[client] = start + cost
        return admission

    def release(self, admission: Admission) -> None:
        """The request is done; its room is free."""
        admission.is_released = True
        self._admissions.pop(admission, None)

    def submit(self, job: Job, admission: Admission, future: "asyncio.Future[Result]") -> Ticket:
        """Put a job of an admitted request into the queue; a future that is cancelled takes it out again."""
        cost = cost_of(job)
        if not admission.is_used:
            admission.is_used = True
            self._delay += _DELAY_WEIGHT * (self._clock() - admission.at - self._delay)
        admission.tag += cost
        admission.reserved = max(0.0, admission.reserved - cost)
        self._tags[admission.client] = max(self._tags.get(admission.client, 0.0), admission.tag)
        ticket = Ticket(job, cost, admission.tag, admission, future)
        insort(self._waiting, ticket, key=lambda queued: queued.tag)
        future.add_done_callback(lambda _: self._remove(ticket))
        return ticket

    def expire(self, ticket: Ticket) -> None:
        """Refuse a job that has waited too long, unless its request has begun."""
        if ticket in self._waiting and not ticket.admission.begun:
            client, request = ticket.admission.client, ticket.admission.request
            seconds = self._seconds(ticket.cost)
            room_at = self._clock() + self._wait(ticket.tag, ticket.is_small) - RETRY_ROOM * self._max_wait
            ticket.give_up(
                Overloaded(self._book((client, request), (None, ticket.is_small), seconds, room_at))
            )

    @property
    def deadline_seconds(self) -> float:
        """How long the first job of a request may wait."""
        return self._max_wait

    def take(self, *, small_only: bool) -> Batch | None:
        """The next jobs, about as many as a worker should have at once, and at least one."""
        remaining = BATCH_SECONDS * self._pace.per_second
        tickets: list[Ticket] = []
        for ticket in self._waiting:
            if small_only and not ticket.is_small:
                continue
            if tickets and (ticket.cost > remaining or len(tickets) == MAX_BATCH_JOBS):
                break
            tickets.append(ticket)
            remaining -= ticket.cost
        return self._begin(tickets, small_only) if tickets else None

    def take_suspect(self) -> Batch:
        """The next of those that are given alone."""
        return self._begin([self.suspects[0]], small_only=False)

    def finish(self, batch: Batch) -> None:
        """A worker no longer has these."""
        self._running.pop(batch, None)

    def suspect(self, tickets: Iterable[Ticket]) -> None:
        """Let these wait again, each to be given alone."""
        for ticket in tickets:
            if not ticket.future.done():
                self.suspects.append(ticket)

    def drain(self) -> list[Ticket]:
        """Everything that waits, taken out."""
        tickets = [*self.suspects, *self._waiting]
        self.suspects.clear()
        self._waiting.clear()
        return tickets

    def seconds_ahead(self) -> float:
        """How long a new small job would wait, about."""
        return self._wait(max(self._served, *(one.tag for one in self._waiting[-1:]), 0.0) + 1.0, small=True)

    def _begin(self, tickets: list[Ticket], small_only: bool) -> Batch:
        for ticket in tickets:
            self._remove(ticket)
            ticket.admission.begun = True
            self._served = max(self._served, ticket.tag)
        batch = Batch(tickets, self._clock(), small_only)
        self._running[batch] = None
        return batch

    def _remove(self, ticket: Ticket) -> None:
        for tickets in (self._waiting, self.suspects):
            if ticket in tickets:
                tickets.remove(ticket)

    def _wait(self, tag: float, small: bool) -> float:
        """How long a job with this tag would wait, about; a small one does not wait for large ones."""
        queued = self._pace.seconds(
            sum(
                ticket.cost
                for ticket in self._waiting
                if ticket.tag <= tag and (ticket.is_small or not small)
            )
            + sum(ticket.cost for ticket in self.suspects)
        )
        reserved = self._pace.seconds(
            sum(
                admission.reserved
                for admission in self._admissions
                if admission.tag + admission.reserved <= tag
            )
        )
        running = sum(self._left(batch) for batch in self._running if batch.is_small or not small)
        # A small job shares a core with a large one that is under way.
        shared = 2.0 if small and any(not batch.is_small for batch in self._running) else 1.0
        # Room that is reserved while an answer is written is not needed before it is written.
        later = max(0.0, reserved - self._delay * self._workers())
        return shared * (queued + later + running) / max(1, self._workers())

    def _left(self, batch: Batch) -> float:
        """Seconds until a batch is done, about; one that is overdue may well take as long again."""
        expected, elapsed = self._pace.seconds(batch.cost), self._clock() - batch.at
        return max(expected - elapsed, elapsed - expected, 0.1 * expected)

    def _is_over_share(self, client: Client, now: float) -> bool:
        """Whether a key has more than its share of the queue, while there are others."""
        others = any(key != client.key and now - at < ACTIVE_SECONDS for key, at in self._seen.items())
        cost = sum(ticket.cost for ticket in self._waiting if ticket.admission.client.key == client.key)
        cost += sum(
            admission.reserved for admission in self._admissions if admission.client.key == client.key
        )
        return others and self._seconds(cost) > self._key_share * (self._max_wait + self._delay)

    def _seconds(self, cost: float) -> float:
        """How long so much takes all workers together."""
        return self._pace.seconds(cost) / max(1, self._workers())

    def _expected_seconds(self, client: Client, small: bool, now: float) -> float:
        """The work of those that were refused and will be back before what comes now would be done.

        Small ones do not wait for large ones. A part of the queue is always free for others: those who were
        refused may never come.
        """
        sizes = (True,) if small else (True, False)
        latest = now + self._max_wait
        expected = max(
            sum(
                work
                for size in sizes
                for due, work in self._expected.get((whose, size), {}).items()
                if due <= latest
            )
            for whose in (None, client)
        )
        return min(self._returning * expected / 1000, RETRY_ROOM * self._max_wait)

    def _book(self, request: tuple[Client, bytes], line: Line, seconds: float, room_at: float) -> float:
        """Remember a refused request; returns after how many whole seconds it is to come back."""
        now = self._clock()
        wait = float(max(1, ceil(min(room_at - now, MAX_RETRY_SECONDS) - _TINY)))
        if request[1]:
            self._unbook(request)
            booking = Booking(
                now + wait, now + wait + max(1.0, wait / 4), line, max(1, round(1000 * seconds))
            )
            self._bookings[request] = booking
            self._expected.setdefault(line, Counter())[int(booking.due)] += booking.work
        return wait

    def _unbook(self, request: tuple[Client, bytes]) -> Booking | None:
        """The booking of a request, which is expected no longer; None where there was none."""
        booking = self._bookings.pop(request, None)
        if booking is not None:
            expected = self._expected[booking.line]
            expected[int(booking.due)] -= booking.work
            if not expected[int(booking.due)]:
                del expected[int(booking.due)]
            if not expected:
                del self._expected[booking.line]
        return booking

    def _count_return(self, returned: float) -> None:
        """Learn from one that came back, or did not."""
        self._returning += _RETURN_WEIGHT * (returned - self._returning)

    def _forget(self, now: float) -> None:
        """Drop what no longer matters of clients that are gone."""
        self._tags = {client: tag for client, tag in self._tags.items() if tag > self._served}
        self._seen = {key: at for key, at in self._seen.items() if now - at < ACTIVE_SECONDS}
        self._booked = {line: at for line, at in self._booked.items() if at > now}
        while self._bookings:
            oldest = next(iter(self._bookings))
            if self._bookings[oldest].until >= now and len(self._bookings) <= MAX_BOOKINGS:
                break
            self._unbook(oldest)
            self._count_return(0.0)
        if not self._bookings:
            self._returning = 1.0
