"""The verdict that a judge's text states."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.verdicts.objects import in_objects
from sensecheck.measures.verdicts.plaintext import (
    Conflict,
    Finding,
    Plain,
    Stated,
    plain,
    settled,
    without,
    without_thoughts,
)
from sensecheck.measures.verdicts.prose import alone, in_labels, in_markers, in_ratings
from sensecheck.measures.verdicts.scores import Scale

_SHORT = 10_000
"""Characters of a text that is worth remembering."""


@dataclass(frozen=True, slots=True)
class StatedVerdict:
    """The verdict that the answer states, from 0 (fail) to 1 (pass); 0.5 when it is none or undecided."""

    scale: tuple[float, float] = (1.0, 5.0)
    """The lowest and the highest score, for scores that do not name their highest."""

    def __post_init__(self) -> None:
        low, high = self.scale
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise SpecError(f"`scale` must be the lowest score and a higher one; got {low} and {high}")

    @property
    def name(self) -> str:
        """What people call it."""
        return "stated_verdict"

    def needs(self, sample: Sample) -> Needs:
        """Nothing: it only reads the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The verdict, with the place where it is stated as evidence."""
        verdict = _stated_in(sample.answer, self.scale)
        if verdict is None:
            return self._no_verdict(sample.answer)
        if isinstance(verdict, Conflict):
            first, second = (_evidence(sample.answer, stated) for stated in (verdict.one, verdict.other))
            because = f"two verdicts are stated that disagree: {_quoted(first)} and {_quoted(second)}"
            return Reading(0.5, because, (first, second))
        evidence = _evidence(sample.answer, verdict)
        what = "neither pass nor fail is stated" if verdict.value == 0.5 else "the verdict is stated"
        return Reading(verdict.value, f"{what}: {_quoted(evidence)}", (evidence,))

    def _no_verdict(self, answer: str) -> Reading:
        """No verdict, and whether a score off the scale is the reason."""
        off_scale = verdict_in(answer, (0.0, 1e6)) if any(map(str.isdigit, answer)) else None
        if off_scale is None:
            return Reading(0.5, "no verdict is stated")
        evidence = _evidence(answer, off_scale)
        low, high = self.scale
        because = f"the score stated is not on the scale from {low:g} to {high:g}: {_quoted(evidence)}"
        return Reading(0.5, because, (evidence,))


def verdict_in(text: str, scale: Scale = (1.0, 5.0)) -> Stated | None:
    """The verdict that a text states; None when it states none, or two that disagree."""
    verdict = _stated_in(text, scale)
    return None if isinstance(verdict, Conflict) else verdict


def _stated_in(text: str, scale: Scale) -> Stated | Conflict | None:
    """What a text states; a cascade asks again and again, so that short texts are cached."""
    return _remembered(text, scale) if len(text) <= _SHORT else _uncached_verdict(text, scale)


def _uncached_verdict(text: str, scale: Scale) -> Stated | Conflict | None:
    """What the most trusted way of stating a verdict says, if nothing contradicts it."""
    source = plain(text)
    finding = _first_settled(_by_trust(without_thoughts(source.text), scale))
    if isinstance(finding, Conflict):
        return Conflict(_placed(finding.one, source), _placed(finding.other, source))
    return _placed(finding.stated, source) if finding else None


_remembered = lru_cache(maxsize=2048)(_uncached_verdict)


def _first_settled(ways: Iterator[list[Finding]]) -> Finding | Conflict | None:
    """What the first way says that does not contradict itself, unless a mark or a label after it does."""
    conflict: Conflict | None = None
    for findings in ways:
        finding = settled(findings)
        if isinstance(finding, Finding):
            after = (other for way in ways for other in way if other.stated.how != "alone")
            other = next((other for other in after if other.contradicts(finding)), None)
            return Conflict(finding.stated, other.stated) if other else finding
        conflict = conflict or finding
    return conflict


def _by_trust(text: str, scale: Scale) -> Iterator[list[Finding]]:
    """Objects, then marks, then labels, then what stands alone; what an object holds is looked at once."""
    findings, objects = in_objects(text, scale)
    yield findings
    rest = without(text, ((span.start, span.end) for span in objects))
    yield in_markers(rest, scale)
    yield [*in_labels(rest, scale), *in_ratings(rest, scale)]
    yield alone(rest, scale)


def _placed(stated: Stated, source: Plain) -> Stated:
    start, end = source.source(stated.start, stated.end)
    return replace(stated, start=start, end=end)


def _evidence(answer: str, stated: Stated) -> Evidence:
    return Evidence("stated", Span.of("answer", answer, stated.start, stated.end), note=stated.how)


def _quoted(evidence: Evidence) -> str:
    span = evidence.answer
    return f"{span.text} at [{span.start}:{span.end}]" if span else ""
