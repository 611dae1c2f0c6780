"""Which questions moved most from one run to the next."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sensecheck.evals.qa.compare.shift import Columns
from sensecheck.stats.paired import steps_between

MOST = 10
"""So many are told in each direction."""
_FIRST = ("correctness", "recall_and_cosine", "semantic_similarity", "lexical_aggregate")
"""By which metric questions are told unless somebody chooses: the one that agrees best with people."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A question that moved."""

    id: str
    metric: str
    before: float
    after: float


def most_moved(names: Sequence[str], columns: Columns, *, most: int = MOST) -> tuple[Moved, ...]:
    """Those that fell most, the worst first, and then those that rose most, the best first."""
    steps = steps_between(columns.before, columns.after)
    order = np.argsort(steps, kind="stable")[: int((~np.isnan(steps)).sum())]  # NaN is sorted to the end
    fell = [at for at in order[:most] if steps[at] < 0]
    rose = [at for at in order[::-1][:most] if steps[at] > 0]
    return tuple(
        Moved(names[at], columns.metric, float(columns.before[at]), float(columns.after[at]))
        for at in (*fell, *rose)
    )


def telling(metrics: Sequence[str]) -> str | None:
    """The metric by which questions are told where nobody has chosen one; None where there is none."""
    return next((name for name in _FIRST if name in metrics), metrics[0] if metrics else None)
