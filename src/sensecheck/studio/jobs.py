"""Runs that are resumed or repeated from a page: `sensecheck run`, started as a person would start it."""

import subprocess
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import IO, Any, Literal

from sensecheck.core.errors import SpecError
from sensecheck.studio.library import StudioRun

Action = Literal["resume", "rerun"]
_OPTIONS: dict[Action, str] = {"resume": "--resume", "rerun": "--only-failed"}
MAX_LINES = 20
"""Of what a job printed, the last ones are shown."""


@dataclass(slots=True)
class StartedCommand:
    """A command that was started for a run."""

    command: list[str]
    process: "subprocess.Popen[str]"
    lines: "deque[str]" = field(default_factory=lambda: deque(maxlen=MAX_LINES))

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "command": " ".join(["sensecheck", *self.command]),
            "running": self.running,
            "exit_code": self.process.poll(),
            "lines": list(self.lines),
        }


class Jobs:
    """The commands that were started here; at most one for each run at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        """Where batteries are looked for: the folder that the Studio was started in."""
        self._jobs: dict[str, StartedCommand] = {}

    def find(self, run_id: str) -> StartedCommand | None:
        """The last command that was started for a run."""
        return self._jobs.get(run_id)

    def start(self, found: StudioRun, action: Action) -> StartedCommand:
        """Resume a run, or repeat those of its tests that did not pass, as a new run."""
        before = self._jobs.get(found.id)
        if before is not None and before.running:
            raise SpecError("a command for this run is under way; wait until it has ended")
        command = ["run", str(self.battery(found)), _OPTIONS[action], str(found.run.key)]
        # The command line of this very installation; nothing of a request is part of it but the action.
        code = "from sensecheck.cli.main import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", code, *command],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        job = self._jobs[found.id] = StartedCommand(command, process)
        assert process.stdout is not None
        Thread(target=_read, args=(process.stdout, job.lines), daemon=True).start()
        return job

    def battery(self, found: StudioRun) -> Path:
        """The file that a run was made of; it must be where the Studio was started."""
        file = found.file
        if file is None:
            raise SpecError("only runs of batteries can be started here; use `sensecheck eval … --resume`")
        name = Path(file.header.battery).name
        if not (self._folder / name).is_file():
            raise SpecError(
                f"`{name}` is not in `{self._folder}`; start `sensecheck studio` in the folder of the battery"
            )
        return Path(name)

    def close(self) -> None:
        """End what is under way: a run that is interrupted can be resumed."""
        for job in self._jobs.values():
            if job.running:
                job.process.terminate()


def _read(output: IO[str], lines: "deque[str]") -> None:
    with output:
        for line in output:
            lines.append(line.rstrip("\n"))
