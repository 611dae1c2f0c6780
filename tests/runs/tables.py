"""Tables of runs as a store gives them, made of numbers."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

from sensecheck.core.run import QuestionSet, Run, Test
from sensecheck.runs.record import RunMetric, RunTable

Numbers = npt.NDArray[np.float64]
TEST = Test(1, "t", "atlas", "nightly", {}, {})
NA = float("nan")


def run(key: int, size: int) -> Run:
    at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=key)
    chosen = QuestionSet(1, size, "d")
    return Run(key, f"run-{key}", TEST, chosen, f"night {key}", "", {}, at, at, size)


def table(
    columns: Mapping[str, Sequence[float] | Numbers],
    *,
    key: int = 1,
    names: Sequence[str] | None = None,
    slices: Sequence[dict[str, str]] | None = None,
    labels: Mapping[str, Sequence[float] | Numbers] | None = None,
) -> RunTable:
    """A run with these columns; `name@encoder` is a metric by an encoder."""
    size = len(next(iter(columns.values())))
    metrics = tuple(
        RunMetric(number, name.partition("@")[0], name.partition("@")[2], name.partition("@")[2])
        for number, name in enumerate(columns)
    )
    return RunTable(
        run(key, size),
        tuple(names or (f"q{at}" for at in range(size))),
        tuple(slices or ({},) * size),
        metrics,
        np.column_stack([np.asarray(column, dtype=np.float64) for column in columns.values()]),
        (0,) * len(metrics),
        {name: np.asarray(said, dtype=np.float64) for name, said in (labels or {}).items()},
        0,
    )
