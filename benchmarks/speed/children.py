"""Fresh processes: what one costs from start to end."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class ChildFailed(Exception):
    """A measured process ended badly."""


def child_cpu(arguments: Sequence[str]) -> float:
    """User and system seconds of `python ARGUMENTS`, with one thread and an empty vector cache."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment(Path(folder)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ChildFailed(f"`python {' '.join(arguments)}` ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def child_output(arguments: Sequence[str]) -> str:
    """What `python ARGUMENTS` prints."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment(Path(folder)),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise ChildFailed(f"`python {' '.join(arguments)}` ended with {done.returncode}: {done.stderr}")
    return done.stdout


def alternate(contestants: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[float]]:
    """CPU seconds by contestant and round, taking turns; a first round warms the disk and is not counted."""
    spent: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, arguments in contestants.items():
            seconds = child_cpu(arguments)
            if turn:
                spent[name].append(seconds)
    return spent


def environment(folder: Path) -> dict[str, str]:
    """Our own environment without its sensecheck settings; offline, one thread, a cache of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    return kept | {
        "SENSECHECK_CACHE": str(folder / "vectors.sqlite3"),
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
    }
