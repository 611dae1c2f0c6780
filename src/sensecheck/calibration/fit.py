"""Fits a cutoff on labelled readings: a card with a promise, or how many labels it lacks.

The card also shows how reliable the readings are: whether those that look 80% good are good in 80% of
cases, by a curve fitted on some rows and counted on others.
"""

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Bin, Card, DataMark, validate_card_name
from sensecheck.calibration.counts import counts_of, rates_of, scores_of, shown, slices_of
from sensecheck.calibration.decision import Decision
from sensecheck.calibration.sample_size import NotCertifiable, shortage
from sensecheck.calibration.split import Labelled, one_each, split
from sensecheck.calibration.target import SHORT, Method, Target
from sensecheck.calibration.verdict_cutoffs import CutoffRequest, cutoffs_for
from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import did_you_mean, encode
from sensecheck.stats.binomial import rate

Values = npt.NDArray[np.float64]
_MAX_BINS = 8
_ROWS_PER_BIN = 10
"""Fewer say next to nothing about a share."""


def fit(
    rows: Sequence[Labelled],
    *,
    name: str,
    measure: Mapping[str, Any],
    encoder: str | None,
    good: GoodSide,
    method: Method,
    targets: Sequence[Target],
    data: DataMark,
    date: str,
    version: str,
    share_held_out: float = 0.3,
    seed: int = 0,
    warnings: Sequence[str] = (),
    licence: str = "",
    decides: Decision | None = None,
) -> Card | NotCertifiable:
    """A cutoff that keeps the targets on new answers of the same kind.

    It is fitted on some of the rows, and its error rates are counted on the others alone; with none held out
    there are no rates. Of each group, one good and one bad row count: a promise wants rows that tell
    something new. With `decides`, cutoffs and rates are those of the check's verdicts on the rows.
    """
    promised = what_to_promise(
        name=name, date=date, method=method, targets=targets, share_held_out=share_held_out
    )
    _validate_readings(rows)
    lacking = shortage(rows, method=method, targets=promised, share_held_out=share_held_out)
    if lacking is not None:
        return lacking
    to_fit, aside = split(rows, share_held_out=share_held_out, seed=seed)
    fitted, held_out = one_each(to_fit, seed=seed), one_each(aside, seed=seed)
    check = None if decides is None else decides.name
    result = cutoffs_for(
        to_fit, aside, CutoffRequest(method, promised, good, _grouped(rows, data), check, seed)
    )
    if result.out_of_reach:
        return NotCertifiable({}, {}, {}, share_held_out, _is_grouped(rows), result.out_of_reach)
    cutoff = result.cutoff
    return Card(
        name=name,
        measure=encode(measure),
        encoder=encoder,
        good=good,
        line=cutoff.value,
        doubt=cutoff.doubt,
        method=method,
        targets=promised,
        promise=result.promise,
        rates=rates_of(cutoff, held_out),
        fitted=counts_of(fitted),
        held_out=counts_of(held_out),
        slices=slices_of(cutoff, aside, seed=seed),
        fitted_scores=scores_of(fitted),
        held_out_scores=scores_of(held_out),
        reliability=reliability_of(fitted, held_out),
        data=data,
        share_held_out=float(share_held_out),
        seed=seed,
        date=date,
        version=version,
        warnings=(*warnings, *_shortcomings(cutoff, fitted)),
        licence=licence,
        decides=decides,
        claims=result.claims,
        broken=result.broken,
    )


def what_to_promise(
    *, name: str, date: str, method: Method, targets: Sequence[Target], share_held_out: float
) -> tuple[Target, ...]:
    """The targets as the method promises them; `SpecError` for a fit that cannot be."""
    validate_card_name(name)
    _validate_date(date)
    _validate_targets(method, targets)
    if not 0 <= share_held_out < 1:
        raise SpecError(f"`share_held_out` must be a share from 0 to less than 1; got {share_held_out}")
    return tuple(sorted((target.with_method(method) for target in targets), key=lambda target: target.errors))


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


def _validate_date(date: str) -> None:
    try:
        written = datetime.date.fromisoformat(date).isoformat()
    except ValueError:
        written = ""
    if written != date:
        raise SpecError(f"`date` must be a day such as 2026-01-31; got `{date}`")


def _validate_targets(method: Method, targets: Sequence[Target]) -> None:
    """Raise unless the method can promise these targets."""
    if method not in get_args(Method):
        raise SpecError(did_you_mean("method", method, get_args(Method)))
    if method == "best_f1" and targets:
        raise SpecError("the method `best_f1` promises nothing, and takes no target; leave the targets out")
    if method != "best_f1" and not targets:
        raise SpecError(f"the method `{method}` needs a target such as fpr 0.05; got none")
    kinds = [target.errors for target in targets]
    if len(set(kinds)) < len(kinds):
        raise SpecError(f"one `fpr` and one `fnr` at most; got {', '.join(SHORT[kind] for kind in kinds)}")


def _validate_readings(rows: Sequence[Labelled]) -> None:
    if not rows:
        raise SpecError("there are no labelled readings to fit a cutoff on")
    for i, row in enumerate(rows):
        if not math.isfinite(row.value):
            raise SpecError(f"`rows[{i}]` must be a finite reading; got {row.value}")


def _grouped(rows: Sequence[Labelled], data: DataMark) -> str | None:
    """What the groups are called, where some row is of one."""
    return (data.group or "group") if _is_grouped(rows) else None


def _is_grouped(rows: Sequence[Labelled]) -> bool:
    return any(row.group is not None for row in rows)


def _shortcomings(cutoff: Cutoff, fitted: Sequence[Labelled]) -> list[str]:
    """What a reader should know of a cutoff that keeps its promise and yet is of little use."""
    if not any(row.good and row.side(cutoff) == "pass" for row in fitted):
        return ["none of the good answers that the cutoff was fitted on passes it"]
    return []


def _chances(fitted: Sequence[Labelled], values: Values) -> Values:
    """How likely each reading is a good one, by a logistic curve through the fitted rows."""
    with extra("train"):
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # only fitting needs it
    readings = np.array([row.value for row in fitted])
    middle, scale = readings.mean(), readings.std() or 1.0
    curve = LogisticRegression().fit(((readings - middle) / scale)[:, None], [row.good for row in fitted])
    chances: Values = curve.predict_proba(((values - middle) / scale)[:, None])[:, 1]
    return chances


def _bins(values: Values) -> Iterator[tuple[int, int]]:
    """Where each bin starts and stops; equal readings are in one bin."""
    count = min(max(len(values) // _ROWS_PER_BIN, 1), _MAX_BINS)
    edges = [values[len(values) * i // count] for i in range(count)]
    starts = np.unique(np.searchsorted(values, edges, side="left")).tolist()
    return zip(starts, [*starts[1:], len(values)], strict=True)
