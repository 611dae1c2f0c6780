"""A real service in a process of its own, for as long as a benchmark wants it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True)
class Running:
    """A service that answers."""

    pid: int
    host: str
    port: int

    def resident_kb(self) -> int:
        """The memory of the service and its engines."""
        return sum(_resident(pid) for pid in (self.pid, *children_of(self.pid)))


@contextmanager
def running(folder: Path, *arguments: str, settings: Mapping[str, str] | None = None) -> Iterator[Running]:
    """A service on a free port, with a database and a spool in this folder, unless told otherwise."""
    environment = {name: value for name, value in os.environ.items() if name in _KEPT}
    environment |= {
        "SENSECHECK_CACHE": "off",
        "SENSECHECK_STORE": str(folder / "store.sqlite3"),
        "SENSECHECK_SERVE_SPOOL": str(folder / "spool.sqlite3"),
        "OMP_NUM_THREADS": "1",
        **(settings or {}),
    }
    with (folder / "log.jsonl").open("ab") as log:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("sensecheck"), "serve", "--port", "0", *arguments],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            yield _answering(process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)
            if process.stdout is not None:
                process.stdout.close()


def _answering(process: "subprocess.Popen[str]") -> Running:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line.startswith("http"):
        raise RuntimeError("the service did not start; see its log")
    address = urlsplit(line.strip())
    return Running(process.pid, address.hostname or "", address.port or 0)


def children_of(pid: int) -> list[int]:
    """The processes that a process started."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith("VmRSS:")).split()[1])
