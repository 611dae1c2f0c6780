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
from sensecheck.core.verdict import Outcome, Verdict, could_not_judge, decide, must_be_of
from sensecheck.measures.support.findings import (
    ABSTAINS,
    MENTIONED,
    NO_EVIDENCE,
    PERHAPS_MENTIONED,
    UNCHECKED,
    answer_reading,
    claim_reading,
    injected,
)
from sensecheck.measures.support.groundedness import Groundedness, groundedness
from sensecheck.measures.support.signals import DERIVED, MISMATCHES
from sensecheck.measures.support.support import ClaimSupport, supported
from sensecheck.measures.support.support import Support as Found
from sensecheck.measures.support.verified import pair_of, pair_reading
from sensecheck.measures.text.languages import reason_why_unread, unverified, with_mark

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
"""The kinds of evidence after which no second reader is asked."""
CLAIM, VERIFIER = "claim", "verifier"
"""The names of the parts: one a claim, and within it what the cross-encoder said."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """Reads every claim beside the passages; where the words find nothing wrong, a second reader may look."""

    words: Cutoff
    """The line on the support that a claim, and the answer, has by its words; by the number of claims."""
    verifier: Cutoff | None = None
    """The line on the log odds that a cross-encoder gives against a claim; None to ask none."""
    label: str = ""
    measure: Groundedness = field(default_factory=groundedness)

    def __post_init__(self) -> None:
        if self.words.good != "above":
            raise SpecError("the line on the words' support wants `at_least`; found `at_most`")
        if self.verifier is not None and self.verifier.good != "below":
            raise SpecError("the line on the verifier's log odds wants `at_most`; found `at_least`")

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or "grounded"

    def needs(self, sample: Sample, known: Space) -> Needs:
        """The answer and the passages word by word; then the claims that a cross-encoder is to read."""
        try:
            wanted = self.measure.needs(sample)
            if self.verifier is None or not known.answers(wanted):
                return wanted
            if unverified(self.measure.english_texts(sample)):
                return wanted
            found = supported(sample, known, self.measure.model)
        except CannotJudge:
            return Needs()
        words = self.words.for_claims(len(found.claims))
        pairs = tuple(pair_of(sample, one.claim) for one in found.claims if self._is_asked(one, words))
        return wanted | Needs(pairs=pairs)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict on the answer, with one part a claim."""
        try:
            mark = space.fingerprint(self.measure.needs(sample))
            self.words.must_fit(mark)
            texts = self.measure.english_texts(sample)
            found = supported(sample, space, self.measure.model)
            reading = replace(answer_reading(sample, found, space), evidence=injected(sample, found))
            words = self.words.for_claims(len(found.claims))
            if (reason := unverified(texts)) is not None:
                return self._unverified(sample, found, reading, reason, mark)
            parts = tuple(self._claim(sample, one, space, mark, words) for one in found.claims)
        except Unreadable as unread:
            why = reason_why_unread(unread, self.measure.english_texts(sample))
            judged = could_not_judge(self.name, unread, cutoff=self.words)
            return judged if why is None else replace(judged, outcome="unsure", because=why)
        except CannotJudge as broken:
            return could_not_judge(self.name, broken, cutoff=self.words)
        return self._together(decide(self.name, reading, words, mark), parts)

    def again(self, verdict: Verdict) -> Verdict:
        """The verdict under these lines, from stored readings."""
        must_be_of(self.name, verdict)
        if verdict.reading is None:
            return verdict
        words = self.words.for_claims(len(verdict.parts))
        parts = tuple(self._again(part, words) for part in verdict.parts)
        return self._together(verdict.under(words), parts)

    def _is_asked(self, found: ClaimSupport, words: Cutoff) -> bool:
        """Whether the words find nothing wrong with a claim, so that a second reader has to look."""
        if self.verifier is None or found.open or found.mention is not None or not found.evidence:
            return False
        return found.support < 1 and words.side(found.support) != "fail"

    def _unverified(
        self, sample: Sample, found: Found, reading: Reading, reason: str, mark: str | None
    ) -> Verdict:
        """The verdict in a language that nobody tested: `unsure`, but for numbers and dates that differ."""
        texts = self.measure.english_texts(sample)
        words = self.words.for_claims(len(found.claims))
        read = (with_mark(claim_reading(sample, one), reason, texts) for one in found.claims)
        parts = tuple(_claimed(decide(CLAIM, one, words, mark), ()) for one in read)
        return self._together(decide(self.name, with_mark(reading, reason, {}), words, mark), parts)

    def _claim(
        self, sample: Sample, found: ClaimSupport, space: Space, mark: str | None, words: Cutoff
    ) -> Verdict:
        first = decide(CLAIM, claim_reading(sample, found), words, mark)
        if not self._is_asked(found, words):
            return _claimed(first, ())
        asked = space.fingerprint(Needs(pairs=(pair_of(sample, found.claim),)))
        try:
            second = decide(VERIFIER, pair_reading(sample, found.claim, space), self.verifier, asked)
        except CannotJudge as reason:
            second = could_not_judge(VERIFIER, reason, cutoff=self.verifier)
        return _claimed(first, (second,))

    def _again(self, part: Verdict, words: Cutoff) -> Verdict:
        first = replace(part.under(words), parts=())
        marked = first.reading is not None and first.reading.language is not None
        settled = marked or first.outcome == "fail" or any(_has(first, kind) for kind in _SETTLED)
        if self.verifier is None or settled or (first.reading is not None and first.reading.value >= 1):
            return _claimed(first, ())
        if not part.parts:
            reason = "the verifier was not asked then, and cannot be asked now"
            return replace(first, outcome="error", because=reason)
        seconds = (one if one.reading is None else one.under(self.verifier) for one in part.parts)
        return _claimed(first, tuple(seconds))

    def _together(self, whole: Verdict, parts: tuple[Verdict, ...]) -> Verdict:
        """The answer's verdict from those of its claims; one that fails stands, whatever the others are."""
        if whole.outcome == "error":
            return replace(whole, parts=parts)
        support = support_of(whole, parts)
        for part in parts:
            if part.outcome == "error" and OUTCOMES[support] != "fail":
                return replace(whole, outcome="error", because=part.because, parts=parts)
        return replace(whole, outcome=OUTCOMES[support], because=_because(support, whole, parts), parts=parts)


def support_of(whole: Verdict, parts: Sequence[Verdict]) -> Support:
    """What the claims together say of the answer.

    Several claims that are each slightly doubtful make the whole doubtful, unless a second reader was asked.
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


def _claimed(first: Verdict, seconds: tuple[Verdict, ...]) -> Verdict:
    """A claim's verdict: what its words say, unless a second reader knows better."""
    outcome, because = first.outcome, first.because
    if _has(first, ABSTAINS):
        return replace(first, outcome="unsure")
    if first.reading is not None and first.reading.language is not None:
        return first
    if _has(first, NO_EVIDENCE) or _has(first, MENTIONED):
        return replace(first, outcome="fail")
    if _has(first, PERHAPS_MENTIONED):
        return first if outcome == "fail" else replace(first, outcome="unsure")
    if (outcome == "pass" and _has(first, UNCHECKED)) or _is_calculated(first):
        outcome = "unsure"
    for second in seconds:
        if outcome == "unsure" or second.outcome != "pass":
            outcome = second.outcome
            because = second.because if outcome == "pass" else f"{first.because}; {second.because}"
    if outcome == "pass" and (_contradicted(first) or any(map(_is_cut, seconds))):
        outcome = "unsure"
    return replace(first, outcome=outcome, because=because, parts=seconds)


def _has(verdict: Verdict, kind: str) -> bool:
    return verdict.reading is not None and any(item.kind == kind for item in verdict.reading.evidence)


def _is_calculated(verdict: Verdict) -> bool:
    """Whether a number can be calculated from what the passages say, and nothing else is named as wrong."""
    found = verdict.reading.evidence if verdict.reading is not None else ()
    kinds = {item.kind for item in found}
    return DERIVED in kinds and kinds.isdisjoint(MISMATCHES)


def _is_cut(verdict: Verdict) -> bool:
    """Whether a second reader did not read all of the claim and its evidence."""
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
