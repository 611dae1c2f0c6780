"""Cutoffs for what a check decides: one for all answers, or one for each number of claims."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sensecheck.calibration.counts import counts_of, rates_of
from sensecheck.calibration.decision import RANGES, ClaimsFit, ClaimsRange, scopes_of, within
from sensecheck.calibration.placement import Values, allowed, place_cutoff, promise_result
from sensecheck.calibration.split import Labelled, one_each
from sensecheck.calibration.target import Method, Target, promise_of
from sensecheck.core.cutoff import ClaimsCutoff, Cutoff, GoodSide, Side

_MARGIN = 1 / 8
"""How far beyond all readings, by their spread, a cutoff may be where any cutoff there would do."""


@dataclass(frozen=True, slots=True)
class CutoffRequest:
    """What cutoffs are to keep, and of which check."""

    method: Method
    targets: tuple[Target, ...]
    good: GoodSide
    grouped: str | None
    check: str | None
    """The name of the check whose verdicts count; None for a reading alone."""
    seed: int

    def promise(self, claims: str | None = None) -> str:
        """What is promised, in words."""
        return promise_of(self.method, self.targets, grouped=self.grouped, check=self.check, claims=claims)


@dataclass(frozen=True, slots=True)
class FittedCutoffs:
    """The cutoffs that were found, and what can be promised for them."""

    cutoff: Cutoff
    promise: str
    claims: tuple[ClaimsFit, ...] = ()
    broken: tuple[str, ...] = ()
    """Which promises the held-out rows contradict."""
    out_of_reach: tuple[str, ...] = ()
    """Why no cutoff keeps any of the promises; empty where one does."""


def cutoffs_for(
    to_fit: Sequence[Labelled], held_out: Sequence[Labelled], asked: CutoffRequest
) -> FittedCutoffs:
    """The cutoffs that keep the targets on the rows to fit on, and whether the held-out rows agree."""
    fitted = one_each(to_fit, seed=asked.seed)
    whole = _placed(fitted, asked)
    if all(row.claims is None for row in to_fit):
        broken = tuple(_broken(one_each(held_out, seed=asked.seed), whole, asked))
        return FittedCutoffs(whole, asked.promise(), (), broken, tuple(_not_kept(fitted, whole, asked)))
    return _by_claims(to_fit, held_out, whole, asked)


def _by_claims(
    to_fit: Sequence[Labelled], held_out: Sequence[Labelled], whole: Cutoff, asked: CutoffRequest
) -> FittedCutoffs:
    """A cutoff for each number of claims that has rows enough."""
    shared = scopes_of(to_fit, method=asked.method, targets=asked.targets, seed=asked.seed)
    scopes = list(dict.fromkeys(shared.values()))
    placed: dict[ClaimsRange, Cutoff] = {}
    missed: dict[ClaimsRange, tuple[str, ...]] = {}
    for scope in scopes:
        rows = within(to_fit, scope, seed=asked.seed)
        placed[scope] = _placed(rows, asked)
        missed[scope] = tuple(_not_kept(rows, placed[scope], asked))
    used = {claims: placed[shared[_nearest(claims, shared)]] for claims in RANGES}
    lines = tuple(ClaimsCutoff(claims.least, used[claims]) for claims in RANGES)
    cutoff = Cutoff(whole.value, whole.good, whole.doubt, by_claims=lines)
    kept_in = [scope for scope in scopes if not missed[scope]]
    if not kept_in:
        return FittedCutoffs(cutoff, "", out_of_reach=missed[scopes[-1]])
    broken = tuple(
        f"{said} for answers of {scope.describe()}"
        for scope in kept_in
        for said in _broken(within(held_out, scope, seed=asked.seed), placed[scope], asked)
    )
    fits = []
    for claims in RANGES:
        mine, aside = (within(rows, claims, seed=asked.seed) for rows in (to_fit, held_out))
        fits.append(
            ClaimsFit(
                claims,
                shared.get(claims, claims),
                used[claims].value,
                used[claims].doubt,
                promised=asked.method != "best_f1" and shared.get(claims) in kept_in,
                promise=_promise(claims, shared.get(claims), missed, asked),
                fitted=counts_of(mine),
                held_out=counts_of(aside),
                rates=rates_of(cutoff, aside),
            )
        )
    promise = _whole_promise(kept_in, [one for one in fits if not one.promised], asked)
    return FittedCutoffs(cutoff, promise, tuple(fits), broken)


def _nearest(claims: ClaimsRange, ranges: Iterable[ClaimsRange]) -> ClaimsRange:
    """The range itself where it has rows, and else the one with rows that is next to it.

    The more claims an answer has, the lower the least of them is: the cutoff of all answers together would
    be too strict for long ones.
    """
    return min(ranges, key=lambda one: abs(RANGES.index(one) - RANGES.index(claims)))


def _placed(rows: Sequence[Labelled], asked: CutoffRequest) -> Cutoff:
    """The cutoff that keeps the targets on these rows, as far as any does."""
    bad = [row.passes for row in rows if not row.good]
    good = [row.passes if asked.method == "best_f1" else row.fails for row in rows if row.good]
    low, high = _ends([*(row.value for row in rows), *bad, *good])
    placed = place_cutoff(
        _within(good, low, high),
        _within(bad, low, high),
        side=asked.good,
        method=asked.method,
        targets=asked.targets,
    )
    return Cutoff(placed.value, asked.good, placed.doubt)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """A little below all numbers, and a little above: where what no cutoff moves is put."""
    finite = [value for value in values if np.isfinite(value)]
    low, high = min(finite), max(finite)
    margin = ((high - low) or max(abs(low), 1.0)) * _MARGIN
    return low - margin, high + margin


def _within(values: Sequence[float], low: float, high: float) -> Values:
    return np.clip(np.array(values, dtype=np.float64), low, high)


def _not_kept(rows: Sequence[Labelled], cutoff: Cutoff, asked: CutoffRequest) -> Iterator[str]:
    """The targets that the cutoff does not keep on the very rows that it was fitted on, and why."""
    if asked.method == "best_f1":
        return
    for target in asked.targets:
        label, wrong = _of(target)
        mine = [row for row in rows if row.good is label]
        errors = sum(row.side(cutoff) == wrong for row in mine)
        most = allowed(asked.method, target, len(mine)) or 0
        if errors > most:
            scores = [row.fails if label else row.passes for row in mine]
            fixed = errors if sum(not np.isfinite(score) for score in scores) > most else 0
            how = "whatever the threshold" if fixed else "under the threshold that comes nearest"
            kind = "good" if label else "bad"
            yield (
                f"no threshold of `{asked.check}` keeps {target.describe()}: {errors} of {len(mine)} {kind} "
                f"answers {wrong} {how}, and at most {most} may"
            )


def _broken(rows: Sequence[Labelled], cutoff: Cutoff, asked: CutoffRequest) -> Iterator[str]:
    """The promises that held-out rows contradict, with the confidence that was stated."""
    for target in asked.targets:
        label, _ = _of(target)
        found = promise_result(target, [row.side(cutoff) for row in rows if row.good is label])
        if found.outcome == "broken":
            yield found.describe()


def _of(target: Target) -> tuple[bool, Side]:
    """The label that a target is about, and the verdict that is wrong for it."""
    return (True, "fail") if target.errors == "false_rejects" else (False, "pass")


def _promise(
    claims: ClaimsRange,
    scope: ClaimsRange | None,
    missed: Mapping[ClaimsRange, Sequence[str]],
    asked: CutoffRequest,
) -> str:
    if asked.method == "best_f1":
        return asked.promise()
    if scope is None:
        labels = " and ".join("good" if _of(target)[0] else "bad" for target in asked.targets)
        none = f"among the rows to fit on there were no {labels} answers of that length"
        return f"nothing is promised for answers of {claims.describe()}: {none}"
    if missed[scope]:
        return f"nothing is promised for answers of {scope.describe()}: {'; '.join(missed[scope])}"
    if scope == claims:
        return asked.promise(scope.describe())
    few = f"there are too few of {claims.describe()} for a promise of their own"
    return f"{asked.promise(scope.describe())}; {few}"


def _whole_promise(kept_in: Sequence[ClaimsRange], without: Sequence[ClaimsFit], asked: CutoffRequest) -> str:
    """What is promised for which answers, and for which nothing is."""
    if asked.method == "best_f1":
        return asked.promise()
    each = ", ".join(scope.describe() for scope in kept_in)
    lost = ", ".join(one.claims.describe() for one in without)
    said = asked.promise(f"{each}{' (each of these by itself)' if len(kept_in) > 1 else ''}")
    return f"{said}; nothing is promised for answers of {lost}" if lost else said
