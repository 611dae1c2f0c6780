"""What a command costs with everything that it starts, also what outlives it."""

import ctypes
import os
import resource
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed.children import ChildFailed

_BECOME_REAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux: whom a process leaves behind becomes our child


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of a whole tree of processes."""

    cpu: float
    wall: float


def spent_by(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], good: Collection[int]
) -> Spent:
    """What the command takes until its last process is gone."""
    _adopt_those_left_behind()
    before, start = _cpu_of_the_gone(), time.perf_counter()
    log = folder / "log.txt"
    with log.open("wb") as heard:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=heard, stderr=subprocess.STDOUT, check=False
        )
    wall = time.perf_counter() - start
    _wait_for_all()
    if done.returncode not in good:
        said = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise ChildFailed(f"`{' '.join(command)}` ended with {done.returncode}: {said}")
    return Spent(_cpu_of_the_gone() - before, wall)


def _adopt_those_left_behind() -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_BECOME_REAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "this system does not hand over the children of others")


def _wait_for_all() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def _cpu_of_the_gone() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
