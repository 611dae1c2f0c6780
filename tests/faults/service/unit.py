"""One process of the service with its engines, started, killed and started again on the same spool."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self

import httpx

COMMAND = Path(sys.executable).with_name("sensecheck")
PATIENCE = 60.0
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


class Unit:
    """A service that can be started again; what it logs is in `log.jsonl` of its folder."""

    def __init__(self, folder: Path, settings: Mapping[str, str], *, engines: int = 1) -> None:
        own = {name: value for name, value in os.environ.items() if name in _KEPT}
        self._environment = {**own, "SENSECHECK_CACHE": "off", **settings}
        self._folder = folder
        self._engines = engines
        self._process: subprocess.Popen[str] | None = None
        self._watcher = httpx.Client(timeout=10, trust_env=False)
        self.url = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()
        self._watcher.close()

    @property
    def process(self) -> "subprocess.Popen[str]":
        """Its process."""
        assert self._process is not None
        return self._process

    def start(self) -> None:
        """Return when it answers."""
        self._process = subprocess.Popen(
            [COMMAND, "serve", "--port", "0", "--engines", str(self._engines)],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # not a file: a full disk is to hit the spool alone
            text=True,
        )
        self._log = Thread(target=self._write_down, args=(self._process,), daemon=True)
        self._log.start()
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url.startswith("http"):
            raise RuntimeError("the service did not start; see `log.jsonl`")

    def kill(self) -> None:
        """End it at once, with SIGKILL; its engines see that, and end by themselves."""
        engines = self.engines()
        self.process.kill()
        self._ended()
        assert_gone(engines)

    def end(self) -> int:
        """Ask it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def engines(self) -> list[int]:
        """The processes that it started."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def ready(self) -> dict[str, Any]:
        """What `/readyz` says."""
        found: dict[str, Any] = self._watcher.get(f"{self.url}/readyz").json()
        return found

    def metric(self, name: str) -> float:
        """One of the numbers of `/metrics`, without labels."""
        page = self._watcher.get(f"{self.url}/metrics").text
        return float(next(line.split()[1] for line in page.splitlines() if line.startswith(f"{name} ")))

    def _ended(self) -> int:
        code = self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._log.join(PATIENCE)
        return code

    def _write_down(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        with (self._folder / "log.jsonl").open("a", encoding="utf-8") as log, process.stderr as told:
            for line in told:
                log.write(line)
                log.flush()


def assert_gone(pids: list[int], within: float = 10.0) -> None:
    """Raise unless these processes end in time."""
    until = monotonic() + within
    while left := [pid for pid in pids if _runs(pid)]:
        if monotonic() > until:
            raise AssertionError(f"{len(left)} engines outlived their service")
        sleep(0.02)


def _runs(pid: int) -> bool:
    """Whether a process is there; one that has ended, and that nobody has asked for, is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
