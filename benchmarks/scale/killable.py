"""A run on a cluster in a process of its own, whose every try of a task is known."""

import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.scale.ray_here import is_there
from benchmarks.scale.sorted_results import digest_of, sorted_results
from benchmarks.scale.waiting import PATIENCE, until

from sensecheck.execution.object_store import location_of


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done in a run, and how often one is disturbed."""

    kills: int
    rows: int
    shard_rows: int
    pause: float
    """Seconds that every task takes longer than it would."""
    again: int
    """How often a finished run is asked for once more."""


class Run:
    """A run in a folder, and whoever drives it."""

    def __init__(self, folder: Path, inputs: Path, address: str, size: Size) -> None:
        self.out, self.notes, self.size = folder / "out", folder / "notes", size
        self.notes.mkdir(parents=True)
        script = Path(__file__).with_name("killed_run.py")
        places = (inputs, self.out, self.notes, address)
        options = ("--pause", size.pause, "--shard-rows", size.shard_rows)
        self._command = [sys.executable, *(str(word) for word in (script, *places, *options))]
        self.begin()

    def begin(self) -> None:
        """Start a driver, or another one that goes on."""
        pipe = subprocess.PIPE
        self.driver = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=pipe)

    def noted(self) -> list[dict[str, str | int]]:
        """Every try of a task so far."""
        return [json.loads(text) for note in self.notes.glob("*.json") if (text := note.read_text())]

    def wait_for_work(self) -> None:
        """Until the first task was begun."""
        until(lambda: bool(self.noted()) or self.driver.poll() is not None, "no task was begun")

    def is_through_after(self, seconds: float) -> bool:
        """Whether it comes to its end within so many seconds."""
        try:
            self.driver.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """Wait for its end, which must be a good one."""
        _, wrong = self.driver.communicate(timeout=10 * PATIENCE)
        if self.driver.returncode:
            raise RuntimeError(wrong.decode())

    def again(self) -> float:
        """Seconds that the same command takes once more, with the start of Python."""
        before = time.monotonic()
        self.begin()
        self.end()
        return time.monotonic() - before

    def redone(self) -> int:
        """Tasks that were begun more than once, as often as they were."""
        tries = Counter(note["key"] for note in self.noted())
        return tries.total() - len(tries)

    def workers(self) -> set[int]:
        """Processes in which a task was begun, and that are there still."""
        return {pid for note in self.noted() if is_there(pid := int(note["process"]))}

    def shards(self) -> int:
        """Those of which results are kept."""
        return len(list((self.out / "results").glob("*.parquet")))

    def digest(self) -> str:
        """Of its table."""
        return digest_of(sorted_results(location_of(str(self.out))))
