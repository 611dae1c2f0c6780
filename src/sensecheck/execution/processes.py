"""The executor for one machine: worker processes next to this one, which end with it however it ends.

Each worker is a process in a slot of the pool, and is replaced when it dies.
"""

import ctypes
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from threading import Thread
from time import monotonic
from typing import Any

from sensecheck.core.errors import NoWorkers, SensecheckError, SpecError
from sensecheck.execution.executor import Make, Task, TaskDone, TaskFailed, attempt
from sensecheck.execution.slots import SlotPool

ORPHANED = 75
"""The exit code of a worker whose driver is gone."""
MAX_STARTS = 3
"""Processes that may die in a row before they were ready."""
SURROUNDINGS = {
    **dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
    ),
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # Arrow's own keeps as much again of what it was given back
}
"""One thread for arithmetic, and memory that is given back: there are other workers next to this one."""
_PARENT_DIES = 1
"""`PR_SET_PDEATHSIG` of Linux."""
_SPAWNING = get_context("spawn")  # a process that was forked could hold locks of other threads for ever


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker waits for its first task."""


@dataclass(frozen=True, slots=True)
class Unable:
    """A worker cannot be made ready, and another one could not either."""

    error: SensecheckError


class ProcessSlot:
    """One process at a time, with at most one task."""

    def __init__(self, pickled: bytes) -> None:
        self._pickled = pickled
        self._starts = 0  # since one was ready
        self.task: Task | None = None
        self._start()

    @property
    def is_ready(self) -> bool:
        """Whether its process has got ready."""
        return self._starts == 0

    @property
    def signs(self) -> tuple[Connection, int]:
        """What can be waited for: something is said, or the process has ended."""
        return self._tasks, self._process.sentinel

    def give(self, task: Task) -> None:
        """Let it work on a task."""
        self.task = task
        with suppress(OSError):  # it has just died, which its signs show
            self._tasks.send(task)

    def receive(self) -> TaskDone | TaskFailed | None:
        """How its task ended; None for all that concerns no one else."""
        message = self._message()
        if isinstance(message, TaskDone | TaskFailed):
            self.task = None
            return message
        if isinstance(message, Unable):
            raise message.error
        if isinstance(message, Ready):
            self._starts = 0
            return None
        return self._replaced()

    def restart(self) -> None:
        """A new process for one that hangs; what it worked on is given up."""
        self.end()
        self.task = None
        self._start()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        for pipe in (self._tasks, self._lifeline):
            pipe.close()

    def _message(self) -> Any:
        """What its process has to say; None when that has ended."""
        try:
            return self._tasks.recv() if self._tasks.poll() else None
        except (EOFError, OSError):
            return None

    def _replaced(self) -> TaskFailed | None:
        """A new process for the one that has died, and which task that cost."""
        self._process.join(1)  # the pipe may end a moment before its process
        because = _cause(self._process.exitcode)
        self.end()
        if not self.is_ready and self._starts == MAX_STARTS:
            raise NoWorkers(
                f"a worker died {MAX_STARTS} times before it was ready: {because}; what is done is stored; "
                "is there enough memory for that many workers, and does the script that was started have an "
                "`if __name__ == '__main__':`?"
            )
        lost_task, self.task = self.task, None
        self._start()
        return None if lost_task is None else TaskFailed(lost_task.key, because, "died")

    def _start(self) -> None:
        self._starts += 1
        self._tasks, worker_end = _SPAWNING.Pipe()
        lifelines_end, self._lifeline = _SPAWNING.Pipe(duplex=False)
        args = (self._pickled, worker_end, lifelines_end)
        self._process = _SPAWNING.Process(target=serve, args=args, daemon=True, name="sensecheck worker")
        with _interruptions_wait():
            self._process.start()
        worker_end.close()  # so that the end of the process is the end of the pipe
        lifelines_end.close()


@dataclass(frozen=True, slots=True)
class Processes:
    """So many processes, each with one thread for its arithmetic."""

    workers: int
    clock: Callable[[], float] = field(default=monotonic, repr=False)
    """The seconds by which tasks that hang are known."""
    name: str = field(default="processes", init=False)

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise SpecError(f"`workers` must be at least 1; got {self.workers}")

    @contextmanager
    def pool(self, make: Make) -> Iterator[SlotPool[ProcessSlot]]:
        """Processes that are ready; all of them are gone when the context is left."""
        pickled, slots = pickle.dumps(make), list[ProcessSlot]()
        with ExitStack() as ending:
            for _ in range(self.workers):
                slots.append(ProcessSlot(pickled))
                ending.callback(slots[-1].end)
            pool = SlotPool(slots, _with_news, clock=self.clock)
            pool.wait_for(self.workers)
            yield pool


def serve(pickled: bytes, tasks: Connection, lifeline: Connection) -> None:
    """Make a worker, and let it work until no one sends per task any more."""
    _end_with_the_driver(lifeline)
    _leave_interruptions_to_the_driver()
    for variable, value in SURROUNDINGS.items():
        os.putenv(variable, value)  # before numpy and Arrow are loaded, which the worker brings along
    worker = attempt(lambda make: pickle.loads(make)(), Task("make", pickled))
    if isinstance(worker, TaskFailed):
        cause = NoWorkers(f"a worker cannot be made ready: {worker.because}")
        tasks.send(Unable(worker.error or cause))
        return
    tasks.send(Ready())
    while True:
        try:
            task = tasks.recv()
        except EOFError:
            return
        tasks.send(attempt(worker.result, task))


def _with_news(slots: Sequence[ProcessSlot], seconds: float | None) -> list[ProcessSlot]:
    """Slots whose process said something or ended; waits for one, but no longer than so many seconds."""
    by_sign = {sign: slot for slot in slots for sign in slot.signs}
    return list(dict.fromkeys(by_sign[sign] for sign in wait(list(by_sign), seconds)))  # type: ignore[index]


def _leave_interruptions_to_the_driver() -> None:
    """Ctrl-C reaches every process of a terminal; the driver ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_the_driver(lifeline: Connection) -> None:
    """End immediately when the driver does, however it ends, and in the midst of a task too."""
    if sys.platform == "linux":  # also reaches a worker that never lets its other threads run
        # of the driver it is the thread that counts which started the worker: a pool stays in one thread
        ctypes.CDLL(None).prctl(_PARENT_DIES, signal.SIGKILL)
    Thread(target=_wait_for_the_end, args=(lifeline,), daemon=True).start()


def _wait_for_the_end(lifeline: Connection) -> None:
    """Nothing is ever sent: what can be read is the end of the pipe, which the driver alone holds open."""
    lifeline.poll(None)
    os._exit(ORPHANED)


def _cause(code: int | None) -> str:
    """Why a process is no more."""
    if code is None or code >= 0:
        return f"its process ended with exit code {code}"
    name = signal.Signals(-code).name
    memory = ", as it happens when the memory is full" if name == "SIGKILL" else ""
    return f"its process was ended by {name}{memory}"


@contextmanager
def _interruptions_wait() -> Iterator[None]:
    """A process that is started in here begins deaf to Ctrl-C; here, one that comes meanwhile comes after."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # which would end the waiting, were it started below
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
