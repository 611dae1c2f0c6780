"""Kill evaluations at random: `python benchmarks/speed/evals_killed.py --full`, or `--short` for CI.

One run is left alone, and timed. Then processes are killed, each at a moment drawn from all of the time that
it should still be at work after it kept a first batch; no kill falls before that. Whoever comes after goes
on; when a run is whole, another is begun. At the end every question of every run must be there exactly once,
with the same answer and the same readings as in the run that nobody killed.
"""

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np
from sqlalchemy import func, select

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed.own_postgres import server

from sensecheck.core.run import Run
from sensecheck.evaluation.batches import BATCH_SIZE
from sensecheck.runs.record import AnsweredItem
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.summary import ordered
from sensecheck.store.tables import run_events
from sensecheck.store.upgrade import upgrade

RESULTS = Path(__file__).resolve().parents[1] / "results" / "evals_killed.json"
METRICS = ("bleu", "rouge_l", "semantic_similarity")
PATIENCE = 120.0
Hit = Literal["in_a_batch", "after_the_last", "ended"]


@dataclass(frozen=True, slots=True)
class Killed:
    """What came of it."""

    kills: int
    in_a_batch: int
    """Kills while a process was at one of its later batches: that one is lost, and made again."""
    after_the_last: int
    """Kills after all was kept, before it had told so."""
    ended: int
    """Processes that were through before their moment came; they are no kills."""
    runs: int
    questions: int
    """In all of these runs."""
    answers: int
    other_answers: int
    other_readings: int
    """Those that are not as in the run that nobody killed."""


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Kill evaluations at random, and let them go on.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="5 kills a database; writes nothing")
    size.add_argument("--full", action="store_true", help="20 kills each; writes results/evals_killed.json")
    full = parser.parse_args().full
    found = {}
    with TemporaryDirectory(prefix="sensecheck-killed-") as folder, server() as postgresql:
        stores = {"sqlite": f"sqlite:///{folder}/evals.sqlite3", "postgresql": postgresql}
        for seed, (name, address) in enumerate(stores.items(), 7):
            upgrade(address)
            kills, batches = (20, 40) if full else (5, 8)
            killed = killed_at_random(address, Path(folder), kills=kills, batches=batches, seed=seed)
            found[name] = asdict(killed)
            print(json.dumps({name: found[name]}), flush=True)
    if full:
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def killed_at_random(address: str, folder: Path, *, kills: int, batches: int, seed: int) -> Killed:
    """Runs of so many batches that are killed so often, held against one that is not."""
    size = BATCH_SIZE * batches - 5
    questions = write_questions(folder / "questions.csv", size)
    with closing(EvalStore.open(address)) as store:
        rest = _rest(questions, address, store)
        alone, hits, chance = store.run("latest"), Counter[Hit](), random.Random(seed)
        while hits.total() - hits["ended"] < kills:
            if hits["ended"] > 3 * kills:
                raise RuntimeError(f"processes are through before they are killed: {dict(hits)}")
            hits[_killed(questions, address, store, rest, chance)] += 1
        if not store.run("latest").whole:
            with evaluating(questions, address, resume=True) as process:
                _require_success(process)
        runs = [run for run in store.runs() if run.key != alone.key]
        other = [_held_against(store, run, alone) for run in runs]
        found = sum(len(list(store.answers(run))) for run in runs)
    counts = (hits["in_a_batch"], hits["after_the_last"], hits["ended"])
    told = (sum(texts for texts, _ in other), sum(readings for _, readings in other))
    return Killed(kills, *counts, len(runs), size * len(runs), found, *told)


def write_questions(path: Path, size: int) -> Path:
    """Questions with recorded answers, each of its own."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("id", "question", "expected", "answer"))
        for n in range(size):
            table.writerow((n, f"What is {n}?", f"It is the number {n}.", f"The number {n + n % 3}."))
    return path


@contextmanager
def evaluating(questions: Path, address: str, *, resume: bool) -> Iterator["subprocess.Popen[bytes]"]:
    """An evaluation in a process of its own."""
    metrics = [word for name in METRICS for word in ("--metric", name)]
    sensecheck = str(Path(sys.executable).with_name("sensecheck"))
    command = [sensecheck, "eval", str(questions), "--store", address, *metrics]
    named = {"SENSECHECK_CACHE": "off", "SENSECHECK_ENCODER": "hashing", "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, *(("--resume", "latest") if resume else ())],
        stdout=pipe,
        stderr=pipe,
        env={**os.environ, **named},
    ) as process:
        yield process


def _rest(questions: Path, address: str, store: EvalStore) -> float:
    """For how many seconds a process that nobody kills is at work after its first batch."""
    begun = _begun(store)
    with evaluating(questions, address, resume=False) as process:
        _wait_for_a_batch(process, store, begun, 0)
        kept = time.monotonic()
        _require_success(process)
    return time.monotonic() - kept


def _killed(questions: Path, address: str, store: EvalStore, rest: float, chance: random.Random) -> Hit:
    """Kill whoever goes on with the latest run, or begins another when that one is whole."""
    run, begun = store.run("latest"), _begun(store)
    before = 0 if run.whole else run.done
    with evaluating(questions, address, resume=not run.whole) as process:
        _wait_for_a_batch(process, store, begun, before)
        try:
            process.wait(timeout=chance.uniform(0, rest * (1 - before / run.set.size)))
        except subprocess.TimeoutExpired:
            process.kill()
        if process.wait() != -signal.SIGKILL:
            _require_success(process)
            return "ended"
    return "after_the_last" if store.run("latest").whole else "in_a_batch"


def _wait_for_a_batch(process: "subprocess.Popen[bytes]", store: EvalStore, begun: int, before: int) -> None:
    """Until the process has taken up a run and kept more of it than there was, or is through."""
    until = time.monotonic() + PATIENCE
    while _begun(store) == begun or store.run("latest").done <= before:
        if process.poll() is not None:
            return
        if time.monotonic() > until:
            raise RuntimeError("the run did not begin")
        time.sleep(0.005)


def _begun(store: EvalStore) -> int:
    """How often a run was begun or taken up."""
    query = select(func.count()).select_from(run_events).where(run_events.c.kind != "finished")
    with store.engine.connect() as connection:
        return connection.execute(query).scalar_one()


def _require_success(process: "subprocess.Popen[bytes]") -> None:
    _, wrong = process.communicate(timeout=10 * PATIENCE)
    if process.returncode:
        raise RuntimeError(wrong.decode())


def _held_against(store: EvalStore, run: Run, alone: Run) -> tuple[int, int]:
    """How many answers differ between two runs, and how many readings."""
    both = zip_longest(store.answers(run), store.answers(alone))
    texts = sum(one is None or other is None or _told(one) != _told(other) for one, other in both)
    ours, theirs = ordered(store.table(run)), ordered(store.table(alone))
    if ours.metrics != theirs.metrics or ours.values.shape != theirs.values.shape:
        return texts, max(ours.values.size, theirs.values.size)
    return texts, int((~np.isclose(ours.values, theirs.values, rtol=0, atol=0, equal_nan=True)).sum())


def _told(one: AnsweredItem) -> tuple[int, str, str | None, str | None]:
    return one.position, one.item.name, one.scored.answer, one.scored.error


if __name__ == "__main__":
    main()
