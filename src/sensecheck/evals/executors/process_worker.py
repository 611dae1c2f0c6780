"""What a process of the executor `processes` does: get ready, then one task after the other, to the end."""

import ctypes
import os
import pickle
import signal
import sys
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Thread

from sensecheck.core.errors import NoWorkers, SensecheckError
from sensecheck.evals.executors.attempt import attempt
from sensecheck.evals.executors.executor import Failed, Make, Task, Work

ORPHANED = 75
"""The exit code of a worker whose driver is gone."""
SURROUNDINGS = {
    **dict.fromkeys(
        ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
    ),
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # Arrow's own keeps as much again of what it was given back
}
"""One thread for arithmetic, and memory that is given back: there are other workers beside this one."""
_PARENT_DIES = 1
"""`PR_SET_PDEATHSIG` of Linux."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker waits for its first task."""


@dataclass(frozen=True, slots=True)
class Unable:
    """A worker cannot be made ready, and another one could not either."""

    error: SensecheckError


def serve(pickled: bytes, tasks: Connection, lifeline: Connection) -> None:
    """Make a worker, and let it work until nobody sends a task any more."""
    _end_with_the_driver(lifeline)
    _leave_interruptions_to_the_driver()
    for variable, value in SURROUNDINGS.items():
        os.putenv(variable, value)  # before numpy and Arrow are loaded, which the worker brings along
    made = attempt(_made, Task("make", pickled))
    if isinstance(made, Failed):
        unknown = NoWorkers(f"a worker cannot be made ready: {made.because}")
        tasks.send(Unable(made.error or unknown))
        return
    tasks.send(Ready())
    while True:
        try:
            task = tasks.recv()
        except EOFError:
            return
        tasks.send(attempt(made.result, task))


def _made(pickled: bytes) -> Work:
    make: Make = pickle.loads(pickled)
    return make()


def _leave_interruptions_to_the_driver() -> None:
    """Ctrl-C reaches every process of a terminal; the driver ends its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_with_the_driver(lifeline: Connection) -> None:
    """End at once when the driver does, however it ends, and in the midst of a task too."""
    if sys.platform == "linux":  # also reaches a worker that never lets its other threads run
        # of the driver it is the thread that counts which started the worker: a crew stays in one thread
        ctypes.CDLL(None).prctl(_PARENT_DIES, signal.SIGKILL)
    Thread(target=_wait_for_the_end, args=(lifeline,), daemon=True).start()


def _wait_for_the_end(lifeline: Connection) -> None:
    """Nothing is ever sent: what can be read is the end of the pipe, which the driver alone holds open."""
    lifeline.poll(None)
    os._exit(ORPHANED)
