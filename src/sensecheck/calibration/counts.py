"""What a cutoff did on rows that it was not fitted on."""

from collections.abc import Sequence

import numpy as np

from sensecheck.calibration.card import LabelledScores
from sensecheck.calibration.decision import Counts, ErrorRates
from sensecheck.calibration.split import Labelled, one_each
from sensecheck.core.cutoff import Cutoff, Rate, Side
from sensecheck.stats.binomial import rate

_MAX_SCORES = 101
"""How many readings of each label a card holds: the percentiles of more."""


def counts_of(rows: Sequence[Labelled]) -> Counts:
    """How many rows of each label there are."""
    good = sum(row.good for row in rows)
    return Counts(good, len(rows) - good)


def rates_of(cutoff: Cutoff, rows: Sequence[Labelled]) -> ErrorRates:
    """How often the cutoff errs on these rows, and how often it is unsure."""
    bad = [row.side(cutoff) for row in rows if not row.good]
    good = [row.side(cutoff) for row in rows if row.good]
    may_be_unsure = cutoff.doubt is not None or any(row.decided is not None for row in rows)
    unsure = _share("unsure", bad + good) if may_be_unsure else None
    return ErrorRates(_share("pass", bad), _share("fail", good), unsure)


def slices_of(cutoff: Cutoff, rows: Sequence[Labelled], *, seed: int) -> dict[str, dict[str, ErrorRates]]:
    """The rates by each named column and each of its values; within one, a group's rows count once."""
    kinds: dict[tuple[str, str], list[Labelled]] = {}
    for row in rows:
        for kind in row.slices.items():
            kinds.setdefault(kind, []).append(row)
    rates: dict[str, dict[str, ErrorRates]] = {}
    for column, value in sorted(kinds):
        counted = one_each(kinds[column, value], seed=seed)
        rates.setdefault(column, {})[value] = rates_of(cutoff, counted)
    return rates


def scores_of(rows: Sequence[Labelled]) -> LabelledScores:
    """The readings by label, sorted, or evenly spaced ones of them."""
    return LabelledScores(
        _spread([r.value for r in rows if r.good]), _spread([r.value for r in rows if not r.good])
    )


def shown(value: float) -> float:
    """A reading with as many digits as people read; never for a decision, nor for what is compared."""
    return float(f"{value:.6g}")


def _spread(values: Sequence[float]) -> tuple[float, ...]:
    ordered = sorted(values)
    if len(ordered) > _MAX_SCORES:
        places = np.linspace(0, len(ordered) - 1, _MAX_SCORES).round().astype(int)
        ordered = [ordered[place] for place in places]
    return tuple(map(float, ordered))


def _share(side: Side, sides: Sequence[Side]) -> Rate | None:
    return rate(sides.count(side), len(sides)) if sides else None
