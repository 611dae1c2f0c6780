"""Whether it matters which arm is which: the difference, when the arms of groups are swapped at random."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from sensecheck.retrieval.effects.scored import Scored
from sensecheck.retrieval.effects.weighted_curves import Numbers, Ordered, Places

_CELLS = 200_000
"""Weights that are held at once; few enough to stay near the processor."""
_ROUNDING = 1e-9
"""Differences that are apart by this share of the highest loss count as equal."""
_STREAM = 1
"""Apart from the draws of the bootstrap, which has the seed to itself."""


def swapped_p_value(
    bare: Sequence[Scored],
    guarded: Sequence[Scored],
    members: Places,
    *,
    resamples: int,
    seed: int,
) -> float:
    """How often a difference at least as large comes of swapping alone, in either direction.

    Both arms hold the same questions in the same order, and `members` the number of each one's group, whose
    outputs are swapped together. If guards do nothing at all, each swap is as likely as what was found, so
    that the share is right for any number of groups; what was found counts among the swaps, so it is never 0.
    """
    pool = Ordered.of([*bare, *guarded])
    found = abs(_differences(pool, np.ones((1, len(members)), np.bool_))[0])
    least = found - _ROUNDING * max(pool.losses, default=0.0)
    rng = np.random.default_rng([seed, _STREAM])
    as_far = sum(
        int((np.abs(_differences(pool, stays)) >= least).sum()) for stays in _drawn(members, resamples, rng)
    )
    return (1 + as_far) / (1 + resamples)


def _drawn(members: Places, resamples: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.bool_]]:
    """For each output whether it stays in its arm, many draws at a time."""
    at_once = max(1, _CELLS // (2 * len(members)))
    groups = int(members.max()) + 1
    for begin in range(0, resamples, at_once):
        yield (rng.random((min(at_once, resamples - begin), groups)) < 0.5)[:, members]


def _differences(pool: Ordered, stays: npt.NDArray[np.bool_]) -> Numbers:
    """The second arm's area minus the first's; each arm is the pool, with weight 1 on what it holds."""
    first = np.concatenate([stays, ~stays], axis=1).astype(np.float64)
    one, other = pool.steps(first), pool.steps(1 - first)
    shared = np.minimum(one.highest(), other.highest())
    return other.areas(shared) - one.areas(shared)
