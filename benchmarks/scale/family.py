"""All processes that a process started, and those that they started: what they have used, what they hold."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_UTIME, _RSS = 11, 21
"""Where fields of `/proc/PID/stat` stand, counted after the name: CPU times, and pages in memory."""


@dataclass(frozen=True, slots=True)
class Member:
    """A process, as it is now."""

    pid: int
    title: str
    cpu: float
    """Seconds, with those of children that are gone."""
    resident: int
    """Bytes."""


def family(pid: int) -> list[Member]:
    """A process and all below it, itself first."""
    seen = {int(folder.name): _seen(folder) for folder in Path("/proc").glob("[0-9]*")}
    known = {number: stat for number, stat in seen.items() if stat is not None}
    found = [pid]
    for parent in found:
        found += [number for number, stat in known.items() if int(stat[1]) == parent]
    return [_member(number, known[number]) for number in found if number in known]


def _seen(folder: Path) -> list[str] | None:
    """The fields after the name; None where the process went away meanwhile."""
    try:
        return (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def _member(pid: int, stat: list[str]) -> Member:
    times = sum(int(ticks) for ticks in stat[_UTIME : _UTIME + 4])
    return Member(pid, _title(pid), times / _TICK, int(stat[_RSS]) * _PAGE)


def _title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@dataclass(slots=True)
class Peak:
    """The most that was seen at once."""

    bytes: int = 0
    processes: int = 0


@contextmanager
def peak_of_children(every: float = 0.1) -> Iterator[Peak]:
    """The most memory that all processes below this one hold together, looked at again and again."""
    peak, over = Peak(), threading.Event()

    def look() -> None:
        while not over.wait(every):
            below = family(os.getpid())[1:]
            if (held := sum(one.resident for one in below)) > peak.bytes:
                peak.bytes, peak.processes = held, len(below)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()
