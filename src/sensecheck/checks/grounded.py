"""Whether an answer comes from its passages, claim by claim."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import CannotJudge, SpecError, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict, could_not_judge, decide, require_check
from sensecheck.measures.claims.claims import Claim
from sensecheck.measures.entailment import claim_entailment, claim_pair, evidence_for, read_by_itself
from sensecheck.measures.support.findings import (
    ABSTAINS,
    MENTIONED,
    NO_EVIDENCE,
    PERHAPS_MENTIONED,
    UNCHECKED,
    answer_reading,
    claim_reading,
    injected,
    speaks_of_nothing,
)
from sensecheck.measures.support.groundedness import Groundedness, groundedness
from sensecheck.measures.support.source import PassageSentence
from sensecheck.measures.support.support import DERIVED, MISMATCHES, ClaimSupport, supported
from sensecheck.measures.support.support import Support as Found
from sensecheck.text.languages import reason_why_unread, unverified, with_mark

Support = Literal["supported", "partially_supported", "unsupported", "abstained", "undetermined"]
OUTCOMES: dict[Support, Outcome] = {
    "supported": "pass",
    "partially_supported": "fail",
    "unsupported": "fail",
    "abstained": "unsure",
    "undetermined": "unsure",
}
"""What each answer to `is it supported?` is among the five outcomes."""
_SETTLED = (ABSTAINS, MENTIONED, PERHAPS_MENTIONED, NO_EVIDENCE)
"""The kinds of evidence after which the reader is not asked."""
CLAIM, READER = "claim", "reader"
"""The names of the parts: one a claim, and within it what the cross-encoder said."""
HARDLY = 0.1
"""Below this probability a fact that differs settles it: of such claims in answers that no reader learned
from, nine in ten were wrong."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """Holds every claim against the passages: as a cross-encoder reads the two together, or by its words."""

    words: Cutoff
    """The cutoff on the support that a claim, and the answer, has by its words; by the number of claims."""
    reader: Cutoff | None = None
    """The cutoff on how probable a cross-encoder finds it that a claim is supported; None to go by words.

    With it, words decide only what is certain: what stands there word by word, and what nothing speaks of.
    """
    label: str = ""
    measure: Groundedness = field(default_factory=groundedness)

    def __post_init__(self) -> None:
        if self.words.good != "above":
            raise SpecError("the cutoff on the words' support must be `at_least`; got `at_most`")
        if self.reader is not None and self.reader.good != "above":
            raise SpecError("the cutoff on the reader's probability must be `at_least`; got `at_most`")

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or "grounded"

    def needs(self, sample: Sample, known: Space) -> Needs:
        """The answer and the passages word by word; then the claims that a cross-encoder is to read."""
        try:
            wanted = self.measure.needs(sample)
            if self.reader is None or not known.answers(wanted):
                return wanted
            if unverified(self.measure.english_texts(sample)):
                return wanted
            found = supported(sample, known, self.measure.model)
        except CannotJudge:
            return Needs()
        asked = [one for one in found.claims if self._is_asked(one)]
        apart = read_by_itself(sample) if asked else ()
        wanted |= Needs(texts=(*apart, *(one.claim.stated for one in asked if apart)))
        if not known.answers(wanted):
            return wanted
        return wanted | Needs(pairs=tuple(claim_pair(*_read(sample, one, known)) for one in asked))

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict on the answer, with one part per claim."""
        try:
            mark = space.fingerprint(self.measure.needs(sample))
            self.words.require_encoder(mark)
            texts = self.measure.english_texts(sample)
            found = supported(sample, space, self.measure.model)
            reading = replace(answer_reading(sample, found, space), evidence=injected(sample, found))
            count = len(found.claims)
            if (reason := unverified(texts)) is not None:
                return self._unverified(sample, found, reading, reason, mark)
            parts = tuple(self._claim(sample, one, space, mark, count) for one in found.claims)
        except Unreadable as unread:
            why = reason_why_unread(unread, self.measure.english_texts(sample))
            judged = could_not_judge(self.name, unread, cutoff=self.words)
            return judged if why is None else replace(judged, outcome="unsure", because=why)
        except CannotJudge as broken:
            return could_not_judge(self.name, broken, cutoff=self.words)
        return self._together(self._whole(reading, parts, mark), parts)

    def redecide(self, verdict: Verdict) -> Verdict:
        """The verdict under these cutoffs, from stored readings."""
        require_check(self.name, verdict)
        if verdict.reading is None:
            return verdict
        count = len(verdict.parts)
        parts = tuple(self._again(part, count) for part in verdict.parts)
        if self.reader is None or verdict.reading.language is not None:
            return self._together(verdict.with_cutoff(self.words.for_claims(count)), parts)
        whole = self._whole(verdict.reading, parts, None)
        return self._together(replace(whole, fingerprint=verdict.fingerprint, sample=verdict.sample), parts)

    def _whole(self, reading: Reading, parts: tuple[Verdict, ...], mark: str | None) -> Verdict:
        """The answer under its cutoff: by its words, or by the claim that the reader believes least."""
        if self.reader is None:
            return decide(self.name, reading, self.words.for_claims(len(parts)), mark)
        line = self.reader.for_claims(len(parts))
        least = min(parts, key=_believed, default=None)
        value, because = (0.0, reading.because) if least is None else (_believed(least), least.because)
        asked = (second.fingerprint for part in parts for second in part.parts)
        marks = "+".join(dict.fromkeys(filter(None, (mark, *asked)))) or None
        lowest = replace(reading, value=value, because=because)
        return Verdict(self.name, line.side(value), because, lowest, line, marks)

    def _is_asked(self, found: ClaimSupport) -> bool:
        """Whether the reader has to look: words settle what is verbatim, and what nothing speaks of."""
        if self.reader is None or found.open or found.mention is not None or not found.evidence:
            return False
        return not found.verbatim and not speaks_of_nothing(found)

    def _unverified(
        self, sample: Sample, found: Found, reading: Reading, reason: str, mark: str | None
    ) -> Verdict:
        """The verdict in an untested language: `unsure`, but for numbers and dates that differ."""
        texts = self.measure.english_texts(sample)
        words = self.words.for_claims(len(found.claims))
        read = (with_mark(claim_reading(sample, one), reason, texts) for one in found.claims)
        parts = tuple(_claimed(decide(CLAIM, one, words, mark), None) for one in read)
        return self._together(decide(self.name, with_mark(reading, reason, {}), words, mark), parts)

    def _claim(
        self, sample: Sample, found: ClaimSupport, space: Space, mark: str | None, count: int
    ) -> Verdict:
        first = decide(CLAIM, claim_reading(sample, found), self.words.for_claims(count), mark)
        if self.reader is None or not self._is_asked(found):
            return _claimed(first, None)
        line = self.reader.for_claims(count)
        read = _read(sample, found, space)
        asked = space.fingerprint(Needs(pairs=(claim_pair(*read),)))
        try:
            second = decide(READER, claim_entailment(*read, space), line, asked)
        except CannotJudge as reason:
            second = could_not_judge(READER, reason, cutoff=line)
        return _claimed(first, second)

    def _again(self, part: Verdict, count: int) -> Verdict:
        first = replace(part.with_cutoff(self.words.for_claims(count)), parts=())
        read = first.reading
        settled = read is None or read.language is not None or any(_has(first, kind) for kind in _SETTLED)
        verbatim = read is not None and read.value >= 1 and not part.parts
        if self.reader is None or settled or verbatim:
            return _claimed(first, None)
        if not part.parts:
            reason = "no reader was asked then, and none can be asked now"
            return replace(first, outcome="error", because=reason)
        second = part.parts[0]
        return _claimed(
            first, second if second.reading is None else second.with_cutoff(self.reader.for_claims(count))
        )

    def _together(self, whole: Verdict, parts: tuple[Verdict, ...]) -> Verdict:
        """The answer's verdict from those of its claims; one that fails stands, whatever the others are."""
        if whole.outcome == "error":
            return replace(whole, parts=parts)
        support = support_of(whole, parts)
        for part in parts:
            if part.outcome == "error" and OUTCOMES[support] != "fail":
                return replace(whole, outcome="error", because=part.because, parts=parts)
        return replace(whole, outcome=OUTCOMES[support], because=_because(support, whole, parts), parts=parts)


def _read(
    sample: Sample, found: ClaimSupport, space: Space
) -> tuple[Sample, Claim, Sequence[PassageSentence]]:  # fmt: skip
    """A claim with the sentences that the cross-encoder reads it with."""
    return sample, found.claim, evidence_for(sample, found.claim, found.evidence, space)


def support_of(whole: Verdict, parts: Sequence[Verdict]) -> Support:
    """What the claims together say of the answer.

    Several claims that are each slightly doubtful by their words make the whole doubtful, unless a reader
    was asked.
    """
    states = [claim_support(part) for part in parts]
    if "unsupported" in states:
        return "partially_supported" if "supported" in states else "unsupported"
    if states and all(state == "abstained" for state in states):
        return "abstained"
    known = [state for state in states if state != "abstained"]
    if not known or any(state != "supported" for state in known):
        return "undetermined"
    confirmed = whole.outcome == "pass" or any(part.parts for part in parts)
    return "supported" if confirmed else "undetermined"


def claim_support(part: Verdict) -> Support:
    """What a claim's own verdict says."""
    if _has(part, ABSTAINS):
        return "abstained"
    return {"pass": "supported", "fail": "unsupported"}.get(part.outcome, "undetermined")  # type: ignore[return-value]


def _claimed(first: Verdict, second: Verdict | None) -> Verdict:
    """A claim's verdict: what the reader says where it was asked, and else what the words say."""
    outcome, because = first.outcome, first.because
    if _has(first, ABSTAINS):
        return replace(first, outcome="unsure")
    if first.reading is not None and first.reading.language is not None:
        return first
    if _has(first, NO_EVIDENCE) or _has(first, MENTIONED):
        return replace(first, outcome="fail")
    if _has(first, PERHAPS_MENTIONED):
        return first if outcome == "fail" else replace(first, outcome="unsure")
    if second is not None:
        return _as_read(first, second)
    if (outcome == "pass" and _has(first, UNCHECKED)) or _is_calculated(first):
        outcome = "unsure"
    if outcome == "pass" and _contradicted(first):
        outcome = "unsure"
    return replace(first, outcome=outcome, because=because)


def _believed(part: Verdict) -> float:
    """How probable a claim is: as the reader says where it was asked, and else 0 or 1 as the words say."""
    if part.parts and part.parts[0].reading is not None:
        return part.parts[0].reading.value
    return 0.0 if part.outcome in ("fail", "error") else 1.0


def _as_read(first: Verdict, second: Verdict) -> Verdict:
    """What the reader says; a fact that is said otherwise, or a text that was cut, keeps it from passing.

    Where a fact is said otherwise and the reader hardly believes the claim, the two together fail it.
    """
    outcome, because = second.outcome, second.because
    contradicted, read = _contradicted(first), second.reading
    differs = contradicted or _is_calculated(first)
    if contradicted and outcome == "unsure" and read is not None and read.value < HARDLY:
        outcome = "fail"
    if differs and outcome != "error":
        because = f"{first.because}; {because}"
    if outcome == "pass" and (differs or _is_cut(second)):
        outcome = "unsure"
    return replace(first, outcome=outcome, because=because, parts=(second,))


def _has(verdict: Verdict, kind: str) -> bool:
    return verdict.reading is not None and any(item.kind == kind for item in verdict.reading.evidence)


def _is_calculated(verdict: Verdict) -> bool:
    """Whether a number can be calculated from what the passages say, and nothing else is named as wrong."""
    found = verdict.reading.evidence if verdict.reading is not None else ()
    kinds = {item.kind for item in found}
    return DERIVED in kinds and kinds.isdisjoint(MISMATCHES)


def _is_cut(verdict: Verdict) -> bool:
    """Whether the reader did not read all of the claim and its evidence."""
    return verdict.reading is not None and verdict.reading.unread_chars > 0


def _contradicted(verdict: Verdict) -> bool:
    """Whether a fact of the claim is said otherwise in the passages; what is named as wrong never passes."""
    found = verdict.reading.evidence if verdict.reading is not None else ()
    return any(item.kind in MISMATCHES and item.source is not None for item in found)


def _because(support: Support, whole: Verdict, parts: tuple[Verdict, ...]) -> str:
    said = support.replace("_", " ")
    if support in ("unsupported", "partially_supported"):
        wrong = [part for part in parts if part.outcome == "fail"]
        count = f", {len(wrong)} of {len(parts)} claims" if len(parts) > 1 else ""
        return f"{said}{count}: {wrong[0].because}"
    doubtful = next((part for part in parts if part.outcome == "unsure"), None)
    if support == "undetermined" and doubtful is not None:
        return f"{said}: {doubtful.because}"
    if support == "undetermined" and parts:
        return f"{said}: each claim is supported, but together they are doubtful; {whole.because}"
    return f"{said}: {whole.because}"
