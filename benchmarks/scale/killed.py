"""Kill runs on a Ray cluster at random: `python benchmarks/scale/killed.py --full`, or `--short` for CI.

A head and two worker nodes run on this machine. One run is left alone, and timed; then in each run one thing
is killed, at a moment drawn from all of the time that it should be at work: a node with its processes, the
process of an actor, or the driver, after which another one goes on. At the end all rows of a run must be
there once, as in a run of one process that nobody disturbed.
"""

import argparse
import json
import os
import random
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.killable import Run, Size
from benchmarks.scale.killed_run import alone, planned
from benchmarks.scale.made_rows import write_rows
from benchmarks.scale.ray_here import RayHere, ray_here
from benchmarks.scale.sorted_results import digest_of, sorted_results
from benchmarks.scale.waiting import until

from sensecheck.execution.object_store import location_of

RESULTS = Path(__file__).resolve().parents[1] / "results" / "scale_killed.json"
NODES = 2
VICTIMS = ("node", "actor", "driver")
FULL, SHORT = Size(20, 12_000, 400, 0.2, again=3), Size(3, 3_000, 250, 0.25, again=1)


@dataclass(frozen=True, slots=True)
class Killed:
    """What came of it."""

    nodes: int = 0
    actors: int = 0
    drivers: int = 0
    ended: int = 0
    """Runs that were through before their moment came; they are no kills."""
    rows: int = 0
    """Of a run."""
    shards: int = 0
    other_tables: int = 0
    """Runs whose table is not that of the run which nobody disturbed, byte for byte."""
    most_redone: int = 0
    """Tasks that were begun again after one kill, in the worst case."""
    redone: int = 0
    """In all runs."""
    finished_again: float = 0.0
    """Seconds, in the worst case, of the same command after a run was finished: start of Python included."""

    @property
    def kills(self) -> int:
        """Of all kinds."""
        return self.nodes + self.actors + self.drivers


def main() -> None:
    """Kill as the command line says."""
    parser = argparse.ArgumentParser(description="Kill runs on a Ray cluster at random.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="3 kills; writes nothing")
    size.add_argument("--full", action="store_true", help="20 kills; writes results/scale_killed.json")
    full = parser.parse_args().full
    with TemporaryDirectory(prefix="sensecheck-killed-") as folder:
        killed = killed_at_random(Path(folder), FULL if full else SHORT, seed=7)
    print(json.dumps(asdict(killed)), flush=True)
    if full:
        RESULTS.write_text(json.dumps(asdict(killed), indent=2) + "\n", encoding="utf-8")


def killed_at_random(folder: Path, size: Size, *, seed: int) -> Killed:
    """Runs in each of which something is killed, held against one that is not."""
    inputs = folder / "inputs"
    inputs.mkdir()
    write_rows(inputs, size.rows)
    undisturbed = str(folder / "undisturbed")
    alone(planned(str(inputs), size.shard_rows), undisturbed)
    wanted = digest_of(sorted_results(location_of(undisturbed)))
    chance, made = random.Random(seed), Killed(rows=size.rows)
    with ray_here(NODES) as cluster:
        calm = Run(folder / "calm", inputs, cluster.address, size)
        seconds = _timed(calm)
        made = replace(_held_against(made, calm, wanted), finished_again=_again(calm, size.again))
        for number in range(3 * size.kills):
            run = Run(folder / str(number), inputs, cluster.address, size)
            run.wait_for_work()
            if run.is_through_after(chance.uniform(0, seconds)):
                made = replace(made, ended=made.ended + 1)
            else:
                made = _killed(made, run, cluster, chance)
            made = _held_against(made, run, wanted)
            print(json.dumps(asdict(made)), file=sys.stderr, flush=True)
            if made.kills == size.kills:
                return made
    raise RuntimeError(f"runs are through before anything is killed: {made}")


def _timed(run: Run) -> float:
    """For how many seconds a run is at work that nobody disturbs."""
    run.wait_for_work()
    began = time.monotonic()
    run.end()
    return time.monotonic() - began


def _killed(made: Killed, run: Run, cluster: RayHere, chance: random.Random) -> Killed:
    """Kill one thing: a node, an actor and the driver take turns."""
    workers = sorted(run.workers())
    if not workers:  # it has just come to its end
        return replace(made, ended=made.ended + 1)
    victim = VICTIMS[made.kills % len(VICTIMS)]
    if victim == "driver":
        run.driver.kill()
        run.driver.communicate()
        run.begin()
        made = replace(made, drivers=made.drivers + 1)
    elif victim == "actor":
        with suppress(ProcessLookupError):
            os.kill(chance.choice(workers), signal.SIGKILL)
        made = replace(made, actors=made.actors + 1)
    else:
        cluster.kill_node(_node_of(chance.choice(workers), cluster))
        made = replace(made, nodes=made.nodes + 1)
    return made


def _held_against(made: Killed, run: Run, wanted: str) -> Killed:
    """What is known now, after a run has come to its end."""
    run.end()
    until(lambda: not run.workers(), "workers outlive their driver")
    redone = run.redone()
    return replace(
        made,
        shards=run.shards(),
        other_tables=made.other_tables + (run.digest() != wanted),
        most_redone=max(made.most_redone, redone),
        redone=made.redone + redone,
    )


def _again(run: Run, often: int) -> float:
    return max(round(run.again(), 2) for _ in range(often))


def _node_of(worker: int, cluster: RayHere) -> int:
    return next((number for number in range(NODES) if worker in cluster.processes_of(number)), 0)


if __name__ == "__main__":
    main()
