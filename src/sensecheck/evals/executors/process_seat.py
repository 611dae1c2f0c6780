"""A seat in a crew of processes: whoever sits in it is replaced when it dies."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from sensecheck.core.errors import NoWorkers
from sensecheck.evals.executors.executor import Done, Failed, Task
from sensecheck.evals.executors.process_worker import Ready, Unable, serve

MOST_STARTS = 3
"""Processes that may die in a row before they were ready."""
_SPAWNING = get_context("spawn")  # a process that was forked could hold locks of other threads for ever


class ProcessSeat:
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
        with suppress(OSError):  # it has just died, which its signs tell
            self._tasks.send(task)

    def heard(self) -> Done | Failed | None:
        """How its task ended; None for all that concerns nobody else."""
        said = self._said()
        if isinstance(said, Done | Failed):
            self.task = None
            return said
        if isinstance(said, Unable):
            raise said.error
        if isinstance(said, Ready):
            self._starts = 0
            return None
        return self._replaced()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        for pipe in (self._tasks, self._lifeline):
            pipe.close()

    def _said(self) -> Any:
        """What its process has to say; None when that has ended."""
        try:
            return self._tasks.recv() if self._tasks.poll() else None
        except (EOFError, OSError):
            return None

    def _replaced(self) -> Failed | None:
        """A new process for the one that has died, and which task that cost."""
        self._process.join(1)  # the pipe may end a moment before its process
        because = _cause(self._process.exitcode)
        self.end()
        if not self.is_ready and self._starts == MOST_STARTS:
            raise NoWorkers(
                f"a worker died {MOST_STARTS} times before it was ready: {because}; what is done is kept; is "
                "there enough memory for so many workers, and does the script that was started have an "
                "`if __name__ == '__main__':`?"
            )
        lost, self.task = self.task, None
        self._start()
        return None if lost is None else Failed(lost.key, because, "died")

    def _start(self) -> None:
        self._starts += 1
        self._tasks, there = _SPAWNING.Pipe()
        lifelines_end, self._lifeline = _SPAWNING.Pipe(duplex=False)
        args = (self._pickled, there, lifelines_end)
        self._process = _SPAWNING.Process(target=serve, args=args, daemon=True, name="sensecheck worker")
        with _interruptions_wait():
            self._process.start()
        there.close()  # so that the end of the process is the end of the pipe
        lifelines_end.close()


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
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
