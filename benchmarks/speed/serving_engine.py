"""Checks through the engine room, for many callers at once, against the bare encoder over the same texts."""

import asyncio
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.speed.grounding import SET
from benchmarks.speed.measured import Goal, Measured
from models.heads.public import data_folder, rows_of

from sensecheck.core.backends import Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.server.engine.jobs import Checked, CheckJob
from sensecheck.server.engine.pool import EnginePool

CALLERS = 64
PATIENT = 600.0
"""Seconds that a caller would wait: here nobody is turned away."""


@dataclass(frozen=True, slots=True)
class Served:
    """One round of checks."""

    seconds: float
    batches: int
    waits: tuple[float, ...]


def measure(data: Path, *, full: bool) -> list[Measured]:
    """Throughput with nothing in memory, by that of an encoder that does nothing but encode."""
    jobs = distinct_jobs(data, 96 if full else 24)
    encoder = load_encoder("minilm")
    encoder.encode([job.answer for job in jobs[:4]], tokens=True)
    ratios, served = [], []
    for turn in range(3 if full else 2):
        first = bare(jobs, encoder) if turn % 2 else None
        served.append(asyncio.run(serve(jobs)))
        ratios.append((bare(jobs, encoder) if first is None else first) / served[-1].seconds)
    waits = sorted(wait for one in served for wait in one.waits)
    return [
        Measured.of(
            "checks through the engine room, nothing cached",
            f"throughput of `default` checks by one engine process for {CALLERS} callers at once, by that of "
            "the bare encoder on one thread over the same distinct texts in batches of like length",
            ratios=ratios,
            goal=Goal(0.9, "above"),
            notes={
                "checks": len(jobs),
                "batches": statistics.median(one.batches for one in served),
                "checks a second": round(len(jobs) / statistics.median(one.seconds for one in served), 2),
                "p50 wait, s": round(statistics.median(waits), 2),
            },
        )
    ]


def distinct_jobs(data: Path, count: int) -> list[CheckJob]:
    """Real answers, each with a passage of its own."""
    found: dict[str, CheckJob] = {}
    for row in rows_of(data, SET):
        found.setdefault(
            row["context"], CheckJob(row["response"], (row["context"],), question=row["question"])
        )
    return list(found.values())[:count]


def bare(jobs: Sequence[CheckJob], encoder: Encoder) -> float:
    """Seconds that the encoder takes over all the texts."""
    texts = list(dict.fromkeys(text for job in jobs for text in (job.answer, *job.passages)))
    started = time.perf_counter()
    encoder.encode(texts)
    return time.perf_counter() - started


async def serve(jobs: Sequence[CheckJob]) -> Served:
    """The same through a new engine, with so many callers who each ask again when they are answered."""
    room = EnginePool(workers=1, max_wait=PATIENT)
    await room.start()
    left, waits = list(reversed(jobs)), list[float]()

    async def caller() -> None:
        while left:
            asked = time.perf_counter()
            result = await room.run(left.pop())
            if not isinstance(result, Checked) or result.outcome == "error":
                sys.exit("a check came to an error: nothing was measured")
            waits.append(time.perf_counter() - asked)

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(CALLERS):
            group.create_task(caller())
    spent = time.perf_counter() - started
    await room.stop()
    return Served(spent, room.load().batches, tuple(waits))


if __name__ == "__main__":
    for one in measure(data_folder(), full="full" in sys.argv[1:]):
        print(one.to_data())
