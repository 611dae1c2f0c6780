"""Which engine does a job, how long a job may wait, and when it is refused.

The queue is never longer than it is worth waiting; jobs of large requests are let in bit by bit, so that
small requests have their turn between them.
"""

import asyncio
from asyncio import Future
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from sensecheck.server.engine.handle import COMMAND
from sensecheck.server.engine.jobs import EngineAway, Job, Load, Overloaded, Result
from sensecheck.server.engine.queue import PATIENCE, EngineQueue, Ticket, WaitingJobs, passages_key
from sensecheck.server.engine.supervisor import EnginePool, EngineSupervisor, ahead_of

_PROMISED = 5.0
"""So many times as long as others may a job wait whose request was admitted already."""
_LARGE = 0.5
"""The share of the longest wait that large requests may fill: the other half is for small ones."""
_STOPPING = "the service is stopping"


class EngineScheduler:
    """Does jobs by engine processes; an `Engine`."""

    def __init__(
        self,
        *,
        engines: int = 1,
        max_wait: float = 2.0,
        command: Sequence[str] = COMMAND,
        environment: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._pool = EnginePool(engines, command, environment, patience)
        self._large = LargeRequestQueue(self._let_in, self._share_of_large)
        self._max_wait = max_wait
        self._stopping = False

    @property
    def fingerprint(self) -> str | None:
        """That of the encoder; None before the first engine is ready."""
        return self._pool.fingerprint

    async def start(self) -> None:
        """Return when the first engine is ready; raise `EngineAway` with what they say when none can be."""
        await self._pool.start()
        if not self._pool.alive:
            await self.stop(0.0)
            raise EngineAway(f"no engine can be started: {self._pool.supervisors[0].trouble}")

    async def stop(self, timeout: float = 10.0) -> None:
        """Take nothing more, finish what was taken if that can be done in time, and end the engines."""
        self._stopping = True
        until = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < until and not self._idle():
            await asyncio.sleep(0.02)
        await self._pool.end()
        self._large.give_up(_STOPPING)
        self._pool.give_up(_STOPPING)

    async def run(self, job: Job, *, promised: bool = False) -> Result:
        """What the job comes to."""
        queue = self._queue_for(job, patience=_PROMISED if promised else 1.0)
        ticket = Ticket(job, queue.memory.cost(job), asyncio.get_running_loop().create_future())
        queue.take(ticket)
        return await ticket.future

    def begin(self, jobs: Sequence[Job]) -> "Sequence[asyncio.Future[Result]]":
        """All of a large request, taken or turned away as one; idle engines take it however large."""
        if not jobs:
            return []
        costs = self._queue_for(jobs[0], large=True).memory.costs(jobs)
        loop = asyncio.get_running_loop()
        tickets = [Ticket(job, cost, loop.create_future()) for job, cost in zip(jobs, costs, strict=True)]
        self._large.take(tickets)
        return [ticket.future for ticket in tickets]

    def admit(self, job: Job) -> None:
        """Raise `Overloaded` or `EngineAway` if `run` would."""
        self._queue_for(job)

    def load(self) -> Load:
        """How busy it is now; `seconds_ahead` is what the next job would wait."""
        pool, ahead = self._pool, map(ahead_of, self._pool.open())
        waiting = len(self._large) + sum(supervisor.queue.waiting for supervisor in pool.supervisors)
        batches = sum(supervisor.queue.batches for supervisor in pool.supervisors)
        return Load(waiting, min(ahead, default=0.0), pool.alive, len(pool.supervisors), batches)

    def _queue_for(self, job: Job, *, large: bool = False, patience: float = 1.0) -> EngineQueue:
        """Where the job would be done in time; a large request also waits for those that came before it."""
        if self._stopping:
            raise EngineAway(_STOPPING)
        best = self._best_for(job)
        ahead = ahead_of(best)
        if large:
            ahead += self._pool.pace.seconds(self._large.cost) / max(1, self._pool.alive)
        if ahead > self._max_wait * patience:
            raise Overloaded(max(ahead - self._max_wait / 2, 0.5))
        return best.queue

    def _best_for(self, job: Job) -> EngineSupervisor:
        """Where the job would be done first: an engine that has its passage in memory is hard to beat."""
        found = self._pool.open()
        if not found:
            raise EngineAway("no engine is running; one is being started")
        # Between engines that are as quick, a text goes where it went before.
        return min(
            found,
            key=lambda supervisor: (
                self._done_in(supervisor, job),
                hash((passages_key(job), supervisor.queue.number)),
            ),
        )

    def _let_in(self, ticket: Ticket) -> None:
        """A job of a large request that was taken has its turn."""
        try:
            queue = self._best_for(ticket.job).queue
        except EngineAway as away:
            ticket.give_up(str(away))
            return
        ticket.cost = queue.memory.cost(ticket.job)
        queue.take(ticket)

    def _share_of_large(self) -> float:
        return _LARGE * self._max_wait * self._pool.pace.per_second * max(1, self._pool.alive)

    def _idle(self) -> bool:
        return not self._large and self._pool.idle

    def _done_in(self, supervisor: EngineSupervisor, job: Job) -> float:
        return ahead_of(supervisor) + self._pool.pace.seconds(supervisor.queue.memory.cost(job))


class LargeRequestQueue:
    """Lets jobs in bit by bit: never more at once than a share of what an engine may have ahead of it."""

    def __init__(self, let_in: Callable[[Ticket], None], share: Callable[[], float]) -> None:
        self._let_in = let_in
        self._share = share
        """How much may be inside at once, in tokens; a job that is alone may be larger."""
        self._waiting = WaitingJobs()
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
        self._let_in_some()

    def give_up(self, because: str) -> None:
        """Nobody will do what is here."""
        for ticket in self._waiting.drained():
            ticket.give_up(because)

    def _let_in_some(self) -> None:
        while self._waiting and self._has_room():
            ticket = self._waiting.first
            self._waiting.remove(ticket)
            self._let_in(ticket)
            self._inside[ticket] = ticket.cost
            ticket.future.add_done_callback(partial(self._is_done, ticket))

    def _has_room(self) -> bool:
        return not self._inside or sum(self._inside.values()) + self._waiting.first.cost <= self._share()

    def _is_done(self, ticket: Ticket, _: "Future[Result]") -> None:
        del self._inside[ticket]
        self._let_in_some()
