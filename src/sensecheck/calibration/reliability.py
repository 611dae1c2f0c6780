"""Is a reading that looks 80% good, good in 80% of cases? Fitted on some rows, counted on others."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Bin
from sensecheck.calibration.counting import shown
from sensecheck.calibration.intervals import rate
from sensecheck.calibration.labelled import Labelled
from sensecheck.core.extras import extra

_MOST_BINS = 8
_ROWS_PER_BIN = 10
"""Fewer say next to nothing about a share."""

Values = npt.NDArray[np.float64]


def reliability_of(fitted: Sequence[Labelled], held_out: Sequence[Labelled]) -> tuple[Bin, ...]:
    """Held-out rows in bins of about as many rows, from the lowest readings to the highest."""
    if not held_out:
        return ()
    # The order of the rows must not show, not even in the last digits of a sum.
    rows = sorted(held_out, key=lambda row: (row.value, row.good))
    values = np.array([row.value for row in rows])
    expected = _chances(sorted(fitted, key=lambda row: (row.value, row.good)), values)
    return tuple(
        Bin(
            shown(rows[start].value),
            shown(rows[stop - 1].value),
            shown(float(expected[start:stop].mean())),
            rate(sum(row.good for row in rows[start:stop]), stop - start),
        )
        for start, stop in _bins(values)
    )


def _chances(fitted: Sequence[Labelled], values: Values) -> Values:
    """How likely each reading is a good one, by a logistic curve through the fitted rows."""
    with extra("train"):
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # only fitting needs it
    known = np.array([row.value for row in fitted])
    middle, scale = known.mean(), known.std() or 1.0
    curve = LogisticRegression().fit(((known - middle) / scale)[:, None], [row.good for row in fitted])
    chances: Values = curve.predict_proba(((values - middle) / scale)[:, None])[:, 1]
    return chances


def _bins(values: Values) -> Iterator[tuple[int, int]]:
    """Where each bin starts and stops; equal readings are in one bin."""
    count = min(max(len(values) // _ROWS_PER_BIN, 1), _MOST_BINS)
    wanted = [values[len(values) * i // count] for i in range(count)]
    starts = np.unique(np.searchsorted(values, wanted, side="left")).tolist()
    return zip(starts, [*starts[1:], len(values)], strict=True)
