"""Whether a mean differs between two runs of the same questions by more than chance, and by how much.

A paired permutation test, bootstrap intervals (BCa) with their closed form (ABC), and Holm's correction:
of many differences tested at once, one looks large by chance alone. Ten questions are served as well as a
hundred thousand: few are enumerated, some are drawn at random, and many are summed up.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from sensecheck.stats.binomial import chance_of_at_least, clopper_pearson, highest

Numbers = npt.NDArray[np.float64]

SEED = 20_250_101
"""Fixed, so that the same two runs always give the same numbers."""
DRAWS = 9_999
FEWEST_DRAWS = 1_999
MOST_DRAWN = 100_000_000
"""Of very many tests fewer draws are made; their means are the steadier for it."""
AT_ONCE = 250_000
"""Numbers drawn in one block."""
EXACT = 14
"""Of so few tests that differ, all ways to swap the runs are gone through."""
MANY = 300
"""So many questions that count alike: the sum of their signs is normal to more digits than are shown."""
ENOUGH = 100
"""From here on an interval has a closed form, which agrees with the bootstrap and costs nothing."""
NO_STEP = 1e-9
"""A smaller difference is none: the same text, placed beside others, may differ in its last bits."""


def steps_between(before: Numbers, after: Numbers) -> Numbers:
    """By how much each question moved."""
    steps = after - before
    return np.where(np.abs(steps) < NO_STEP, 0.0, steps)


def chance(differences: Numbers) -> float:
    """How often swapping the runs, question by question, gives a mean difference as large: p, two-sided.

    All ways to swap few questions are gone through, those of some are drawn, and those of many are summed up
    by the normal distribution, which has the heavier tails of the two: it claims no more than it may.
    """
    moved = differences[differences != 0]
    squares = moved**2
    sums = float(moved.sum()), float(squares.sum()), float((squares**2).sum())
    if count_alike(*sums[1:]) >= MANY and np.ptp(squares) > 0:
        return chance_of_many(*sums[:2])
    drawn = chance_of_difference(moved.tolist())
    return min(drawn, chance_at_most(*sums[:2])) if drawn <= 1 / (DRAWS + 1) else drawn


def interval(values: Numbers, *, confidence: float, within: tuple[float, float]) -> tuple[float, float]:
    """Where the mean of all such values lies; `within` are the bounds of a single value."""
    if np.ptp(values) < NO_STEP:
        values = np.full(len(values), values.mean())
    if len(values) < ENOUGH or np.ptp(values) == 0:
        return mean_interval(values.tolist(), confidence=confidence, within=within)
    away = values - float(values.mean())
    sums = float((away**2).sum()), float((away**3).sum())
    return interval_of_many(len(values), float(values.mean()), *sums, confidence=confidence, within=within)


def rate_interval(shares: Sequence[float], *, confidence: float) -> tuple[float, float]:
    """Where a rate lies: exactly, when each test passed or did not; else by the bootstrap over tests."""
    if all(share in (0.0, 1.0) for share in shares):
        return clopper_pearson(int(sum(shares)), len(shares), confidence=confidence)
    return mean_interval(shares, confidence=confidence, within=(0.0, 1.0))


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Each p as it counts among all of them (Holm): below alpha, it may be claimed beside the others.

    The chance that any of the claims is false stays below alpha. Where nothing was tested there is None.
    """
    tested = sorted((p, at) for at, p in enumerate(chances) if p is not None)
    adjusted: list[float | None] = [None] * len(chances)
    largest = 0.0
    for rank, (p, at) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - rank)))
        adjusted[at] = largest
    return adjusted


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


def chance_of_many(total: float, squares: float) -> float:
    """The p-value of very many differences, of which only their sum and that of their squares are known."""
    return math.erfc(abs(total) / math.sqrt(2 * squares))


def chance_at_most(total: float, squares: float) -> float:
    """A bound that holds for any sizes (Hoeffding): draws cannot tell how rare it is what they never met."""
    return min(1.0, 2 * math.exp(-(total**2) / (2 * squares)))


def count_alike(squares: float, fourths: float) -> float:
    """As many questions of one size would be as steady together; few large ones outweigh many small."""
    return squares**2 / fourths if fourths else 0.0


def mean_interval(
    values: Sequence[float], *, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """Where the mean of all such values lies (BCa bootstrap); `within` are the bounds of a single value."""
    numbers = np.array(values, dtype=np.float64)
    n = len(numbers)
    if np.ptp(numbers) == 0:
        return interval_of_equals(float(numbers[0]), n, confidence, within)
    means = _drawn(n, lambda rng, shape: numbers.take(rng.integers(0, n, shape, np.int32)).mean(axis=1))
    levels = _levels(numbers, means, confidence)
    low, high = np.quantile(means, levels)
    return float(low), float(high)


def interval_of_equals(
    value: float, n: int, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """Of equal values the bootstrap knows nothing; but others must be rare, or one would have been seen."""
    others = highest(0, n, confidence=confidence)
    return value - others * (value - within[0]), value + others * (within[1] - value)


def interval_of_many(
    n: int, mean: float, square: float, cube: float, *, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """Where a mean lies, from the sums of the squares and cubes of the distances from it."""
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    low, high = (_limit(n, mean, square, cube, tail) for tail in tails)
    return max(low, within[0]), min(high, within[1])


def _sign_test(up: int, n: int) -> float:
    """McNemar's exact test: of tests that differ by the same, as many go up as down by chance."""
    return min(1.0, 2 * chance_of_at_least(max(up, n - up), n, 0.5))


def _all_signs(n: int) -> Numbers:
    return np.take(np.array([1.0, -1.0]), (np.arange(2**n)[:, None] >> np.arange(n)) & 1)


def _coins(rng: np.random.Generator, shape: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Zeros and ones, a bit of chance each."""
    tosses = shape[0] * shape[1]
    return np.unpackbits(np.frombuffer(rng.bytes(-(-tosses // 8)), np.uint8), count=tosses).reshape(shape)


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


def _limit(n: int, mean: float, square: float, cube: float, tail: float) -> float:
    """An end of the interval: what the corrected bootstrap (BCa) tends to, without its draws (ABC)."""
    skew = cube / (6 * math.pow(square, 1.5))
    moved = skew + NormalDist().inv_cdf(tail)
    return mean + math.sqrt(square) / n * moved / math.pow(1 - skew * moved, 2)
