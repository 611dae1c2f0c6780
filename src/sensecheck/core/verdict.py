"""A decision that can be shown, stored and made again."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.reading import NUMBERS_DIFFER, Evidence, Reading, Span
from sensecheck.core.serialization import from_data, to_data
from sensecheck.core.unicode import printable

Outcome = Literal["pass", "fail", "unsure", "measured", "error"]
MAX_BRIEF_CHARS = 220
"""Of a failed `assert`, pytest shows 240 characters of a value, and cuts the middle out of longer ones."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome, why, and everything it was decided from. True only when it is a `pass`."""

    check: str
    outcome: Outcome
    because: str
    reading: Reading | None = None
    cutoff: Cutoff | None = None
    fingerprint: str | None = None
    """The encoder that placed the texts; None when none was needed."""
    parts: tuple["Verdict", ...] = ()
    sample: str | None = None
    """The sample's id, when it has one."""

    def __bool__(self) -> bool:
        return self.outcome == "pass"

    def __repr__(self) -> str:
        return f"Verdict({self.in_brief()})"

    def in_brief(self) -> str:
        """One short line: the outcome, the score against the cutoff, and why; `explain` has all of it."""
        decisive = (verdict for verdict in (self, *self.parts) if verdict.outcome == self.outcome)
        scored = next((verdict for verdict in decisive if verdict.reading is not None), self)
        part = "" if scored is self else f", {scored.check}"
        because = self.because.removeprefix(f"{scored.check}: ")
        line = " ".join(f"{self.outcome.upper()} {self.check}{part}{_score(scored)}: {because}".split())
        return printable(line if len(line) <= MAX_BRIEF_CHARS else f"{line[: MAX_BRIEF_CHARS - 1]}…")

    def with_cutoff(self, cutoff: Cutoff | None) -> "Verdict":
        """Decided again under another cutoff, from the reading alone."""
        if self.reading is None:
            raise CannotJudge(f"the verdict of `{self.check}` holds no reading to decide again from")
        return replace(decide(self.check, self.reading, cutoff, self.fingerprint), sample=self.sample)

    def explain(self) -> str:
        """The verdict in words, its parts and evidence below it."""
        return "\n".join(map(printable, _lines(self, "")))

    def to_data(self) -> dict[str, Any]:
        """The verdict as plain data, ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The verdict that `to_data` described."""
        return from_data(cls, data, at="verdict")

    def to_json(self) -> str:
        """The verdict as one line of JSON, the same bytes every time."""
        return json.dumps(self.to_data(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The verdict that `to_json` wrote."""
        try:
            return cls.from_data(json.loads(text))
        except json.JSONDecodeError as broken:
            raise SpecError(f"a verdict needs a line of JSON; {broken}") from broken


def decide(check: str, reading: Reading, cutoff: Cutoff | None, fingerprint: str | None) -> Verdict:
    """Compare a reading with a cutoff; without one it is only `measured`.

    What was read in a language that the measure was not verified for is `unsure`, with that reason, and so is
    what was not read to its end; a `fail` stands where a number or a date differs whatever the language is.
    """
    if cutoff is None:
        return Verdict(check, "measured", reading.because, reading, None, fingerprint)
    try:
        cutoff.require_encoder(fingerprint)
    except CannotJudge as reason:
        return Verdict(check, "error", str(reason), reading, cutoff, fingerprint)
    side, mark = cutoff.side(reading.value), reading.language or reading.cut
    if mark is None:
        return Verdict(check, side, reading.because, reading, cutoff, fingerprint)
    if side == "fail" and mark.kind == NUMBERS_DIFFER:
        return Verdict(check, side, mark.note, reading, cutoff, fingerprint)
    return Verdict(check, "unsure", f"{mark.note}; {reading.because}", reading, cutoff, fingerprint)


def require_check(check: str, verdict: Verdict) -> None:
    """Raise unless the verdict is one of this check: another's readings mean something else."""
    if verdict.check != check:
        raise SpecError(f"the verdict is one of `{verdict.check}`; wanted one of `{check}`")


def could_not_judge(check: str, reason: CannotJudge, *, cutoff: Cutoff | None = None) -> Verdict:
    """The verdict when no judgement can be made: neither pass nor fail."""
    return Verdict(check, "error", str(reason), cutoff=cutoff)


def _score(verdict: Verdict) -> str:
    if verdict.reading is None:
        return ""
    value, cutoff = f" {verdict.reading.value:.4g}", verdict.cutoff
    if cutoff is None:
        return value
    if verdict.outcome == "unsure" and cutoff.doubt is not None:
        return f"{value}, unsure from {cutoff.doubt[0]:g} to {cutoff.doubt[1]:g}"
    return f"{value}, needs {'at least' if cutoff.good == 'above' else 'at most'} {cutoff.value:g}"


def promise_under(verdict: Verdict) -> str:
    """The promise that is about this very verdict, in words; empty where there is none.

    A promise is about the verdicts of one check: not about its parts, nor about what it is a part of.
    """
    if verdict.outcome in ("error", "measured"):
        return ""
    cutoffs = [
        verdict.cutoff,
        *(cutoff for part in verdict.parts for cutoff in _cutoffs_below(part, verdict.check)),
    ]
    certificates = (
        cutoff.certificate for cutoff in cutoffs if cutoff is not None and cutoff.certificate is not None
    )
    return next(
        (certificate.promise for certificate in certificates if certificate.kept_by == verdict.check), ""
    )


def why_no_promise(verdict: Verdict) -> str:
    """Why no promise is about a verdict, for those who look for one."""
    if verdict.outcome in ("error", "measured"):
        return "nothing was decided"
    certificate = verdict.cutoff.certificate if verdict.cutoff is not None else None
    if certificate is None:
        return "the cutoff was picked by hand"
    if certificate.check:
        return f"the cutoff was fitted for the check `{certificate.check.rpartition('#')[0]}`"
    return f"the cutoff was fitted on readings alone, and `{verdict.check}` decides by more than that"


def _cutoffs_below(verdict: Verdict, name: str) -> Iterator[Cutoff | None]:
    """The cutoffs in a part, unless it has the same name, and so its own promise."""
    if verdict.check != name:
        yield verdict.cutoff
        for part in verdict.parts:
            yield from _cutoffs_below(part, name)


def _lines(verdict: Verdict, indent: str) -> list[str]:
    lines = [f"{indent}{verdict.outcome.upper()} {verdict.check}: {verdict.because}"]
    if verdict.reading is not None:
        needs = f", needs {verdict.cutoff.describe()}" if verdict.cutoff else ""
        lines.append(f"{indent}  read {verdict.reading.value:.4f}{needs}")
        if verdict.reading.unread_chars:
            lines.append(f"{indent}  unread characters: {verdict.reading.unread_chars}")
        lines += [f"{indent}  - {_show(item)}" for item in verdict.reading.evidence]
    for part in verdict.parts:
        lines += _lines(part, indent + "  ")
    return lines


def _show(item: Evidence) -> str:
    sides = " ~ ".join(_quote(side) for side in (item.answer, item.source) if side is not None)
    closeness = f" ({item.closeness:.3f})" if item.closeness is not None else ""
    note = f" {item.note}" if item.note else ""
    return f"{item.kind}:{note} {sides}{closeness}".replace("  ", " ").rstrip()


def _quote(span: Span) -> str:
    text = span.text if len(span.text) <= 80 else span.text[:77] + "…"
    return f"{span.where}[{span.start}:{span.end}] “{' '.join(text.split())}”"
