"""Checks that come out the same whatever the answer is."""

from collections.abc import Mapping
from math import inf

from sensecheck.checks.combine import AllOf, AnyOf, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.weighted import Scored
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.wording.text import Pattern, StartsWith

_SHARE, _CLOSENESS, _AMOUNT = (0.0, 1.0), (-1.0, 1.0), (0.0, inf)
_RANGES: Mapping[str, tuple[float, float]] = {
    "similarity": _CLOSENESS,
    "passage_similarity": _CLOSENESS,
    "nearest_exemplar": _CLOSENESS,
    "cluster_margin": (-2.0, 2.0),
    "keyword_overlap": _SHARE,
    "fact_agreement": _SHARE,
    "repetition": _SHARE,
    "circling": _SHARE,
    "judged": _SHARE,
    "head": _SHARE,
    "contains": _SHARE,
    "rouge_n": _SHARE,
    "bleu": _SHARE,
    "levenshtein": _AMOUNT,
    "latency": _AMOUNT,
    "cost": _AMOUNT,
}
"""Between which numbers a measure reads, by its name."""
_ABSURD = ("", "q", "\n", "0 x!", "Ö\tß 日本", "word " * 40)
"""What a rule on the words must not accept altogether, if it is to mean something."""


def never_fails(check: Check) -> bool:
    """Whether it passes, whatever the answer is."""
    return _certain(check, passes=True)


def never_passes(check: Check) -> bool:
    """Whether it fails, whatever the answer is."""
    return _certain(check, passes=False)


def _certain(check: Check, *, passes: bool) -> bool:
    if isinstance(check, Against):
        return _certain(check.check, passes=passes)
    if isinstance(check, Not):
        return _certain(check.check, passes=not passes)
    if isinstance(check, AllOf | AnyOf):
        every = isinstance(check, AllOf) == passes
        return (all if every else any)(_certain(part, passes=passes) for part in check.checks)
    if isinstance(check, Scored):
        return _scored(check, passes=passes)
    return isinstance(check, Gate) and _gate(check, passes=passes)


def _scored(check: Scored, *, passes: bool) -> bool:
    if check.threshold is not None:
        return check.threshold <= 0 if passes else check.threshold > 1
    counted = (part.check for part in check.parts if part.weight > 0)
    return (all if passes else any)(_certain(part, passes=passes) for part in counted)


def _gate(gate: Gate, *, passes: bool) -> bool:
    if gate.cutoff is None:
        return False
    side = "pass" if passes else "fail"
    return all(gate.cutoff.side(value) == side for value in _range(gate.measure))


def _range(measure: Measure) -> tuple[float, float]:
    if isinstance(measure, Pattern | StartsWith):
        read = [measure.read(Sample(answer), Space()).value for answer in _ABSURD]
        return min(read), 1.0
    return _RANGES.get(measure.name, (-inf, inf))
