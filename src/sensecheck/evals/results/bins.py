"""How the numbers of a column lie: counts in small equal steps, from which quantiles follow."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from duckdb import DuckDBPyConnection

from sensecheck.evals.qa.report.spreads import BINS
from sensecheck.evals.results.rows import name_in_sql

FINE = 10_000
"""Steps: a quantile is known to a ten-thousandth of what the numbers reach over."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Reach = tuple[float, float]
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bins:
    """Counts in equal steps, and between which numbers those of a step lie."""

    reach: Reach
    counts: npt.NDArray[np.int64]
    least: Numbers
    greatest: Numbers

    @property
    def shown(self) -> tuple[int, ...]:
        """The counts in as many steps as a page shows, where these are parts of such."""
        steps = BINS if len(self.counts) % BINS == 0 else len(self.counts)
        return tuple(map(int, self.counts.reshape(steps, -1).sum(axis=1)))

    def quantile(self, share: float) -> float:
        """The number below which this share of them lies, as if those of a step lay evenly in it.

        There must be numbers.
        """
        ends = np.cumsum(self.counts)
        wanted = share * (ends[-1] - 1)
        at = int(np.searchsorted(ends, wanted, side="right"))
        among = max(int(self.counts[at]) - 1, 1)
        inside = min((wanted - (ends[at] - self.counts[at])) / among, 1.0)
        return float(self.least[at] + inside * (self.greatest[at] - self.least[at]))


def bins_of(connection: DuckDBPyConnection, table: str, column: str, reach: Reach) -> Bins:
    """How the numbers of a column lie over their reach."""
    name, (low, high) = name_in_sql(column), reach
    step = f"least(floor(({name} - {low!r}) * {FINE / (high - low)!r}), {FINE - 1})::INTEGER"
    found = connection.execute(
        f"SELECT {step} AS step, count(*), min({name}), max({name}) FROM {name_in_sql(table)} "
        f"WHERE {name} IS NOT NULL GROUP BY step"
    ).fetchall()
    counts, least, greatest = np.zeros(FINE, dtype=np.int64), np.zeros(FINE), np.zeros(FINE)
    for at, count, low, high in found:
        counts[at], least[at], greatest[at] = count, low, high
    return Bins(reach, counts, least, greatest)
