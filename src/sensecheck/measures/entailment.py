"""Whether one text follows from another, as a cross-encoder reads the two together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.core.backends import PairScore
from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.claims import Claim, claims
from sensecheck.measures.meaning import pairs_both_ways, same_meaning
from sensecheck.measures.pairs import (
    EVIDENCE_WORDS,
    LIKELY,
    claim_pair,
    is_sure,
    probability,
    stretches_against,
    with_question,
)
from sensecheck.measures.support.source import PassageSentence, source_of
from sensecheck.text.words import content_stems


@dataclass(frozen=True, slots=True)
class Entailment:
    """How probable it is that the answer says what was expected, or only what the passages say."""

    against: Literal["expected", "passages"] = "expected"

    @property
    def name(self) -> str:
        """What people call it."""
        return "entailment"

    def needs(self, sample: Sample) -> Needs:
        """The pairs that are read together."""
        if self.against == "expected":
            return Needs(pairs=pairs_both_ways(sample))
        return Needs(
            pairs=tuple(
                claim_pair(sample, claim, sentences) for claim, sentences in _claims_with_evidence(sample)
            )
        )

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer and what it is read with."""
        if self.against == "expected":
            return {"answer": sample.answer, "expected": sample.require_expected()}
        passages = {f"passages[{at}]": text for at, text in enumerate(sample.require_passages())}
        return {"answer": sample.answer, **passages}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The probability that the expected answer follows; or that of the claim that follows least."""
        if self.against == "expected":
            return same_meaning(sample, space)
        claims_with_evidence = _claims_with_evidence(sample)
        if not claims_with_evidence:
            raise CannotJudge("the answer states nothing that could be checked against the passages")
        readings = [
            claim_entailment(sample, claim, sentences, space) for claim, sentences in claims_with_evidence
        ]
        return min(readings, key=lambda reading: reading.value)


def claim_entailment(
    sample: Sample, claim: Claim, sentences: Sequence[PassageSentence], space: Space
) -> Reading:  # fmt: skip
    """How probable it is that the evidence supports a claim, and which words are doubted."""
    pair = claim_pair(sample, claim, sentences)
    score = space.pair(*pair)
    mine = Span.of("answer", sample.answer, claim.start, claim.end)
    shift = claim.start - (len(pair[0]) - len(claim.text))
    doubted = tuple(
        Evidence("doubted", Span.of("answer", sample.answer, start + shift, end + shift), note="is doubted:")
        for start, end in stretches_against(score)
        if start + shift >= claim.start and end + shift <= claim.end
    )
    kind, because = _in_words(score, "the passages")
    likely = probability(score)
    best = sentences[0]
    theirs = Span.of(f"passages[{best.passage}]", sample.passages[best.passage], best.start, best.end)
    claim_evidence = (Evidence(kind, mine, theirs, note=because + ":"),) if kind != "entailed" else ()
    return Reading(
        likely,
        f"{because} (support is {likely:.0%} likely)",
        (*claim_evidence, *(doubted if kind != "entailed" else ())),
        score.unread_chars,
    )


def _in_words(score: PairScore, source: str) -> tuple[str, str]:
    """What the reader found: its kind, and a sentence that says it."""
    likely = probability(score)
    seem = "" if is_sure(likely) else "seem to "
    if score.value <= 0:
        return "entailed", f"{source} {seem}say it"
    if score.contradicted is not None and score.contradicted >= LIKELY * (1 - likely):
        return "contradicted", f"{source} {seem}say otherwise"
    verb = "say" if score.contradicted is not None else "support"
    kind = "not_stated" if score.contradicted is not None else "doubted"
    return kind, f"{source} {'seem not to' if seem else 'do not'} {verb} it"


def _claims_with_evidence(sample: Sample) -> list[tuple[Claim, Sequence[PassageSentence]]]:
    """Every claim with its evidence, which is found by words in common alone."""
    source = source_of(sample.require_passages())
    claims_with_evidence: list[tuple[Claim, Sequence[PassageSentence]]] = []
    for claim in claims(sample.answer):
        if claim.checked:
            claim_stems = content_stems(with_question(sample.question, claim.stated))
            best = source.gathered(claim_stems, words=EVIDENCE_WORDS)
            claims_with_evidence.append((claim, [source.sentences[at] for at in best]))
    return claims_with_evidence
