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
    rows = one_each(to_fit, seed=asked.seed)
    whole = _place(rows, asked)
    if all(row.claims is None for row in to_fit):
        broken = tuple(_contradicted_promises(one_each(held_out, seed=asked.seed), whole, asked))
        return FittedCutoffs(whole, asked.promise(), (), broken, tuple(_unmet_targets(rows, whole, asked)))
    return _by_claims(to_fit, held_out, whole, asked)


def _by_claims(
    to_fit: Sequence[Labelled], held_out: Sequence[Labelled], whole: Cutoff, request: CutoffRequest
) -> FittedCutoffs:
    """A cutoff for each number of claims with rows enough; where none keeps the promise, the next one's."""
    shared = scopes_of(to_fit, method=request.method, targets=request.targets, seed=request.seed)
    scopes = list(dict.fromkeys(shared.values()))
    cutoff_by_scope: dict[ClaimsRange, Cutoff] = {}
    unmet_by_scope: dict[ClaimsRange, tuple[str, ...]] = {}
    for scope in scopes:
        rows = within(to_fit, scope, seed=request.seed)
        cutoff_by_scope[scope] = _place(rows, request)
        unmet_by_scope[scope] = tuple(_unmet_targets(rows, cutoff_by_scope[scope], request))
    promised_scopes = [scope for scope in scopes if not unmet_by_scope[scope]]
    kept = [claims for claims in shared if shared[claims] in promised_scopes] or list(shared)
    cutoff_by_range = {claims: cutoff_by_scope[shared[_nearest(claims, kept)]] for claims in RANGES}
    by_claims = tuple(ClaimsCutoff(claims.least, cutoff_by_range[claims]) for claims in RANGES)
    cutoff = Cutoff(whole.value, whole.good, whole.doubt, by_claims=by_claims)
    if not promised_scopes:
        return FittedCutoffs(cutoff, "", out_of_reach=unmet_by_scope[scopes[-1]])
    broken = tuple(
        f"{contradicted} for answers of {scope.describe()}"
        for scope in promised_scopes
        for contradicted in _contradicted_promises(
            within(held_out, scope, seed=request.seed), cutoff_by_scope[scope], request
        )
    )
    fits = []
    for claims in RANGES:
        rows_to_fit, held_out_rows = (within(rows, claims, seed=request.seed) for rows in (to_fit, held_out))
        fits.append(
            ClaimsFit(
                claims,
                shared.get(claims, claims),
                cutoff_by_range[claims].value,
                cutoff_by_range[claims].doubt,
                promised=request.method != "best_f1" and shared.get(claims) in promised_scopes,
                promise=_promise(claims, shared.get(claims), unmet_by_scope, request),
                fitted=counts_of(rows_to_fit),
                held_out=counts_of(held_out_rows),
                rates=rates_of(cutoff, held_out_rows),
            )
        )
    promise = _whole_promise(promised_scopes, [fit for fit in fits if not fit.promised], request)
    return FittedCutoffs(cutoff, promise, tuple(fits), broken)


def _nearest(claims: ClaimsRange, ranges: Iterable[ClaimsRange]) -> ClaimsRange:
    """The range itself where it is one of these, and else the one that is next to it.

    The more claims an answer has, the lower the least of them is: the cutoff of all answers together would
    be too strict for long ones.
    """
    return min(ranges, key=lambda other: abs(RANGES.index(other) - RANGES.index(claims)))


def _place(rows: Sequence[Labelled], request: CutoffRequest) -> Cutoff:
    """The cutoff that keeps the targets on these rows, as far as any does."""
    bad = [row.passes for row in rows if not row.good]
    good = [row.passes if request.method == "best_f1" else row.fails for row in rows if row.good]
    low, high = _ends([*(row.value for row in rows), *bad, *good])
    placement = place_cutoff(
        _within(good, low, high),
        _within(bad, low, high),
        side=request.good,
        method=request.method,
        targets=request.targets,
    )
    return Cutoff(placement.value, request.good, placement.doubt)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """A little below all numbers, and a little above: infinite values are clipped to these."""
    finite = [value for value in values if np.isfinite(value)]
    low, high = min(finite), max(finite)
    margin = ((high - low) or max(abs(low), 1.0)) * _MARGIN
    return low - margin, high + margin


def _within(values: Sequence[float], low: float, high: float) -> Values:
    return np.clip(np.array(values, dtype=np.float64), low, high)


def _unmet_targets(rows: Sequence[Labelled], cutoff: Cutoff, request: CutoffRequest) -> Iterator[str]:
    """The targets that the cutoff misses on the very rows that it was fitted on, and why."""
    if request.method == "best_f1":
        return
    for target in request.targets:
        label, wrong = _label_and_error(target)
        labelled = [row for row in rows if row.good is label]
        errors = sum(row.side(cutoff) == wrong for row in labelled)
        limit = allowed(request.method, target, len(labelled)) or 0
        if errors > limit:
            scores = [row.fails if label else row.passes for row in labelled]
            fixed = errors if sum(not np.isfinite(score) for score in scores) > limit else 0
            how = "whatever the threshold" if fixed else "under the threshold that comes nearest"
            kind = "good" if label else "bad"
            yield (
                f"no threshold of `{request.check}` keeps {target.describe()}: {errors} of {len(labelled)} "
                f"{kind} answers {wrong} {how}, and at most {limit} may"
            )


def _contradicted_promises(rows: Sequence[Labelled], cutoff: Cutoff, request: CutoffRequest) -> Iterator[str]:
    """The promises that held-out rows contradict, with the confidence that was stated."""
    for target in request.targets:
        label, _ = _label_and_error(target)
        result = promise_result(target, [row.side(cutoff) for row in rows if row.good is label])
        if result.outcome == "broken":
            yield result.describe()


def _label_and_error(target: Target) -> tuple[bool, Side]:
    """The label that a target is about, and the verdict that is wrong for it."""
    return (True, "fail") if target.errors == "false_rejects" else (False, "pass")


def _promise(
    claims: ClaimsRange,
    scope: ClaimsRange | None,
    unmet_by_scope: Mapping[ClaimsRange, Sequence[str]],
    request: CutoffRequest,
) -> str:
    if request.method == "best_f1":
        return request.promise()
    if scope is None:
        labels = " and ".join("good" if _label_and_error(target)[0] else "bad" for target in request.targets)
        none = f"among the rows to fit on there were no {labels} answers of that length"
        return f"nothing is promised for answers of {claims.describe()}: {none}"
    if unmet_by_scope[scope]:
        return f"nothing is promised for answers of {scope.describe()}: {'; '.join(unmet_by_scope[scope])}"
    if scope == claims:
        return request.promise(scope.describe())
    few = f"there are too few of {claims.describe()} for a promise of their own"
    return f"{request.promise(scope.describe())}; {few}"


def _whole_promise(
    promised_scopes: Sequence[ClaimsRange], unpromised: Sequence[ClaimsFit], request: CutoffRequest
) -> str:
    """What is promised for which answers, and for which nothing is."""
    if request.method == "best_f1":
        return request.promise()
    each = ", ".join(scope.describe() for scope in promised_scopes)
    excluded = ", ".join(fit.claims.describe() for fit in unpromised)
    promise = request.promise(f"{each}{' (each of these by itself)' if len(promised_scopes) > 1 else ''}")
    return f"{promise}; nothing is promised for answers of {excluded}" if excluded else promise
