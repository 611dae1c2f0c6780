"""How much of a query the guards behind it take."""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.speed.clock import seconds
from benchmarks.speed.measured import Goal, Measured

from sensecheck.core.backends import Vectors
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.indexes.pgvector import PgVectorIndex
from sensecheck.retrieval.stages.diversity import distinct
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.threshold import above

CANDIDATES = 20
GUARDS = {
    "all guards": chain(above(0.3), distinct(0.95), top(8), within_chars(4000)),
    "guards without `distinct`": chain(above(0.3), top(8), within_chars(4000)),
}


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds that a step of a query takes."""

    cpu: float
    clock: float


def guards(index: PgVectorIndex, queries: Vectors, *, rounds: int) -> list[Measured]:
    """What the guards take of a query and themselves, over `CANDIDATES` matches that bring their vectors."""
    spent = [guards_once(index, queries) for _ in range(rounds)]
    return [
        Measured.of(
            f"{name}, share of a query",
            f"CPU time of the chain over {CANDIDATES} matches, by that of the search (here and in the "
            f"server, ef_search {index.ef}) and the chain together; encoding the query is not counted",
            ratios=[one[name].cpu / (one["search"].cpu + one[name].cpu) for one in spent],
            goal=Goal(0.05, "below"),
            notes={
                "share on the clock, median": round(
                    float(
                        np.median(
                            [one[name].clock / (one["search"].clock + one[name].clock) for one in spent]
                        )
                    ),
                    4,
                ),
                "chain, CPU ms": round(1000 * float(np.median([one[name].cpu for one in spent])), 3),
                "search, CPU ms": round(1000 * float(np.median([one["search"].cpu for one in spent])), 3),
            },
        )
        for name in GUARDS
    ]


def guards_once(index: PgVectorIndex, queries: Vectors) -> dict[str, Spent]:
    """By step, the mean of its CPU time and the median of its time on the clock, over all queries."""
    clock: dict[str, list[float]] = {name: [] for name in ("search", *GUARDS)}
    cpu: dict[str, float] = dict.fromkeys(clock, 0.0)
    server = index.database.connection.info.backend_pid
    for query in queries:
        before, start, here = cpu_of(server), time.perf_counter(), time.process_time()
        matches = index.search(query, CANDIDATES)
        clock["search"].append(time.perf_counter() - start)
        cpu["search"] += time.process_time() - here + cpu_of(server) - before
        for name, guard in GUARDS.items():
            here = time.process_time()
            clock[name].append(seconds(partial(guard, matches)))
            cpu[name] += time.process_time() - here
    return {name: Spent(cpu[name] / len(queries), float(np.median(clock[name]))) for name in clock}


def cpu_of(process: int) -> float:
    """The CPU seconds that another process has used, to the nanosecond."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9
