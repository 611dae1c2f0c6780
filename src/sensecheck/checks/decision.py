"""A check with one line open: what it decides of an answer under any line, from one reading of it."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any

from sensecheck.calibration.decision import Decision, digest_of
from sensecheck.calibration.library import PromisedCutoff
from sensecheck.calibration.target import SHORT, Errors
from sensecheck.checks.combine import AllOf, AnyOf
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import CLAIM, Grounded
from sensecheck.checks.introspection import cutoffs_of, described, with_cutoffs
from sensecheck.core.cutoff import Cutoff, GoodSide, Side
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.threshold import Threshold
from sensecheck.core.verdict import Verdict

_BEYOND = 1e12
"""A cutoff that no reading comes near; all of them are on one side of it."""
_SOMEWHERE = Span("", 0, 0, "")


def lax_cutoff(good: GoodSide) -> Cutoff:
    """A cutoff that every reading passes, so that everything behind it is asked too."""
    return Cutoff(-_BEYOND if good == "above" else _BEYOND, good)


@dataclass(frozen=True, slots=True)
class Noted:
    """What a threshold is a cutoff on: the measure, and a lax cutoff with its good side."""

    measure: Measure
    cutoff: Cutoff


@dataclass(slots=True)
class Noting:
    """A threshold that only notes what it is a cutoff on."""

    noted: list[Noted] = field(default_factory=list)

    def cutoff_for(self, measure: Measure, good: GoodSide) -> Cutoff:
        """A cutoff that every reading passes."""
        self.noted.append(Noted(measure, lax_cutoff(good)))
        return self.noted[-1].cutoff


def promised(build: Callable[[Threshold], Check], threshold: Threshold) -> Threshold:
    """A threshold that is looked for by its promise learns which check is to keep it; others stay."""
    if not isinstance(threshold, PromisedCutoff) or threshold.check_digest:
        return threshold
    noting = Noting()
    check = build(noting)
    cutoff = noting.noted[0].cutoff
    digest = digest_of(described(check, cutoff))
    return replace(threshold, check_digest=digest, carries=carried(check, cutoff))


@dataclass(frozen=True)
class OpenCheck:
    """A check of which one line is to be fitted."""

    decision: Decision
    measure: Measure
    good: GoodSide
    probe: Check
    """The check with a cutoff that every reading passes."""
    cutoff: Cutoff
    """That cutoff."""

    @classmethod
    def of(
        cls, probe: Check, line: Cutoff, measure: Measure, *, name: str, use: Mapping[str, Any], key: str
    ) -> "OpenCheck":
        """From the check with its lax cutoff in place."""
        if not any(cutoff is line for cutoff in cutoffs_of(probe)):
            raise SpecError(f"the cutoff of `{name}` is not known; it must stand in a check of our own kinds")
        if "not" in _kinds(described(probe, line)):
            raise SpecError(f"`{name}` is the opposite of a check; calibrate that check itself instead")
        return cls(Decision(name, use, key, described(probe, line)), measure, line.good, probe, line)

    @property
    def reader(self) -> Check:
        """The check that is asked about labelled rows: it reads the measure whatever else decides."""
        if isinstance(self.probe, Gate | Grounded | AllOf | AnyOf):
            return self.probe
        return AllOf((self.probe, Gate(self.measure, self.cutoff)), "read")

    def with_cutoff(self, cutoff: Cutoff) -> Check:
        """The check with this cutoff."""
        return with_cutoffs(self.probe, lambda each: cutoff if each is self.cutoff else each)

    def decided(self, verdict: Verdict) -> "DecidedVerdict":
        """What the reader's verdict on an answer says about any cutoff."""
        whole = verdict if self.reader is self.probe or not verdict.parts else verdict.parts[0]
        return DecidedVerdict(self, _slim(whole))

    def read(self, verdict: Verdict) -> Verdict | None:
        """The part of the reader's verdict that holds the measure's reading."""
        return next((part for part in _all(verdict) if part.cutoff == self.cutoff and part.reading), None)


@dataclass(frozen=True)
class DecidedVerdict:
    """An answer that was read once, and that the check can decide under any cutoff."""

    check: OpenCheck
    verdict: Verdict = field(repr=False)

    @cached_property
    def claims(self) -> int | None:
        """How many claims the answer makes; None for a check that does not count them."""
        if not isinstance(self.check.probe, Grounded):
            return None
        return sum(part.check == CLAIM for part in self.verdict.parts)

    @cached_property
    def passes(self) -> float:
        """The strictest cutoff under which the answer passes."""
        return self._strictest(lambda side: side == "pass")

    @cached_property
    def fails(self) -> float:
        """The strictest cutoff under which the answer does not fail."""
        return self._strictest(lambda side: side != "fail")

    def side(self, cutoff: Cutoff) -> Side:
        """The verdict under this cutoff; what cannot be judged is `unsure`."""
        outcome = self.check.with_cutoff(cutoff).redecide(self.verdict).outcome
        return outcome if outcome in ("pass", "fail") else "unsure"

    def _strictest(self, accepts: Callable[[Side], bool]) -> float:
        """The strictest cutoff with such an outcome; infinite where all cutoffs have it, or none.

        A stricter cutoff never makes an answer better, so that the readings are searched by halving.
        """
        good, up = self.check.good, 1 if self.check.good == "above" else -1
        readings = [part.reading for part in _all(self.verdict) if part.cutoff == self.check.cutoff]
        values = {reading.value for reading in readings if reading is not None}
        thresholds = [-up * inf, *sorted(values, key=lambda value: up * value), up * inf]

        def rejected(threshold: float) -> bool:
            return not accepts(self.side(Cutoff(max(min(threshold, _BEYOND), -_BEYOND), good)))

        last = bisect_left(thresholds, True, key=rejected) - 1
        return thresholds[max(last, 0)]


def carried(check: Check, cutoff: Cutoff) -> frozenset[Errors]:
    """The errors that the check makes no more of than its gate with this very cutoff; none without one.

    Other parts of an `all_of`, and what else is asked of a claim, only let less pass; those of an `any_of`
    only let less fail. What a second opinion is worth depends on the first, and a `not` turns bad into good.
    """
    if isinstance(check, Gate):
        return frozenset(SHORT if check.cutoff is cutoff else ())
    if isinstance(check, Grounded):
        return frozenset(("false_accepts",) if check.words is cutoff and check.reader is None else ())
    if not isinstance(check, AllOf | AnyOf):
        return frozenset()
    errors = frozenset[Errors]().union(*(carried(part, cutoff) for part in check.checks))
    carried_kind: Errors = "false_accepts" if isinstance(check, AllOf) else "false_rejects"
    return errors if len(check.checks) == 1 else errors & {carried_kind}


def _all(verdict: Verdict) -> Iterator[Verdict]:
    yield verdict
    for part in verdict.parts:
        yield from _all(part)


def _slim(verdict: Verdict) -> Verdict:
    """A verdict without its texts: what can be decided again, and nothing that someone wrote."""
    parts = tuple(map(_slim, verdict.parts))
    if verdict.reading is None:
        return replace(verdict, parts=parts)
    marks = tuple(
        Evidence(item.kind, source=None if item.source is None else _SOMEWHERE)
        for item in verdict.reading.evidence
    )
    reading = Reading(verdict.reading.value, "", marks, verdict.reading.unread_chars)
    return replace(verdict, because="", reading=reading, parts=parts)


def _kinds(check: Any) -> set[str]:
    if isinstance(check, Mapping):
        inner = set().union(*map(_kinds, check.values()))
        return inner | ({check["kind"]} if isinstance(check.get("kind"), str) else set())
    return set().union(*map(_kinds, check)) if isinstance(check, list) else set()
