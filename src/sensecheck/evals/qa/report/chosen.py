"""Which answers of a run are shown one by one, where there are more than a page can hold."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.evals.qa.report.axes import Axes, apart
from sensecheck.store.run_reading import RunTable

MOST = 5_000
SEED = 20_250_101
"""Fixed, so that the same run always shows the same answers."""
_MOVED, _UNREAD, _APART = 0.1, 0.1, 0.1
"""Of what is shown: at most this share for each reason to look closer (`_APART` twice: to either side)."""

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The positions of the answers that are shown, in their order, and how many for which reason."""

    positions: Places
    reasons: dict[str, int]
    """Empty where all are shown."""


def chosen(
    table: RunTable,
    axes: Axes | None,
    *,
    most: int = MOST,
    moved: Collection[str] = (),
    reached: Places | None = None,
) -> Chosen:
    """All of them, or as many as fit: those worth looking at first, then a sample of the rest.

    `reached` are the positions that have an answer, or a reason why not; all of them unless given.
    """
    among = np.arange(len(table.names)) if reached is None else reached
    if len(among) <= most:
        return Chosen(among, {})
    taken = np.ones(len(table.names), dtype=np.bool_)
    taken[among] = False
    reasons = {}
    for reason, wanted, share in _interesting(table, axes, moved):
        fresh = wanted[~taken[wanted]][: int(most * share)]
        taken[fresh] = True
        if len(fresh):
            reasons[reason] = len(fresh)
    left = np.flatnonzero(~taken)
    drawn = np.random.default_rng(SEED).choice(left, most - sum(reasons.values()), replace=False)
    taken[drawn] = True
    return Chosen(among[taken[among]], reasons | {"drawn at random": len(drawn)})


def _interesting(
    table: RunTable, axes: Axes | None, moved: Collection[str]
) -> list[tuple[str, Places, float]]:
    """Reasons to look closer, and who has them, the strongest first."""
    names = frozenset(moved)
    found = [("moved since the other run", [at for at, name in enumerate(table.names) if name in names])]
    ranked = [(reason, np.array(places, dtype=np.int64), _MOVED) for reason, places in found]
    if axes is None:
        return ranked
    difference = apart(table, axes)
    order = np.argsort(difference, kind="stable")  # NaN last
    known = order[: int(np.isfinite(difference).sum())]
    return [
        *ranked,
        ("n/a", np.flatnonzero(np.isnan(difference)), _UNREAD),
        ("meaning far above words", known[::-1], _APART),
        ("words far above meaning", known, _APART),
    ]
