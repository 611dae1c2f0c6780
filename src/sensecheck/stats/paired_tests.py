"""Whether a mean differs significantly between two runs of the same questions, and by how much.

A paired permutation test, bootstrap intervals (BCa) with their closed form (ABC), and Holm's correction:
among many differences tested at once, one looks large even where nothing has changed. Ten questions are
served as well as a hundred million: few are enumerated, some are drawn at random, and many are summed up.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from sensecheck.stats.binomial import chance_of_at_least, highest

Numbers = npt.NDArray[np.float64]

SEED = 20_250_101
"""Fixed, so that the same two runs always give the same numbers."""
DRAWS = 9_999
MIN_DRAWS = 1_999
MAX_DRAWN = 100_000_000
"""Of very many tests fewer draws are made; their means are the steadier for it."""
BATCH_SIZE = 250_000
"""Numbers drawn in one block."""
EXACT = 14
"""Of so few tests that differ, all ways to swap the runs are gone through."""
MANY = 300
"""So many questions that count alike: the sum of their signs is normal to more digits than are shown."""
MAX_SWAPPED = 100_000
"""Of more questions that moved, no swaps are drawn."""
MIN_CLOSED_FORM = 100
"""From here on an interval has a closed form, which agrees with the bootstrap and costs nothing."""
NO_STEP = 1e-9
"""A smaller difference is none: the same text, placed next to others, may differ in its last bits."""


def steps_between(before: Numbers, after: Numbers) -> Numbers:
    """By how much each question moved."""
    steps = after - before
    return np.where(np.abs(steps) < NO_STEP, 0.0, steps)


def chance(differences: Numbers) -> float:
    """How often swapping the runs, question by question, gives a mean difference as large: p, two-sided."""
    moved = differences[differences != 0]
    sizes, squares = np.abs(moved), moved**2
    return chance_of_sums(
        ups=int((moved > 0).sum()),
        downs=int((moved < 0).sum()),
        sizes=(float(sizes.min(initial=math.inf)), float(sizes.max(initial=0.0))),
        powers=(float(moved.sum()), float(squares.sum()), float((squares**2).sum())),
        load=lambda: moved,
    )


def chance_of_sums(
    *,
    ups: int,
    downs: int,
    sizes: tuple[float, float],
    powers: tuple[float, float, float],
    load: Callable[[], Numbers],
) -> float:
    """The same p from sums over the questions that moved; `load` reads their differences where it must.

    Where all moved by the same amount, it is the exact sign test. Otherwise all ways to swap few questions
    are gone through, and those of some are drawn; those of many are summed up by the normal distribution,
    which has the heavier tails of the two. Where few large differences outweigh very many others, it is a
    bound that holds for any. `sizes` are the smallest and the largest difference without their signs, and
    `powers` the sums of the differences, of their squares and of their fourth powers.
    """
    total, squares, fourths = powers
    if not ups + downs:
        return 1.0
    if sizes[1] - sizes[0] < NO_STEP:
        return _sign_test(ups, ups + downs)
    if ups + downs <= EXACT:
        return chance_of_swaps(load())
    if count_alike(squares, fourths) >= MANY:
        return chance_of_many(total, squares, sizes[0])
    if ups + downs > MAX_SWAPPED:
        return chance_at_most(total, squares)
    drawn = chance_of_swaps(load())
    return min(drawn, chance_at_most(total, squares)) if drawn <= 1 / (DRAWS + 1) else drawn


def interval(values: Numbers, *, confidence: float, within: tuple[float, float]) -> tuple[float, float]:
    """Where the mean of all such values is; `within` are the bounds of a single value."""
    if np.ptp(values) < NO_STEP:
        values = np.full(len(values), values.mean())
    if len(values) < MIN_CLOSED_FORM or np.ptp(values) == 0:
        return mean_interval(values.tolist(), confidence=confidence, within=within)
    away = values - float(values.mean())
    sums = float((away**2).sum()), float((away**3).sum())
    return interval_of_many(len(values), float(values.mean()), *sums, confidence=confidence, within=within)


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Each p as it counts among all of them (Holm): below alpha, it may be claimed alongside the others.

    The probability that any of the claims is false stays below alpha. Where nothing was tested there is None.
    """
    tested = sorted((p, at) for at, p in enumerate(chances) if p is not None)
    adjusted: list[float | None] = [None] * len(chances)
    largest = 0.0
    for rank, (p, at) in enumerate(tested):
        largest = max(largest, min(1.0, p * (len(tested) - rank)))
        adjusted[at] = largest
    return adjusted


def chance_of_swaps(moved: Numbers) -> float:
    """The share of swaps that give a sum as large: of few all swaps, of more those that are drawn.

    They are put in order of size, so that the order of questions says nothing.
    """
    sizes, most = np.sort(np.abs(moved)), abs(moved.sum()) * (1 - 1e-12)
    if len(sizes) <= EXACT:
        return float((np.abs(_all_signs(len(sizes)) @ sizes) >= most).mean())
    sums = _drawn(len(sizes), lambda rng, shape: sizes.sum() - 2 * (_coins(rng, shape) @ sizes))
    return float(((np.abs(sums) >= most).sum() + 1) / (len(sums) + 1))


def chance_of_many(total: float, squares: float, smallest: float = 0.0) -> float:
    """The p-value of very many differences, of which only their sum and that of their squares are known.

    Scores on a grid, such as 0, 0.5 and 1, move by at least `smallest`, and sums lie twice as far apart: half
    of that is taken off (continuity correction). Of other scores it is next to nothing.
    """
    return math.erfc(max(0.0, abs(total) - smallest) / math.sqrt(2 * squares))


def chance_at_most(total: float, squares: float) -> float:
    """A bound that holds for any sizes (Hoeffding): draws cannot tell how rare it is what they never met."""
    return min(1.0, 2 * math.exp(-(total**2) / (2 * squares)))


def count_alike(squares: float, fourths: float) -> float:
    """As many questions of one size would be as steady together; few large ones outweigh many small."""
    return squares**2 / fourths if fourths else 0.0


def mean_interval(
    values: Sequence[float], *, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """Where the mean of all such values is (BCa bootstrap); `within` are the bounds of a single value."""
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
    """Where a mean is, from the sums of the squares and cubes of the distances from it."""
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


def _levels(values: Numbers, means: Numbers, confidence: float) -> tuple[float, float]:
    """The two quantiles of the bootstrap that BCa takes: corrected for bias and for skew."""
    normal, mean = NormalDist(), float(values.mean())
    close = 1e-12 * max(1.0, float(np.abs(values).max()))
    below, equal = (means < mean - close).mean(), (np.abs(means - mean) <= close).mean()
    share = float(np.clip(below + equal / 2, 0.5 / len(means), 1 - 0.5 / len(means)))
    bias, away = normal.inv_cdf(share), values - mean
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
    left = min(DRAWS, max(MIN_DRAWS, MAX_DRAWN // n))
    while left:
        rows = min(left, max(1, BATCH_SIZE // n))
        yield rows
        left -= rows


def _limit(n: int, mean: float, square: float, cube: float, tail: float) -> float:
    """An end of the interval: what the corrected bootstrap (BCa) tends to, without its draws (ABC)."""
    skew = cube / (6 * math.pow(square, 1.5))
    moved = skew + NormalDist().inv_cdf(tail)
    return mean + math.sqrt(square) / n * moved / math.pow(1 - skew * moved, 2)
