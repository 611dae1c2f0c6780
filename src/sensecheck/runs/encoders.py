"""The same metric by two encoders, on the same answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean, encode
from sensecheck.runs.record import RunMetric, RunTable
from sensecheck.runs.shift import MetricShift, PairColumn, PairedColumns, claimed, metric_shift_of
from sensecheck.stats.ranks import Estimate, Numbers, share_below, spearman_with_interval

MOST_DISAGREEMENTS = 10


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer that two encoders see differently."""

    id: str
    one: float
    other: float
    one_rank: float
    """The share of all answers that this encoder puts below it: numbers of two encoders are not alike."""
    other_rank: float


@dataclass(frozen=True, slots=True)
class EncodersCompared:
    """How far two encoders agree in one metric."""

    metric: str
    one: str
    other: str
    correlation: Estimate | None
    """Of their ranks (Spearman); None where one gives all answers the same number."""
    shift: MetricShift
    """How much higher the other one scores, where a threshold is carried from one to the other."""
    disagreements: tuple[Disagreement, ...]

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}


def compare_encoders(
    table: RunTable, metric: str = "semantic_similarity", *, alpha: float = 0.05
) -> tuple[EncodersCompared, ...]:
    """Each two encoders of a run, compared."""
    columns = [(one, at) for at, one in enumerate(table.metrics) if one.name == metric]
    if not columns:
        raise SpecError(
            did_you_mean(f"metric of the run {table.run.key}", metric, {one.name for one in table.metrics})
        )
    if len(columns) == 1:
        raise SpecError(
            f"the run {table.run.key} has `{metric}` by one encoder only, `{columns[0][0].encoder}`; "
            "run it with several: `sensecheck eval … --encoder ONE --encoder OTHER`"
        )
    pairs = [_compare_two(table, one, other, alpha) for one, other in combinations(columns, 2)]
    shifts = claimed([pair.shift for pair in pairs], alpha=alpha)
    return tuple(replace(pair, shift=shift) for pair, shift in zip(pairs, shifts, strict=True))


def _compare_two(
    table: RunTable, first: tuple[RunMetric, int], second: tuple[RunMetric, int], alpha: float
) -> EncodersCompared:
    (first_metric, first_at), (second_metric, second_at) = first, second
    column = PairColumn(first_metric.name, second_metric.encoder, second_metric.fingerprint)
    paired = PairedColumns(column, table.values[:, first_at], table.values[:, second_at])
    rows = np.flatnonzero(~np.isnan(paired.before + paired.after))
    a, b = paired.before[rows], paired.after[rows]
    correlation = spearman_with_interval(a, b, np.arange(len(rows)), confidence=1 - alpha)
    return EncodersCompared(
        first_metric.name,
        first_metric.encoder,
        second_metric.encoder,
        correlation,
        metric_shift_of(paired, alpha=alpha),
        _disagreements([table.names[at] for at in rows], a, b),
    )


def _disagreements(names: Sequence[str], first: Numbers, second: Numbers) -> tuple[Disagreement, ...]:
    """The answers whose ranks lie furthest apart."""
    if not names:
        return ()
    first_ranks, second_ranks = share_below(first), share_below(second)
    order = np.argsort(-np.abs(first_ranks - second_ranks), kind="stable")[:MOST_DISAGREEMENTS]
    rows = (map(float, (first[at], second[at], first_ranks[at], second_ranks[at])) for at in order)
    return tuple(Disagreement(names[at], *row) for at, row in zip(order, rows, strict=True))
