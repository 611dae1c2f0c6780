"""What can be told of many numbers without keeping them, and of several heaps of them together."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

BINS = 20
"""Of the histogram, between 0 and 1."""
_BORDERS = np.arange(BINS) / BINS


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many numbers there are, and how they lie."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    """The sum of the squares of what they differ from the mean."""
    least: float | None = None
    greatest: float | None = None
    bins: tuple[int, ...] = (0,) * (BINS + 2)
    """How many are below 0, in each twentieth from 0 to 1, and above 1; 1 itself is in the last of them."""

    @property
    def deviation(self) -> float | None:
        """The standard deviation of the numbers as a sample; None of fewer than two."""
        return None if self.count < 2 else float((self.squares / (self.count - 1)) ** 0.5)

    @classmethod
    def of(cls, values: npt.NDArray[np.float64]) -> Self:
        """Those of an array, all of which are finite."""
        if not len(values):
            return cls()
        mean = float(values.mean())
        place = np.searchsorted(_BORDERS, values, side="right") + (values > 1)
        bins = np.bincount(place, minlength=BINS + 2)
        squares = float(((values - mean) ** 2).sum())
        return cls(len(values), mean, squares, float(values.min()), float(values.max()), tuple(bins.tolist()))

    @classmethod
    def merged(cls, many: Iterable[Self]) -> Self:
        """All heaps as one, in the order in which they are given."""
        whole = cls()
        for one in many:
            whole = whole._with(one)
        return whole

    def _with(self, other: Self) -> Self:
        if not self.count or not other.count:
            return self if other.count == 0 else other
        count, apart = self.count + other.count, other.mean - self.mean
        return type(self)(
            count,
            self.mean + apart * (other.count / count),
            self.squares + other.squares + apart**2 * (self.count * other.count / count),
            _chosen(min, self.least, other.least),
            _chosen(max, self.greatest, other.greatest),
            tuple(mine + theirs for mine, theirs in zip(self.bins, other.bins, strict=True)),
        )


def _chosen(choose: Callable[[list[float]], float], *ends: float | None) -> float:
    return choose([end for end in ends if end is not None])
