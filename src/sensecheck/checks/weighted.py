"""Several checks, each worth its weight: the outcome of a test, and its score from 0 to 1."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite

from sensecheck.checks.combine import AllOf, Not, together
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict, require_check


@dataclass(frozen=True, slots=True)
class Part:
    """One check among several, and what it is worth."""

    check: Check
    weight: float = 1.0
    """With 0 it is only reported: it can neither fail the test nor move the score."""
    metric: str = ""
    """The name under which its score is summed up over tests."""
    graded: bool = False
    """Whether its reading is its score; else a pass is worth 1 and a fail nothing."""
    wanted: str = ""
    """What it holds the answer against, as people read it; nothing where it needs no more than its name."""

    def __post_init__(self) -> None:
        if not (isfinite(self.weight) and self.weight >= 0):
            raise SpecError(f"`weight` must be 0 or more; got {self.weight}")

    def score(self, verdict: Verdict) -> float | None:
        """What its verdict is worth, from 0 to 1; None when that cannot be told, or may still tip."""
        if verdict.outcome in ("error", "unsure"):
            return None
        grade = _grade(self.check, verdict) if self.graded else None
        if grade is not None:
            return min(max(grade, 0.0), 1.0)
        return {"pass": 1.0, "fail": 0.0}.get(verdict.outcome)


@dataclass(frozen=True, slots=True)
class Scored:
    """Passes when each of its parts does; with a threshold, when their weighed mean reaches it."""

    parts: tuple[Part, ...]
    threshold: float | None = None
    label: str = "test"

    def __post_init__(self) -> None:
        if not any(part.weight > 0 for part in self.parts):
            raise SpecError(f"`{self.label}` must have at least one check that counts; it could never fail")
        if self.threshold is not None and not isfinite(self.threshold):
            raise SpecError(f"`threshold` must be a finite number; got {self.threshold}")

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What all of its parts need."""
        return Needs.union(part.check.needs(sample, known) for part in self.parts)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict of all parts together, with the score as its reading."""
        return self._of(tuple(part.check.decide(sample, space) for part in self.parts))

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        require_check(self.name, verdict)
        if len(verdict.parts) != len(self.parts):
            raise SpecError(
                f"the verdict of `{verdict.check}` has {len(verdict.parts)} parts; wanted {len(self.parts)}"
            )
        again = (part.check.redecide(stored) for part, stored in zip(self.parts, verdict.parts, strict=True))
        return replace(self._of(tuple(again)), sample=verdict.sample)

    def _of(self, verdicts: tuple[Verdict, ...]) -> Verdict:
        counted = tuple(
            verdict for part, verdict in zip(self.parts, verdicts, strict=True) if part.weight > 0
        )
        judged = AllOf.of(self.name, counted)
        if judged.outcome == "error":
            return replace(judged, parts=verdicts)
        low, high = self._bounds(verdicts)
        reading = Reading(float((low + high) / 2), _in_words(float(low), float(high)))
        if self.threshold is None:
            return replace(judged, reading=reading, parts=verdicts)
        threshold = _as_written(self.threshold)
        outcome: Outcome = "pass" if low >= threshold else "fail" if high < threshold else "unsure"
        because = f"{reading.because}; wanted {self.threshold:g} or more"
        deciding = tuple(verdict for verdict in counted if verdict.outcome != "pass")
        whole = together(self.name, outcome, verdicts, deciding=deciding)
        reasons = f": {whole.because}" if outcome != "pass" and deciding else ""
        cutoff = at_least(self.threshold)
        return replace(whole, because=because + reasons, reading=reading, cutoff=cutoff)

    def _bounds(self, verdicts: Sequence[Verdict]) -> tuple[Fraction, Fraction]:
        """The weighed mean if all that is unsure failed, and if it passed; exact, as no float sums up."""
        low = high = total = Fraction(0)
        counted = (pair for pair in zip(self.parts, verdicts, strict=True) if pair[0].weight > 0)
        for part, verdict in counted:
            weight, score = _as_written(part.weight), part.score(verdict)
            total += weight
            low += weight * Fraction(0 if score is None else score)
            high += weight * Fraction(1 if score is None else score)
        return low / total, high / total


def _grade(check: Check, verdict: Verdict) -> float | None:
    """The reading of a verdict; that of an opposite is what the reading of its check lacks of 1."""
    if isinstance(check, Not):
        turned = _grade(check.check, verdict.parts[0])
        return None if turned is None else 1 - turned
    return None if verdict.reading is None else verdict.reading.value


def _as_written(number: float) -> Fraction:
    """The decimal number that someone wrote: 0.1 is a tenth, which no float is."""
    return Fraction(repr(float(number)))


def _in_words(low: float, high: float) -> str:
    return f"the score is {low:.3f}" if low == high else f"the score lies from {low:.3f} to {high:.3f}"
