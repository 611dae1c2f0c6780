"""Whether differences are more than chance: a paired permutation test, and bootstrap intervals."""

from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.binomial import chance_of_at_least
from sensecheck.calibration.intervals import clopper_pearson, highest

Numbers = npt.NDArray[np.float64]

SEED = 20_250_101
"""Fixed, so that the same two runs always give the same numbers."""
DRAWS = 9_999
FEWEST_DRAWS = 1_999
MOST_DRAWN = 100_000_000
"""Of very many tests fewer draws are made; their means are the steadier for it."""
AT_ONCE = 250_000
EXACT = 14
"""Of so few tests that differ, all ways to swap the runs are gone through."""


def chance_of_difference(differences: Sequence[float]) -> float:
    """How often swapping the runs, test by test, gives a mean difference as large as this: p, two-sided."""
    moved = np.array([value for value in differences if value != 0], dtype=np.float64)
    if not len(moved):
        return 1.0
    sizes = np.abs(moved)
    if np.ptp(sizes) == 0:
        return _sign_test(int((moved > 0).sum()), len(moved))
    most = abs(moved.sum()) * (1 - 1e-12)
    if len(moved) <= EXACT:
        return float((np.abs(_all_signs(len(moved)) @ sizes) >= most).mean())
    sums = _drawn(len(moved), lambda rng, shape: sizes.sum() - 2 * (_coins(rng, shape) @ sizes))
    return float(((np.abs(sums) >= most).sum() + 1) / (len(sums) + 1))


def mean_interval(
    values: Sequence[float], *, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """Where the mean of all such values lies (BCa bootstrap); `within` are the bounds of a single value."""
    held = np.array(values, dtype=np.float64)
    if np.ptp(held) == 0:
        return interval_of_equals(float(held[0]), len(held), confidence, within)
    means = _drawn(
        len(held), lambda rng, shape: held.take(rng.integers(0, len(held), shape, np.int32)).mean(axis=1)
    )
    levels = _levels(held, means, confidence)
    low, high = np.quantile(means, levels)
    return float(low), float(high)


def rate_interval(shares: Sequence[float], *, confidence: float) -> tuple[float, float]:
    """Where a rate lies: exactly, when each test passed or did not; else by the bootstrap over tests."""
    if all(share in (0.0, 1.0) for share in shares):
        return clopper_pearson(int(sum(shares)), len(shares), confidence=confidence)
    return mean_interval(shares, confidence=confidence, within=(0.0, 1.0))


def _sign_test(up: int, n: int) -> float:
    """McNemar's exact test: of tests that differ by the same, as many go up as down by chance."""
    return min(1.0, 2 * chance_of_at_least(max(up, n - up), n, 0.5))


def _all_signs(n: int) -> Numbers:
    return np.take(np.array([1.0, -1.0]), (np.arange(2**n)[:, None] >> np.arange(n)) & 1)


def _coins(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Zeros and ones, a bit of chance each."""
    tosses = shape[0] * shape[1]
    return np.unpackbits(np.frombuffer(rng.bytes(-(-tosses // 8)), np.uint8), count=tosses).reshape(shape)


def _drawn(n: int, draw: Callable[[np.random.Generator, tuple[int, int]], Numbers]) -> Numbers:
    """A number a draw of `n` tests, computed in blocks that fit into memory."""
    rng = np.random.default_rng(SEED)
    return np.concatenate([draw(rng, (rows, n)) for rows in _blocks(n)])


def _blocks(n: int) -> Iterator[int]:
    left = min(DRAWS, max(FEWEST_DRAWS, MOST_DRAWN // n))
    while left:
        rows = min(left, max(1, AT_ONCE // n))
        yield rows
        left -= rows


def _levels(held: Numbers, means: Numbers, confidence: float) -> tuple[float, float]:
    """The two quantiles of the bootstrap that BCa takes: corrected for bias and for skew."""
    normal, mean = NormalDist(), float(held.mean())
    close = 1e-12 * max(1.0, float(np.abs(held).max()))
    below, equal = (means < mean - close).mean(), (np.abs(means - mean) <= close).mean()
    share = float(np.clip(below + equal / 2, 0.5 / len(means), 1 - 0.5 / len(means)))
    bias, away = normal.inv_cdf(share), held - mean
    skew = float((away**3).sum() / (6 * (away**2).sum() ** 1.5))

    def level(tail: float) -> float:
        moved = bias + normal.inv_cdf(tail)
        return normal.cdf(bias + moved / (1 - skew * moved))

    return level((1 - confidence) / 2), level((1 + confidence) / 2)


def interval_of_equals(
    value: float, n: int, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """Of equal values the bootstrap knows nothing; but others must be rare, or one would have been seen."""
    others = highest(0, n, confidence=confidence)
    return value - others * (value - within[0]), value + others * (within[1] - value)
