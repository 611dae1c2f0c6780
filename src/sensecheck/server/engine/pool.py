"""A pool of worker processes behind one fair queue.

A worker is a subprocess that is spoken to over a `multiprocessing` pipe, and ends when the pipe does. It has
two slots, each a thread: one for small jobs, one for any. A worker that ends is started again; jobs that it
had are tried once more, each alone, so that a job that ends workers fails by itself.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pickle import UnpicklingError
from time import monotonic
from typing import Any

from sensecheck.config import variables
from sensecheck.io.retry import RetryPolicy
from sensecheck.server.engine.cache import digest_of_all
from sensecheck.server.engine.cost import Pace, cost_of
from sensecheck.server.engine.jobs import (
    Client,
    EngineAway,
    Job,
    Load,
    Result,
    WorkerReady,
    WorkerUnready,
)
from sensecheck.server.engine.queue import Admission, Batch, FairQueue, Ticket
from sensecheck.server.logging import log

COMMAND = (sys.executable, "-P", "-m", "sensecheck.server.engine.worker")
"""`-P`: nothing in the folder where the service was started is imported instead of what is installed."""
START_SECONDS = 120.0
PATIENCE_SECONDS = 60.0
"""A worker that answers nothing for so long, and for much longer than expected, hangs."""
RESTARTS = RetryPolicy(first_pause=0.25, max_pause=10.0)
MAX_USELESS_RUNS = 3
"""A worker that ended so often without a result counts as unavailable until one run has results."""
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_FIRST_PACE = 0.8
"""What a worker does under load, about, by the pace that it measures when it starts, alone."""
_UNKNOWN_PACE = 1000.0
_STOPPING = "the service is stopping"
_NOT_RUNNING = "no engine is running; one is being started"
_CRASHED = "an engine ended over this very job"
_GONE = (EOFError, OSError, UnpicklingError)
_ADMISSION: ContextVar[Admission | None] = ContextVar("admission", default=None)
"""The room that the request of this context has taken."""


class WorkerState(Enum):
    """What a worker is doing."""

    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    """It ended, and will be back in a moment: what waits can wait on."""
    AWAY = "away"


@dataclass(eq=False, slots=True)
class EngineWorker:
    """A worker process, and what it was given."""

    number: int
    state: WorkerState = WorkerState.STARTING
    trouble: str = ""
    """Why it could not be started."""
    tried: asyncio.Event = field(default_factory=asyncio.Event)
    """Set as soon as the first start has come to an end, good or bad."""
    process: Process | None = None
    connection: Connection | None = None
    running: dict[int, Batch] = field(default_factory=dict)
    is_exclusive: bool = False
    """Whether it has a job that is to be alone."""
    is_hung: bool = False
    settled: int = 0
    settled_at: float = 0.0
    sender: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    receiver: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    async def start(self, command: Sequence[str], environment: Mapping[str, str]) -> WorkerReady:
        """Start the process and wait until it is ready; raises `EngineAway` with what it reports."""
        self.connection, worker_end = Pipe()
        with worker_end:
            try:
                self.process = await asyncio.create_subprocess_exec(
                    *command,
                    str(worker_end.fileno()),
                    stdin=DEVNULL,
                    stdout=2,  # whatever a library prints is for the log
                    pass_fds=(worker_end.fileno(),),
                    env=environment,
                )
            except OSError as reason:
                raise EngineAway(f"no process can be started: {reason.strerror}") from reason
        try:
            async with asyncio.timeout(START_SECONDS):
                message = await self.receive()
        except TimeoutError as late:
            raise EngineAway(f"an engine was not ready after {START_SECONDS:g} s") from late
        if isinstance(message, WorkerReady):
            return message
        code = await self.end()
        because = f"an engine ended with {code} before it was ready; see its standard error for why"
        raise EngineAway(message.because if isinstance(message, WorkerUnready) else because)

    async def receive(self) -> Any:
        """What the process sends next; None when it is gone."""
        assert self.connection is not None
        try:
            return await asyncio.get_running_loop().run_in_executor(self.receiver, self.connection.recv)
        except _GONE:
            return None

    def send(self, number: int, batch: Batch) -> None:
        """Give it a batch; a process that is gone is noticed by `receive`."""
        self.running[number] = batch
        assert self.connection is not None
        jobs = tuple(ticket.job for ticket in batch.tickets)
        future = self.sender.submit(self.connection.send, (number, jobs, batch.small_only))
        future.add_done_callback(lambda done: done.exception())

    def kill(self) -> None:
        """End the process, whatever it does."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()

    async def end(self) -> int:
        """End the process and wait until it is gone; returns its exit code."""
        self.kill()
        code = await self.process.wait() if self.process is not None else 0
        if self.connection is not None:
            self.connection.close()
        self.process = self.connection = None
        return code


class EnginePool:
    """Does jobs by worker processes; an `Engine`."""

    def __init__(
        self,
        *,
        workers: int = 1,
        max_wait: float = 2.0,
        key_share: float = 0.5,
        command: Sequence[str] = COMMAND,
        environment: Mapping[str, str] | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self.workers = [EngineWorker(number) for number in range(workers)]
        self._pace = Pace(_UNKNOWN_PACE)
        self._queue = FairQueue(
            self._pace, max_wait=max_wait, key_share=key_share, workers=lambda: max(1, self.alive)
        )
        self._command = command
        self._environment = {**(variables() if environment is None else environment), **_ONE_THREAD}
        self._patience = patience
        self._ready: WorkerReady | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._batches = 0
        self._is_stopping = False
        self._is_called = False

    @property
    def fingerprint(self) -> str | None:
        """That of the encoder; None before the first worker is ready."""
        return None if self._ready is None else self._ready.fingerprint

    @property
    def alive(self) -> int:
        """How many workers are ready."""
        return sum(worker.state is WorkerState.READY for worker in self.workers)

    async def start(self) -> None:
        """Return when the first worker is ready; raise `EngineAway` with why where none can be."""
        for worker in self.workers:
            task = asyncio.create_task(self._supervise(worker), name=f"worker {worker.number}")
            task.add_done_callback(self._supervision_ended)
            self._tasks.append(task)
        pending = {asyncio.ensure_future(worker.tried.wait()) for worker in self.workers}
        while pending and not self.alive:
            _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
        for waiter in pending:
            waiter.cancel()
        if not self.alive:
            await self.stop(0.0)
            raise EngineAway(f"no engine can be started: {self.workers[0].trouble}")

    async def stop(self, timeout: float = 10.0) -> None:
        """Take nothing more, finish what was taken if that can be done in time, and end the workers."""
        self._is_stopping = True
        until = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < until and not self._queue.is_idle:
            await asyncio.sleep(0.02)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        self._give_up(_STOPPING)

    @contextmanager
    def admit(self, jobs: Sequence[Job], client: Client) -> Iterator[None]:
        """Take room for the jobs of a request; `run` in this context uses it."""
        admission = self._take_room(jobs, client)
        _ADMISSION.set(admission)
        try:
            yield
        finally:
            self._queue.release(admission)

    async def run(self, job: Job) -> Result:
        """What the job comes to."""
        admission = _ADMISSION.get()
        if admission is not None and not admission.is_released:
            return await self._submit(job, admission)
        new_admission = self._take_room([job], Client())
        try:
            return await self._submit(job, new_admission)
        finally:
            self._queue.release(new_admission)

    def begin(self, jobs: Sequence[Job], client: Client) -> "Sequence[asyncio.Future[Result]]":
        """All jobs of a large request, admitted or refused as one."""
        if not jobs:
            return []
        admission = self._take_room(jobs, client)
        futures = [self._submit(job, admission) for job in jobs]
        self._queue.release(admission)
        return futures

    def load(self) -> Load:
        """How busy it is now; `seconds_ahead` is what the next small job would wait."""
        queue = self._queue
        return Load(len(queue), queue.seconds_ahead(), self.alive, len(self.workers), self._batches)

    def _take_room(self, jobs: Sequence[Job], client: Client) -> Admission:
        if self._is_stopping:
            raise EngineAway(_STOPPING)
        if not self._may_wait():
            raise EngineAway(_NOT_RUNNING)
        return self._queue.admit([*map(cost_of, jobs)], client, digest_of_all(jobs))

    def _submit(self, job: Job, admission: Admission) -> "asyncio.Future[Result]":
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Result] = loop.create_future()
        if not self._may_wait():
            future.set_exception(EngineAway(_STOPPING if self._is_stopping else _NOT_RUNNING))
            return future
        ticket = self._queue.submit(job, admission, future)
        if not admission.begun:
            timer = loop.call_later(self._queue.deadline_seconds, self._queue.expire, ticket)
            future.add_done_callback(lambda _: timer.cancel())
        if not self._is_called:
            # A moment later, so that jobs that come in the same moment go into the same batch.
            self._is_called = True
            loop.call_soon(self._dispatch)
        return future

    def _may_wait(self) -> bool:
        """Whether any worker is there, or will be in a moment."""
        open_states = (WorkerState.READY, WorkerState.RESTARTING)
        return any(worker.state in open_states for worker in self.workers)

    def _dispatch(self) -> None:
        """Give workers as much as they can take."""
        self._is_called = False
        is_draining = False
        for worker in self.workers:
            if worker.state is not WorkerState.READY or worker.is_exclusive:
                continue
            if self._queue.suspects and not is_draining:
                is_draining = True  # it takes nothing more until it can take the suspect alone
                if not worker.running:
                    worker.is_exclusive = True
                    self._give(worker, self._queue.take_suspect())
                continue
            self._fill_slots(worker)

    def _fill_slots(self, worker: EngineWorker) -> None:
        """One batch of small jobs, and one of whatever is next."""
        for small_only in (True, False):
            if not any(batch.small_only == small_only for batch in worker.running.values()):
                batch = self._queue.take(small_only=small_only)
                if batch is not None:
                    self._give(worker, batch)

    def _give(self, worker: EngineWorker, batch: Batch) -> None:
        self._batches += 1
        worker.send(self._batches, batch)
        patience = self._patience / 4 if worker.is_exclusive else self._patience
        seconds = patience + 8 * self._pace.seconds(batch.cost)
        number = self._batches
        asyncio.get_running_loop().call_later(seconds, self._check_hung, worker, number)

    def _check_hung(self, worker: EngineWorker, number: int) -> None:
        if number in worker.running:
            worker.is_hung = True
            worker.kill()

    async def _supervise(self, worker: EngineWorker) -> None:
        """Keep one worker running, until cancelled."""
        useless = 0
        while True:
            before = worker.settled
            try:
                await self._run_worker(worker)
                useless = 0 if worker.settled > before else useless + 1
                worker.state = WorkerState.RESTARTING if useless < MAX_USELESS_RUNS else WorkerState.AWAY
                self._recover(worker)
            except EngineAway as reason:
                useless += 1
                worker.state, worker.trouble = WorkerState.AWAY, str(reason)
                worker.tried.set()
                log().error("an engine cannot be started", part=worker.number, says=worker.trouble)
            if not self._may_wait():
                self._give_up("no engine can be started")
            self._dispatch()
            await asyncio.sleep(RESTARTS.pause(useless) if useless else 0.0)

    async def _run_worker(self, worker: EngineWorker) -> None:
        """Start a worker and receive its results until it ends."""
        try:
            self._welcome(await worker.start(self._command, self._environment))
            worker.state = WorkerState.READY
            worker.tried.set()
            pid = worker.process.pid if worker.process is not None else None
            log().info("an engine is ready", part=worker.number, pid=pid)
            self._dispatch()
            while (message := await worker.receive()) is not None:
                if not self._settle(worker, message):
                    log().error("an engine was not understood", part=worker.number)
                    break
        finally:
            code = await worker.end()
        log().warning("an engine ended", part=worker.number, code=code)

    def _settle(self, worker: EngineWorker, message: Any) -> bool:
        """Hand over the results of a batch; False for a message that answers no batch."""
        try:
            number, results = message
            batch = worker.running.pop(number)
        except (TypeError, ValueError, KeyError):
            return False
        self._queue.finish(batch)
        worker.is_exclusive = False
        now = monotonic()
        if results is not None:
            worker.settled += 1
            self._pace.learn(batch.cost, now - max(batch.at, worker.settled_at))
            for ticket, result in zip(batch.tickets, results, strict=True):
                ticket.settle(result)
        elif len(batch.tickets) == 1:
            batch.tickets[0].give_up(EngineAway(_CRASHED))
        else:
            self._queue.suspect(batch.tickets)
        worker.settled_at = now
        self._dispatch()
        return True

    def _recover(self, worker: EngineWorker) -> None:
        """Try again, each alone, what a worker had when it ended; a job that was alone is to blame."""
        tickets = self._take_back(worker)
        for ticket in tickets:
            ticket.crashes += 1
        if len(tickets) == 1 and (worker.is_hung or tickets[0].crashes > 1):
            tickets[0].give_up(EngineAway(_CRASHED))
        self._queue.suspect(tickets)
        worker.is_exclusive = worker.is_hung = False

    def _welcome(self, ready: WorkerReady) -> None:
        """Verdicts must not depend on which worker gave them: all hold the same model."""
        if self._ready is None:
            self._ready = ready
            self._pace.restart(_FIRST_PACE * ready.tokens_per_second)
        elif ready.fingerprint != self._ready.fingerprint:
            raise EngineAway(
                f"the encoder was `{self._ready.fingerprint}` when the service began, and is now "
                f"`{ready.fingerprint}`; start the service again"
            )

    def _give_up(self, because: str) -> None:
        """Nothing of what waits or is under way will be done."""
        under_way = [ticket for worker in self.workers for ticket in self._take_back(worker)]
        for ticket in (*under_way, *self._queue.drain()):
            ticket.give_up(EngineAway(because))

    def _take_back(self, worker: EngineWorker) -> list[Ticket]:
        """What a worker had, which it has no longer."""
        batches = list(worker.running.values())
        worker.running.clear()
        for batch in batches:
            self._queue.finish(batch)
        return [ticket for batch in batches for ticket in batch.tickets]

    def _supervision_ended(self, task: "asyncio.Task[None]") -> None:
        """A worker is supervised until the pool stops: an error here is a bug, and must be seen."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log().critical("an engine is no longer supervised", exc_info=error)
            self.workers[self._tasks.index(task)].state = WorkerState.AWAY
            if not self._may_wait():
                self._give_up("no engine is running")
