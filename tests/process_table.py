"""Who runs, as Linux tells it."""

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds."""


def until(true: Callable[[], bool], *, seconds: float = PATIENCE) -> None:
    """Wait for it, as long as a loaded machine may take."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def workers_of(pid: int) -> list[int]:
    """The processes that this one has started, but for the one that Python starts for its own upkeep."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found if b"resource_tracker" not in _command(child)]


def is_gone(pid: int) -> bool:
    """Whether there is no such process, or only what its parent has not taken note of."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def surroundings_of(pid: int) -> str:
    """The variables that it was started with."""
    return Path(f"/proc/{pid}/environ").read_text(errors="replace")


def _command(pid: str) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
