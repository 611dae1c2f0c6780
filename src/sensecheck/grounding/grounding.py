"""Everything that was found of an answer and its passages: claim by claim, with the evidence."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sensecheck.checks.assess import Case
from sensecheck.checks.grounded import CLAIM, OUTCOMES, Support, claim_support, support_of
from sensecheck.checks.policies import Policy
from sensecheck.checks.questions import ThresholdLike, grounding_check
from sensecheck.checks.second_opinion import opinion_in, seconded
from sensecheck.core.reading import Evidence, Span
from sensecheck.core.sample import Sample
from sensecheck.core.unicode import Encoding, Offsets
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.measures.claims.claims import claims
from sensecheck.measures.claims.non_claims import NonClaim

if TYPE_CHECKING:
    from sensecheck.calibration.library import CardLibrary

_PLACES = ("nearest",)
"""The kinds of evidence that show where the passages come nearest, rather than what does not fit."""

JudgeEach = Callable[[Iterable[Case]], Iterator[Verdict]]
"""What gives the verdicts on cases, in their order."""


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """One claim: whether it is supported, where, and what does not fit."""

    span: Span
    support: Support
    because: str
    value: float | None
    """How far its words are supported, from 1 down to 0; or how probable it is to the reader that decided."""
    evidence: tuple[Span, ...]
    """The sentences of the passages that come nearest to it, the best first."""
    reasons: tuple[Evidence, ...]
    """What does not fit, each with the nearest thing in the source; and `abstention`, `unchecked`."""


@dataclass(frozen=True, slots=True)
class FoundNonClaim:
    """A part of the answer that claims nothing, and what it is."""

    span: Span
    kind: NonClaim
    """`heading`, `frame`, `offer`, `citation`, `chat` or `abstention`."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """The answer to `does this come from the passages?`. True only when it is supported."""

    sample: Sample
    verdict: Verdict
    policy: Policy
    support: Support
    claims: tuple[FoundClaim, ...]
    non_claims: tuple[FoundNonClaim, ...]
    """What claims nothing, in order; citations also where they stand within a claim, which they do not touch.

    An abstention that the passages do not speak against is here and, as it was checked, among the claims.
    """
    injections: tuple[Span, ...]
    """Where the passages speak to the model."""
    second_opinion: Verdict | None = None
    """What a judge said of an answer that had stayed unsure; None where none was asked."""

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def __repr__(self) -> str:
        return f"Grounding({self.verdict.in_brief()})"

    @property
    def outcome(self) -> Outcome:
        """One of the five outcomes."""
        return self.verdict.outcome

    @property
    def because(self) -> str:
        """Why, in words."""
        return self.verdict.because

    @property
    def accepted(self) -> bool:
        """Whether the answer may be shown under the policy, which says what becomes of what stays open."""
        return self.policy.accepts(self.outcome)

    @property
    def unread_chars(self) -> int:
        """Characters that the encoder, or the reader, did not read."""
        seconds = [second for part in self.verdict.parts for second in part.parts]
        return sum(one.reading.unread_chars for one in (self.verdict, *seconds) if one.reading is not None)

    @property
    def verifier(self) -> str | None:
        """The fingerprint of the reader, if one was asked."""
        seconds = (second for part in self.verdict.parts for second in part.parts)
        return next((second.fingerprint for second in seconds if second.fingerprint), None)

    def explain(self) -> str:
        """The whole of it in words."""
        return self.verdict.explain()

    def text_of(self, where: str) -> str:
        """The text that a span names: `answer`, or `passages[0]` and so on."""
        if where == "answer":
            return self.sample.answer
        return self.sample.passages[int(where.removeprefix("passages[").removesuffix("]"))]

    def places(self, offsets: Encoding = "code_points") -> "Places":
        """Where spans are, counted as the reader counts."""
        return Places(self, offsets)

    def to_data(self, offsets: Encoding = "code_points") -> dict[str, Any]:
        """All of it as plain data, with the offsets that the reader counts in."""
        place = self.places(offsets).data
        reading, cutoff = self.verdict.reading, self.verdict.cutoff
        return {
            "sample": self.verdict.sample,
            "support": self.support,
            "outcome": self.outcome,
            "accepted": self.accepted,
            "because": self.because,
            "policy": self.policy.mark,
            "fail_mode": self.policy.fail_mode,
            "offsets": offsets,
            "value": None if reading is None else reading.value,
            "unread_chars": self.unread_chars,
            "cutoff": None if cutoff is None else cutoff.to_data(),
            "fingerprint": self.verdict.fingerprint,
            "verifier": self.verifier,
            "claims": [_claim_data(claim, place) for claim in self.claims],
            "non_claims": [{**place(one.span), "kind": one.kind} for one in self.non_claims],
            "injections": [place(span) for span in self.injections],
            **_opinion_data(self.second_opinion),
        }

    def to_json(self, offsets: Encoding = "code_points") -> str:
        """All of it as one line of JSON, the same bytes every time.

        `Verdict.from_json` reads `grounding.verdict.to_json()`, and not this.
        """
        return json.dumps(self.to_data(offsets), ensure_ascii=False, allow_nan=False)


def ground_each(
    samples: Iterable[Sample],
    policy: Policy,
    judge_each: JudgeEach,
    *,
    library: "CardLibrary | None" = None,
    threshold: ThresholdLike | None = None,
    second_opinion: bool = False,
) -> Iterator[Grounding]:
    """What is found of each sample, in order; the samples are read as they are judged.

    With a second opinion, the judge is asked about answers that stay unsure.
    """
    check = grounding_check(policy, library, threshold)
    if second_opinion:
        check = seconded(check)
    waiting: deque[Sample] = deque()

    def cases() -> Iterator[Case]:
        for sample in samples:
            waiting.append(sample)
            yield sample, check

    verdicts = judge_each(cases())
    return (grounding_of(waiting.popleft(), verdict, policy) for verdict in verdicts)


def grounding_of(sample: Sample, verdict: Verdict, policy: Policy) -> Grounding:
    """A verdict, laid out for those who show it; where a judge decided, the claims are still the check's."""
    opinion = opinion_in(verdict)
    if opinion is not None:
        verdict = replace(
            verdict.parts[0],
            outcome=verdict.outcome,
            because=verdict.because,
            cutoff=None,  # a cutoff promises nothing of what a judge decided
            sample=verdict.sample,
        )
    parts = [part for part in verdict.parts if part.check == CLAIM]
    found_claims = tuple(_claim(part) for part in parts)
    return Grounding(
        sample,
        verdict,
        policy,
        _support(verdict, parts if opinion is None else []),
        found_claims,
        tuple(sorted(_non_claims(sample.answer, found_claims), key=lambda non_claim: non_claim.span.start)),
        tuple(
            item.source
            for item in (verdict.reading.evidence if verdict.reading else ())
            if item.kind == "injection_in_source" and item.source is not None
        ),
        opinion,
    )


class Places:
    """Spans of one grounding in an encoding; each text is counted once."""

    def __init__(self, grounding: Grounding, offsets: Encoding) -> None:
        self._grounding = grounding
        self._offsets = offsets
        self._counted: dict[str, Offsets] = {}

    def of(self, span: Span) -> tuple[int, int]:
        """Where a span starts and ends."""
        if span.where not in self._counted:
            self._counted[span.where] = Offsets.of(self._grounding.text_of(span.where), self._offsets)
        return self._counted[span.where].encoded([(span.start, span.end)])[0]

    def data(self, span: Span) -> dict[str, Any]:
        """A span as plain data."""
        start, end = self.of(span)
        return {"where": span.where, "start": start, "end": end, "text": span.text}

    def written(self, span: Span) -> str:
        """A span's place as people read it: `passages[0][37:49]`."""
        start, end = self.of(span)
        return f"{span.where}[{start}:{end}]"


def _opinion_data(opinion: Verdict | None) -> dict[str, Any]:
    if opinion is None:
        return {}
    opinion_data = {"outcome": opinion.outcome, "because": opinion.because, "judge": opinion.fingerprint}
    return {"second_opinion": opinion_data}


def _claim_data(claim: FoundClaim, place: Callable[[Span], dict[str, Any]]) -> dict[str, Any]:
    return {
        **place(claim.span),
        "support": claim.support,
        "because": claim.because,
        "value": claim.value,
        "evidence": [place(span) for span in claim.evidence],
        "reasons": [_reason_data(item, place) for item in claim.reasons],
    }


def _reason_data(item: Evidence, place: Callable[[Span], dict[str, Any]]) -> dict[str, Any]:
    sides = {"answer": item.answer, "source": item.source}
    placed = {name: place(span) for name, span in sides.items() if span is not None}
    near = {} if item.closeness is None else {"closeness": item.closeness}
    return {"kind": item.kind, "note": item.note.rstrip(":"), **placed, **near}


def _support(verdict: Verdict, parts: list[Verdict]) -> Support:
    """What the claims say; a rule that knows no claims says it by its outcome."""
    if parts and verdict.outcome != "error":
        support = support_of(verdict, parts)
        return support if OUTCOMES[support] == verdict.outcome else "undetermined"
    return {"pass": "supported", "fail": "unsupported"}.get(verdict.outcome, "undetermined")  # type: ignore[return-value]


def _claim(part: Verdict) -> FoundClaim:
    reading = part.reading
    items = [*(reading.evidence if reading else ()), *_seconds(part)]
    return FoundClaim(
        _whole(items),
        claim_support(part),
        part.because,
        _value(part),
        tuple(item.source for item in items if item.kind in _PLACES and item.source is not None),
        tuple(item for item in items if item.kind not in _PLACES),
    )


def _whole(items: list[Evidence]) -> Span:
    """The claim itself: the first thing that its evidence speaks of."""
    return next(item.answer for item in items if item.answer is not None)


def _value(part: Verdict) -> float | None:
    """How probable a claim is to a reader that decided it; else how far its words are supported."""
    readings = [verdict.reading for verdict in (*part.parts, part) if verdict.reading is not None]
    return readings[0].value if readings else None


def _seconds(part: Verdict) -> Iterator[Evidence]:
    for second in part.parts:
        if second.reading is not None and second.outcome == "fail":
            yield from second.reading.evidence


def _non_claims(answer: str, found_claims: Sequence[FoundClaim]) -> Iterator[FoundNonClaim]:
    for piece in claims(answer):
        if piece.non_claim is not None:
            yield FoundNonClaim(Span.of("answer", answer, piece.start, piece.end), piece.non_claim)
        for aside in piece.asides:
            yield FoundNonClaim(Span.of("answer", answer, aside.start, aside.end), aside.kind)
    for claim in found_claims:
        if claim.support == "abstained":
            yield FoundNonClaim(claim.span, "abstention")
