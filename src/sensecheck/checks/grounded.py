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
from sensecheck.measures.entailment import claim_entailment
from sensecheck.measures.pairs import claim_pair, evidence_for, read_by_itself
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
from sensecheck.measures.support.source import PassageSentence, plain
from sensecheck.measures.support.support import DERIVED, MISMATCHES, ClaimSupport, supported
from sensecheck.measures.support.support import Support as AnswerSupport
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
"""The kinds of evidence that settle a claim without the reader."""
_AMOUNTS = ("number_mismatch", "unit_mismatch", "date_mismatch")
_EXCHANGED = "role_swap"
"""Roles or amounts that have changed places: where the reader is in doubt, the claim is wrong."""
_SAID_OTHERWISE = frozenset({"negation_mismatch", "opposite_mismatch", "quantifier_mismatch"})
"""Differences that may be of words alone."""
CLAIM, READER = "claim", "reader"
"""The names of the parts: one a claim, and within it what the cross-encoder said."""
HARDLY = 0.1
"""Below this probability a fact that differs settles it: of such claims in answers that no reader learned
from, nine in ten were wrong."""
SURE = 0.8
"""From this probability on words that are said otherwise do not keep a claim from passing: of 106 such claims
101 were right."""


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
            needs = self.measure.needs(sample)
            if self.reader is None or not known.answers(needs):
                return needs
            if unverified(self.measure.english_texts(sample)):
                return needs
            support = supported(sample, known, self.measure.model)
        except CannotJudge:
            return Needs()
        to_read = [finding for finding in support.claims if self._needs_reader(finding)]
        apart = read_by_itself(sample) if to_read else ()
        needs |= Needs(texts=(*apart, *(finding.claim.stated for finding in to_read if apart)))
        if not known.answers(needs):
            return needs
        return needs | Needs(
            pairs=tuple(claim_pair(*_reader_input(sample, finding, known)) for finding in to_read)
        )

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """The verdict on the answer, with one part per claim."""
        try:
            _require_texts(sample)
            mark = space.fingerprint(self.measure.needs(sample))
            self.words.require_encoder(mark)
            texts = self.measure.english_texts(sample)
            support = supported(sample, space, self.measure.model)
            reading = replace(answer_reading(sample, support, space), evidence=injected(sample, support))
            count = len(support.claims)
            if (reason := unverified(texts)) is not None:
                return self._unverified(sample, support, reading, reason, mark)
            parts = tuple(self._claim(sample, finding, space, mark, count) for finding in support.claims)
        except Unreadable as error:
            why = reason_why_unread(error, self.measure.english_texts(sample))
            judged = could_not_judge(self.name, error, cutoff=self.words)
            return judged if why is None else replace(judged, outcome="unsure", because=why)
        except CannotJudge as error:
            return could_not_judge(self.name, error, cutoff=self.words)
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
        cutoff = self.reader.for_claims(len(parts))
        weakest = min(parts, key=_believed, default=None)
        value, because = (0.0, reading.because) if weakest is None else (_believed(weakest), weakest.because)
        reader_marks = (by_reader.fingerprint for part in parts for by_reader in part.parts)
        marks = "+".join(dict.fromkeys(filter(None, (mark, *reader_marks)))) or None
        lowest = replace(reading, value=value, because=because)
        is_certain = weakest is not None and not weakest.parts and weakest.outcome == "pass"
        outcome = "pass" if is_certain else cutoff.side(value)  # some cutoffs are higher than any reading
        return Verdict(self.name, outcome, because, lowest, cutoff, marks)

    def _needs_reader(self, finding: ClaimSupport) -> bool:
        """Whether the reader has to look: words settle what is verbatim, and what nothing speaks of."""
        if self.reader is None or finding.open or finding.mention is not None or not finding.evidence:
            return False
        return not finding.verbatim and not speaks_of_nothing(finding)

    def _unverified(
        self, sample: Sample, support: AnswerSupport, reading: Reading, reason: str, mark: str | None
    ) -> Verdict:
        """The verdict in an untested language: `unsure`, but for numbers and dates that differ."""
        texts = self.measure.english_texts(sample)
        cutoff = self.words.for_claims(len(support.claims))
        readings = (with_mark(claim_reading(sample, finding), reason, texts) for finding in support.claims)
        parts = tuple(_claimed(decide(CLAIM, each, cutoff, mark), None) for each in readings)
        return self._together(decide(self.name, with_mark(reading, reason, {}), cutoff, mark), parts)

    def _claim(
        self, sample: Sample, finding: ClaimSupport, space: Space, mark: str | None, count: int
    ) -> Verdict:
        by_words = decide(CLAIM, claim_reading(sample, finding), self.words.for_claims(count), mark)
        if self.reader is None or not self._needs_reader(finding):
            return _claimed(by_words, None)
        cutoff = self.reader.for_claims(count)
        reader_input = _reader_input(sample, finding, space)
        fingerprint = space.fingerprint(Needs(pairs=(claim_pair(*reader_input),)))
        try:
            by_reader = decide(READER, claim_entailment(*reader_input, space), cutoff, fingerprint)
        except CannotJudge as reason:
            by_reader = could_not_judge(READER, reason, cutoff=cutoff)
        return _claimed(by_words, by_reader)

    def _again(self, part: Verdict, count: int) -> Verdict:
        by_words = replace(part.with_cutoff(self.words.for_claims(count)), parts=())
        reading = by_words.reading
        settled = (
            reading is None or reading.language is not None or any(_has(by_words, kind) for kind in _SETTLED)
        )
        verbatim = reading is not None and reading.value >= 1 and not part.parts
        if self.reader is None or settled or verbatim:
            return _claimed(by_words, None)
        if not part.parts:
            reason = "no reader was asked then, and none can be asked now"
            return replace(by_words, outcome="error", because=reason)
        by_reader = part.parts[0]
        return _claimed(
            by_words,
            by_reader if by_reader.reading is None else by_reader.with_cutoff(self.reader.for_claims(count)),
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


def _require_texts(sample: Sample) -> None:
    """Raise where there is nothing to judge, or nothing to judge it by."""
    if not sample.answer.strip():
        raise CannotJudge("the answer is empty")
    if sample.passages and not any(passage.strip() for passage in sample.passages):
        raise CannotJudge("the passage is empty" if len(sample.passages) == 1 else "all passages are empty")


def _reader_input(
    sample: Sample, finding: ClaimSupport, space: Space
) -> tuple[Sample, Claim, Sequence[PassageSentence]]:  # fmt: skip
    """A claim with the sentences that the cross-encoder reads next to it."""
    return sample, finding.claim, evidence_for(sample, finding.claim, finding.evidence, space)


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
    judged = [state for state in states if state != "abstained"]
    if not judged or any(state != "supported" for state in judged):
        return "undetermined"
    confirmed = whole.outcome == "pass" or any(part.parts for part in parts)
    return "supported" if confirmed else "undetermined"


def claim_support(part: Verdict) -> Support:
    """What a claim's own verdict says."""
    if _has(part, ABSTAINS):
        return "abstained"
    return {"pass": "supported", "fail": "unsupported"}.get(part.outcome, "undetermined")  # type: ignore[return-value]


def _claimed(by_words: Verdict, by_reader: Verdict | None) -> Verdict:
    """A claim's verdict: what the reader says where it was asked, and else what the words say."""
    outcome, because = by_words.outcome, by_words.because
    if _has(by_words, ABSTAINS):
        return replace(by_words, outcome="unsure")
    if by_words.reading is not None and by_words.reading.language is not None:
        return by_words
    if _has(by_words, NO_EVIDENCE) or _has(by_words, MENTIONED):
        return replace(by_words, outcome="fail")
    if _has(by_words, PERHAPS_MENTIONED):
        return by_words if outcome == "fail" else replace(by_words, outcome="unsure")
    if by_reader is not None:
        return _as_read(by_words, by_reader)
    if (outcome == "pass" and _has(by_words, UNCHECKED)) or _is_calculated(by_words):
        outcome = "unsure"
    if outcome == "pass" and _contradictions(by_words):
        outcome = "unsure"
    return replace(by_words, outcome=outcome, because=because)


def _believed(part: Verdict) -> float:
    """How probable a claim is: as the reader says where it was asked, and else 0 or 1 as the words say."""
    if part.parts and part.parts[0].reading is not None:
        return part.parts[0].reading.value
    return 0.0 if part.outcome in ("fail", "error") else 1.0


def _as_read(by_words: Verdict, by_reader: Verdict) -> Verdict:
    """What the reader says; a fact that is said otherwise, or a text that was cut, keeps it from passing.

    Where a fact is said otherwise and the reader hardly believes the claim, the two together fail it; so does
    the fact where the reader is in doubt and it is all that the claim changes in a sentence, and so does what
    has changed places. A number that is calculated is left to the reader.
    """
    outcome, because = by_reader.outcome, by_reader.because
    contradictions, reading = _contradictions(by_words), by_reader.reading
    if contradictions and outcome == "unsure" and reading is not None:
        settled = _EXCHANGED in contradictions or _is_copy_with_another_amount(by_words)
        outcome = "fail" if settled or reading.value < HARDLY else "unsure"
    if outcome == "pass" and reading is not None:
        overruled = contradictions <= _SAID_OTHERWISE and reading.value >= SURE
        outcome = "unsure" if (contradictions and not overruled) or _is_cut(by_reader) else "pass"
    if (contradictions or _is_calculated(by_words)) and outcome not in ("error", "pass"):
        because = f"{by_words.because}; {because}"
    return replace(by_words, outcome=outcome, because=because, parts=(by_reader,))


def _has(verdict: Verdict, kind: str) -> bool:
    return verdict.reading is not None and any(item.kind == kind for item in verdict.reading.evidence)


def _is_calculated(verdict: Verdict) -> bool:
    """Whether a number can be calculated from what the passages say, and nothing else is named as wrong."""
    evidence = verdict.reading.evidence if verdict.reading is not None else ()
    kinds = {item.kind for item in evidence}
    return DERIVED in kinds and kinds.isdisjoint(MISMATCHES)


def _is_cut(verdict: Verdict) -> bool:
    """Whether the reader did not read all of the claim and its evidence."""
    return verdict.reading is not None and verdict.reading.unread_chars > 0


def _contradictions(verdict: Verdict) -> frozenset[str]:
    """In what the passages say facts of the claim otherwise."""
    evidence = verdict.reading.evidence if verdict.reading is not None else ()
    return frozenset(item.kind for item in evidence if item.kind in MISMATCHES and item.source is not None)


def _is_copy_with_another_amount(verdict: Verdict) -> bool:
    """Whether a claim is a sentence of the passages but for an amount or a date."""
    evidence = verdict.reading.evidence if verdict.reading is not None else ()
    pairs = [(one.kind, one.answer.text, one.source.text) for one in evidence if one.answer and one.source]
    return any(
        plain(claim.replace(said, stated)) == plain(sentence)
        for kind, said, stated in pairs
        if kind in _AMOUNTS
        for nearest, claim, sentence in pairs
        if nearest == "nearest"
    )


def _because(support: Support, whole: Verdict, parts: tuple[Verdict, ...]) -> str:
    state = support.replace("_", " ")
    if support in ("unsupported", "partially_supported"):
        wrong = [part for part in parts if part.outcome == "fail"]
        verb = "is" if len(wrong) == 1 else "are"
        count = f" ({len(wrong)} of {len(parts)} claims {verb} not supported)" if len(parts) > 1 else ""
        return f"{state}{count}: {wrong[0].because}"
    doubtful = next((part for part in parts if part.outcome == "unsure"), None)
    if support == "undetermined" and doubtful is not None:
        out_of_reach = doubtful.parts and doubtful.parts[0].cutoff and doubtful.parts[0].cutoff.value > 1
        note = "; for so few claims this policy takes no model's word" if out_of_reach else ""
        return f"{state}: {doubtful.because}{note}"
    if support == "undetermined" and parts:
        return f"{state}: each claim is supported, but together they are doubtful; {whole.because}"
    return f"{state}: {whole.because}"
