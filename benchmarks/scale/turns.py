"""The contestants: whole runs and bare loops, each in processes of its own, from start to end."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.scale.family import peak_of_children
from benchmarks.speed.children import ROOT, ChildFailed, environment

HERE = Path(__file__).resolve().parent
ONE_RUN = "from benchmarks.scale.one_run import main; main()"
"""As from the command line: a worker loads only what it needs, and not the script that was started."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a contestant took once."""

    cpu: float
    """CPU seconds of all processes, without those until workers were ready, and to end them."""
    wall: float
    """Seconds on the clock while workers were ready."""
    start: float = 0.0
    """CPU seconds until workers were ready."""
    peak: int = 0
    """Bytes that all processes held at once, as far as it was looked at."""
    told: Mapping[str, Any] | None = None
    """What the run told of itself: see `one_run.Told`."""


def whole_run(inputs: Sequence[Path], out: Path, *, watch: bool = False, **options: str | int) -> Turn:
    """A run into a folder, with options of `one_run.py`; whether its memory is watched meanwhile."""
    named = [text for name, value in options.items() for text in (f"--{name.replace('_', '-')}", str(value))]
    command = ["-c", ONE_RUN, *map(str, inputs), "--out", str(out), *named]
    with peak_of_children(0.1 if watch else 3600.0) as peak:
        told = json.loads(_heard([_started(command)])[0])
    return Turn(told["cpu"], told["wall"], told["start"], peak.bytes, told)


def bare_loop(texts: Path, processes: int = 1) -> Turn:
    """The encoder over a file of texts, in one process, or in several that share them."""
    script = str(HERE / "bare_texts.py")
    started = [_started([script, str(texts), str(part), str(processes)]) for part in range(processes)]
    told = [json.loads(said) for said in _heard(started)]
    return Turn(sum(one["cpu"] for one in told), max(one["wall"] for one in told))


def take_turns(contestants: Mapping[str, Callable[[], Turn]], rounds: int) -> dict[str, list[Turn]]:
    """What each took, by round; each round begins with another one, so that nobody is favoured."""
    taken: dict[str, list[Turn]] = {name: [] for name in contestants}
    names = list(contestants)
    for number in range(rounds):
        for step in range(len(names)):
            name = names[(number + step) % len(names)]
            taken[name].append(turn := contestants[name]())
            said = f"round {number + 1} of {rounds}: {name}: {turn.cpu:.1f} CPU seconds"
            print(f"{said}, {turn.start:.1f} before; {turn.wall:.1f} s", file=sys.stderr, flush=True)
    return taken


def _started(arguments: Sequence[str]) -> "subprocess.Popen[str]":
    folder = Path(tempfile.gettempdir())
    held = environment(folder) | {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=held, stdout=subprocess.PIPE, text=True
    )


def _heard(started: Sequence["subprocess.Popen[str]"]) -> list[str]:
    """The last line of each; whoever ends badly has written why to standard error."""
    said = [process.communicate()[0] for process in started]
    if any(process.returncode for process in started):
        raise ChildFailed(f"a run ended with {[process.returncode for process in started]}")
    return [text.strip().rpartition("\n")[2] for text in said]
