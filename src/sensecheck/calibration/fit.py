"""Labelled readings in; a card with a promise out, or how many labels it lacks."""

import datetime
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.counting import counts_of, rates_of, scores_of, slices_of
from sensecheck.calibration.labelled import Labelled
from sensecheck.calibration.lines import Values, place_line
from sensecheck.calibration.names import must_name_a_card
from sensecheck.calibration.reliability import reliability_of
from sensecheck.calibration.shortage import NotCertifiable, shortage
from sensecheck.calibration.split import one_each, split
from sensecheck.calibration.target import SHORT, Method, Target
from sensecheck.calibration.wording import promise_of
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.data import encode
from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown


def fit(
    rows: Sequence[Labelled],
    *,
    name: str,
    measure: Mapping[str, Any],
    encoder: str | None,
    good: Literal["above", "below"],
    method: Method,
    targets: Sequence[Target],
    data: DataMark,
    date: str,
    version: str,
    share_held_out: float = 0.3,
    seed: int = 0,
    warnings: Sequence[str] = (),
    licence: str = "",
) -> Card | NotCertifiable:
    """A line that keeps the targets on new answers of the same kind.

    It is fitted on some of the rows, and its error rates are counted on the others alone; with none held out
    there are no rates. Of each group, one good and one bad row count: a promise wants rows that tell
    something new.
    """
    promised = what_to_promise(
        name=name, date=date, method=method, targets=targets, share_held_out=share_held_out
    )
    _must_be_readings(rows)
    lacking = shortage(rows, method=method, targets=promised, share_held_out=share_held_out)
    if lacking is not None:
        return lacking
    to_fit, aside = split(rows, share_held_out=share_held_out, seed=seed)
    fitted, held_out = one_each(to_fit, seed=seed), one_each(aside, seed=seed)
    placed = place_line(*_by_label(fitted), side=good, method=method, targets=promised)
    cutoff = Cutoff(placed.line, good, placed.doubt)
    return Card(
        name=name,
        measure=encode(measure),
        encoder=encoder,
        good=good,
        line=placed.line,
        doubt=placed.doubt,
        method=method,
        targets=promised,
        promise=promise_of(method, promised, grouped=_grouped(rows, data)),
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
        warnings=(*warnings, *_found_wanting(cutoff, fitted)),
        licence=licence,
    )


def what_to_promise(
    *, name: str, date: str, method: Method, targets: Sequence[Target], share_held_out: float
) -> tuple[Target, ...]:
    """The targets as the method promises them; `SpecError` for a fit that cannot be."""
    must_name_a_card(name)
    _must_be_a_day(date)
    _must_be_askable(method, targets)
    if not 0 <= share_held_out < 1:
        raise SpecError(f"`share_held_out` wants a share from 0 to less than 1; found {share_held_out}")
    return tuple(sorted((target.under(method) for target in targets), key=lambda target: target.errors))


def _grouped(rows: Sequence[Labelled], data: DataMark) -> str | None:
    """What the groups are called, where some row is of one."""
    return (data.group or "group") if any(row.group is not None for row in rows) else None


def _by_label(rows: Sequence[Labelled]) -> tuple[Values, Values]:
    """The good readings, and the bad ones."""
    return np.array([row.value for row in rows if row.good]), np.array([r.value for r in rows if not r.good])


def _found_wanting(cutoff: Cutoff, fitted: Sequence[Labelled]) -> list[str]:
    """What a reader should know of a line that keeps its promise and yet is of little use."""
    if not any(row.good and cutoff.side(row.value) == "pass" for row in fitted):
        return ["none of the good answers that the line was fitted on passes it"]
    return []


def _must_be_askable(method: Method, targets: Sequence[Target]) -> None:
    """Raise unless the method can promise these targets."""
    if method not in get_args(Method):
        raise SpecError(unknown("method", method, get_args(Method)))
    if method == "best_f1" and targets:
        raise SpecError("the method `best_f1` promises nothing, and takes no target; leave the targets out")
    if method != "best_f1" and not targets:
        raise SpecError(f"the method `{method}` wants a target such as fpr 0.05; found none")
    kinds = [target.errors for target in targets]
    if len(set(kinds)) < len(kinds):
        raise SpecError(f"one `fpr` and one `fnr` at most; found {', '.join(SHORT[kind] for kind in kinds)}")


def _must_be_readings(rows: Sequence[Labelled]) -> None:
    if not rows:
        raise SpecError("there are no labelled readings to fit a line on")
    for i, row in enumerate(rows):
        if not math.isfinite(row.value):
            raise SpecError(f"`rows[{i}]` wants a finite reading; found {row.value}")


def _must_be_a_day(date: str) -> None:
    try:
        written = datetime.date.fromisoformat(date).isoformat()
    except ValueError:
        written = ""
    if written != date:
        raise SpecError(f"`date` wants a day such as 2026-01-31; found `{date}`")
