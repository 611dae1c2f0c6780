"""Verdicts as the page of a run wants them: small, and with places that a browser can count to."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.core.reading import Evidence, Span
from sensecheck.core.unicode import Offsets
from sensecheck.core.verdict import Verdict
from sensecheck.evals.result import Score

T = TypeVar("T", bound=Hashable)
_WANTED = ("expected", "wanted")
"""What checks call the text that the answer is held against."""


@dataclass(slots=True)
class Numbered(Generic[T]):
    """Values that are written down once and named by their number ever after."""

    held: dict[T, int] = field(default_factory=dict)

    def number(self, value: T) -> int:
        """The number of a value, in the order of first sight."""
        return self.held.setdefault(value, len(self.held))


@dataclass(frozen=True, slots=True)
class Counted:
    """A text whose places are counted as a browser counts them."""

    text: str
    places: Offsets

    @classmethod
    def of(cls, text: str) -> "Counted":
        """Counts the text once; any number of places can then be told."""
        return cls(text, Offsets.of(text, "utf16"))

    def place(self, span: Span) -> list[int] | None:
        """Where the span stands; None when it is one of another text."""
        if span.end > len(self.text) or self.text[span.start : span.end] != span.text:
            return None
        return list(self.places.encoded([(span.start, span.end)])[0])


@dataclass(frozen=True, slots=True)
class Shown:
    """What the verdicts on one answer are shown with: the texts they are about, and the lines of the run."""

    answer: Counted
    wanted: Counted
    """What the assertion at hand holds the answer against."""
    lines: Numbered[Cutoff]

    @classmethod
    def of(cls, answer: str | None, expected: str, lines: Numbered[Cutoff]) -> "Shown":
        """An assertion that says nothing else holds the answer against the test's expected one."""
        return cls(Counted.of(answer or ""), Counted.of(expected), lines)

    def verdict(self, verdict: Verdict, scores: Sequence[Score] = ()) -> dict[str, Any]:
        """A verdict and all below it; the scores are those of its parts, if these are assertions."""
        reading, cutoff = verdict.reading, verdict.cutoff
        return _without_nothing(
            check=verdict.check,
            outcome=verdict.outcome,
            because=verdict.because,
            value=None if reading is None else reading.value,
            read=reading.because if reading is not None and reading.because != verdict.because else None,
            unread=None if reading is None else reading.unread_chars or None,
            cutoff=None if cutoff is None else self.lines.number(cutoff),
            evidence=None if reading is None else [self._evidence(item) for item in reading.evidence] or None,
            turned=True if is_turned(verdict) else None,
            parts=self._parts(verdict, scores) or None,
        )

    def _parts(self, verdict: Verdict, scores: Sequence[Score]) -> list[dict[str, Any]]:
        if not scores:
            return [self.verdict(part) for part in verdict.parts]
        each = zip(verdict.parts, scores, strict=True)
        return [self._against(score.wanted).verdict(part, score.within) for part, score in each]

    def _against(self, wanted: str) -> "Shown":
        return replace(self, wanted=Counted.of(wanted)) if wanted else self

    def _evidence(self, item: Evidence) -> dict[str, Any]:
        mine = item.answer
        at = None if mine is None or mine.where != "answer" else self.answer.place(mine)
        return _without_nothing(
            kind=item.kind,
            at=at,
            said=None if mine is None or at is not None else mine.text,
            source=None if item.source is None else self._source(item.source),
            closeness=item.closeness,
            note=item.note or None,
        )

    def _source(self, span: Span) -> dict[str, Any]:
        at = self.wanted.place(span) if span.where in _WANTED else None
        return _without_nothing(where=span.where, text=span.text, at=at)


def _without_nothing(**entries: Any) -> dict[str, Any]:
    return {key: item for key, item in entries.items() if item is not None}


def is_turned(verdict: Verdict) -> bool:
    """Whether a verdict is the opposite of its only part: what speaks for the part speaks against it."""
    if len(verdict.parts) != 1:
        return False
    (part,) = verdict.parts
    opposite = {verdict.outcome, part.outcome} == {"pass", "fail"}
    return opposite and verdict.because == f"{part.check}: {part.because}"


def score_data(score: Score) -> dict[str, Any]:
    """What an assertion was worth, and, of a set of them, each of its own."""
    return _without_nothing(
        type=score.type,
        weight=score.weight,
        metric=score.metric,
        wanted=score.wanted or None,
        within=[score_data(one) for one in score.within] or None,
    ) | {"score": score.score}


def plain_reason(verdict: Verdict) -> str:
    """The reason without the names of the checks that it came through, for where there is little room."""
    reason = verdict.because
    for part in verdict.parts:
        reason = reason.replace(f"{part.check}: {part.because}", plain_reason(part), 1)
    return reason


def line_data(cutoff: Cutoff) -> Mapping[str, Any]:
    """A line with all that is known of it; what it says of itself needs no second wording in the page."""
    certificate = cutoff.certificate
    return _without_nothing(
        line=cutoff.line,
        good=cutoff.good,
        doubt=None if cutoff.doubt is None else list(cutoff.doubt),
        words=cutoff.in_words(),
        calibrated=cutoff.calibrated,
        promise=_promise(certificate),
    )


def _promise(certificate: Certificate | None) -> str | None:
    """What is promised and for which verdicts; None for a line that stands in another check."""
    if certificate is None or not certificate.kept_by or not certificate.promise:
        return None
    return f"for the verdicts of `{certificate.kept_by}`: {certificate.promise}"
