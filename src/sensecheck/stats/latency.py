"""Times in bins that grow, so that a day's percentiles are kept in a few numbers."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, case

FIRST, FACTOR, COUNT = 0.1, 1.25, 62
"""From a tenth of a millisecond to more than a minute; a percentile is off by an eighth at most."""
EDGES = tuple(FIRST * FACTOR**step for step in range(COUNT))

Histogram = Mapping[int, int]
"""How many times are below the edge of this number, and not below the one before."""


def bin_of(column: ColumnElement[Any]) -> ColumnElement[int | None]:
    """The number of the bin that a time falls in, worked out by the database; NULL for no time."""
    return case(
        (column.is_(None), None), *((column < edge, at) for at, edge in enumerate(EDGES)), else_=COUNT
    )


def percentile(histogram: Histogram, share: float) -> float | None:
    """The time that this share of all does not exceed, about; None where there are none."""
    total = sum(histogram.values())
    if total == 0:
        return None
    rank = share * total
    for at, count in sorted(histogram.items()):
        if rank <= count:
            return _within(at, rank / count)
        rank -= count
    return EDGES[-1]


def _within(at: int, share: float) -> float:
    """A point inside a bin; times beyond the last edge are told as that edge."""
    if at >= COUNT:
        return EDGES[-1]
    low = EDGES[at - 1] if at > 0 else 0.0
    return low + (EDGES[at] - low) * share
