"""Whether one text follows from another, as a cross-encoder reads the two together."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sensecheck.core.backends import PairScore
from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import CUT, Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.claims import Claim, claims
from sensecheck.measures.claims.evidence import WORDS
from sensecheck.measures.facts.equivalence import spelled_as, written_alike
from sensecheck.measures.support.source import PassageSentence, source_of
from sensecheck.text.words import content_words, stem

QUESTION_WORDS = 40
"""How many words of a question are read before each text, its last ones."""
EVIDENCE_WORDS = 130
"""How many words of evidence are read with a claim; the best sentence always, however long it is."""
PLACED = 64
"""Of more sentences than that none is placed by itself."""
LIKELY = 0.5
"""The probability from which on a claim is called contradicted, rather than not stated."""
SURE = 0.9
"""What is neither so probable nor so improbable only `seems` to be so, in words."""


@dataclass(frozen=True, slots=True)
class PlainPair:
    """How the odds of two texts without a question are set, so that one cutoff serves both kinds of pair.

    Behind a question the expected answer is often a word or two, and what differs is what was asked for.
    Without one both are whole sentences: the reader is more careful there than it has to be, and how many
    words of the expected text the answer has tells more.
    """

    odds: float
    """What the reader's log odds are multiplied by."""
    words: float
    """What is added where the answer has all content words of the expected text."""
    always: float


PLAIN_PAIR = PlainPair(odds=0.89, words=1.41, always=0.39)
"""Fitted by `models/reader/plain.py`, on pairs that no reader learned from."""
COMPARED_WORDS = 300
"""Of a pair without a question so many words are compared; a reader does not read more of them either."""
Pair = tuple[str, str]


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
            return Needs(pairs=_both_ways(sample))
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
            return _same_meaning(sample, space)
        claims_with_evidence = _claims_with_evidence(sample)
        if not claims_with_evidence:
            raise CannotJudge("the answer states nothing that could be checked against the passages")
        readings = [
            claim_entailment(sample, claim, sentences, space) for claim, sentences in claims_with_evidence
        ]
        return min(readings, key=lambda reading: reading.value)


def read_by_itself(sample: Sample) -> tuple[str, ...]:
    """All sentences, whose own vectors lead to the evidence; none where the passages are read whole anyway.

    In a vector of its own a sentence is nearer to what it says than among its neighbours. Of many sentences
    that would cost too much.
    """
    sentences = source_of(sample.require_passages()).sentences
    enough = sum(sentence.last - sentence.first for sentence in sentences) <= WORDS or len(sentences) > PLACED
    return () if enough else tuple(map(_in_one_line, sentences))


def evidence_for(
    sample: Sample, claim: Claim, otherwise: Sequence[PassageSentence], space: Space
) -> Sequence[PassageSentence]:
    """The sentences that hold most of a claim or are nearest to it, the best first."""
    if not (lines := read_by_itself(sample)):
        return otherwise
    source = source_of(sample.require_passages())
    try:
        near = space.similarities(claim.stated, lines)
    except CannotJudge:  # one of them cannot be placed: words alone lead there
        return otherwise
    stems = {stem(word.text) for word in content_words(claim.stated)}
    return [source.sentences[at] for at in source.gathered(stems, near, words=EVIDENCE_WORDS)]


def claim_pair(sample: Sample, claim: Claim, sentences: Sequence[PassageSentence]) -> Pair:
    """A claim and its evidence as the cross-encoder reads them, each behind the question.

    Amounts and dates of the evidence are written as in the claim: a reader hardly knows `noon` from `12:00`.
    """
    evidence = spelled_as(_evidence(sentences), claim.stated)
    return with_question(sample.question, claim.stated), with_question(sample.question, evidence)


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


def probability(score: PairScore) -> float:
    """How probable it is that the evidence supports the claim."""
    return 1 / (1 + math.exp(max(-700.0, min(700.0, score.value))))


def with_question(question: str | None, text: str) -> str:
    """A text behind the end of the question that it answers; the whole of a long one would crowd it out."""
    words = (question or "").split()[-QUESTION_WORDS:]
    return f"{' '.join(words)} {text}" if words else text


def stretches_against(score: PairScore) -> list[tuple[int, int]]:
    """The runs of words whose own log odds are against them."""
    against = [at for at, odds in enumerate(score.scores) if odds > 0]
    runs = [[at] for at in against[:1]]
    for before, at in pairwise(against):
        if at == before + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [(score.spans[run[0]][0], score.spans[run[-1]][1]) for run in runs]


def _in_words(score: PairScore, source: str) -> tuple[str, str]:
    """What the reader found: its kind, and a sentence that says it."""
    likely = probability(score)
    seem = "" if _is_sure(likely) else "seem to "
    if score.value <= 0:
        return "entailed", f"{source} {seem}say it"
    if score.contradicted is not None and score.contradicted >= LIKELY * (1 - likely):
        return "contradicted", f"{source} {seem}say otherwise"
    verb = "say" if score.contradicted is not None else "support"
    kind = "not_stated" if score.contradicted is not None else "doubted"
    return kind, f"{source} {'seem not to' if seem else 'do not'} {verb} it"


def _is_sure(likely: float) -> bool:
    return not 1 - SURE < likely < SURE


def _claims_with_evidence(sample: Sample) -> list[tuple[Claim, Sequence[PassageSentence]]]:
    """Every claim with its evidence, which is found by words in common alone."""
    source = source_of(sample.require_passages())
    claims_with_evidence: list[tuple[Claim, Sequence[PassageSentence]]] = []
    for claim in claims(sample.answer):
        if claim.checked:
            claim_stems = {
                stem(word.text) for word in content_words(with_question(sample.question, claim.stated))
            }
            best = source.gathered(claim_stems, words=EVIDENCE_WORDS)
            claims_with_evidence.append((claim, [source.sentences[at] for at in best]))
    return claims_with_evidence


def _evidence(sentences: Sequence[PassageSentence]) -> str:
    """The best sentences, as many as there is room for, in the order in which the passages have them."""
    chosen: list[PassageSentence] = []
    room = EVIDENCE_WORDS
    for sentence in sentences:
        size = sentence.last - sentence.first
        if not chosen or size <= room:
            chosen.append(sentence)
            room -= size
    ordered: Iterable[PassageSentence] = sorted(chosen, key=lambda one: (one.passage, one.start))
    return " ".join(map(_in_one_line, ordered))


def _in_one_line(sentence: PassageSentence) -> str:
    return " ".join(sentence.text.split())


def _both_ways(sample: Sample) -> tuple[Pair, Pair]:
    for name, text in (("answer", sample.answer), ("expected answer", sample.require_expected())):
        if not text.strip():
            raise CannotJudge(f"the {name} is empty")
    expected = sample.require_expected()
    answer = with_question(sample.question, spelled_as(_part_read(sample), expected))
    expected = with_question(sample.question, expected)
    return (expected, answer), (answer, expected)


def _part_read(sample: Sample) -> str:
    """The answer; of a long one the sentences that hold most of what was expected, in their order."""
    expected = with_question(sample.question, sample.require_expected())
    if len(sample.answer.split()) <= EVIDENCE_WORDS:
        return sample.answer
    source = source_of((sample.answer,))
    best = source.gathered({stem(word.text) for word in content_words(expected)}, words=EVIDENCE_WORDS)
    return _evidence([source.sentences[at] for at in best]) if best else sample.answer


def _same_meaning(sample: Sample, space: Space) -> Reading:
    """How probable it is that the answer entails the expected one and does not contradict it."""
    expected, pairs = sample.require_expected(), _both_ways(sample)
    forward, backward = (space.pair(*pair) for pair in pairs)
    part = _part_read(sample)
    value = likely = same_meaning_probability(forward, backward)
    basis = f"{likely:.0%} likely"
    if not (sample.question or "").strip():
        value = without_question(likely, share_said(part, expected))
        moved = "raised" if value >= likely else "lowered"
        basis = f"{value:.0%} likely: {likely:.0%} by the cross-encoder, {moved} by shared words"
    if part is not sample.answer:
        basis += f"; of {len(sample.answer.split())} words, the {len(part.split())} nearest to it were read"
    mine, theirs = Span.of("answer", sample.answer), Span.of("expected", expected)
    seems = not _is_sure(value)
    if written_alike(sample.answer, expected):
        value, kind, because = 1.0, "entailed", "the answer is the expected one, in the same words"
    elif value >= LIKELY:
        kind, because = "entailed", f"the answer {'seems to say' if seems else 'says'} what was expected"
    elif max(backward.contradicted or 0.0, forward.contradicted or 0.0) >= LIKELY:
        says = "seems to say" if seems else "says"
        kind, because = "contradicted", f"the answer {says} something else than was expected"
    else:
        says = "seems not to" if seems else "does not"
        kind, because = "not_stated", f"the answer {says} say what was expected"
    evidence = (Evidence(kind, mine, theirs, note=because + ":"), *_missed(sample, forward))
    if forward.unread_chars and value < 1.0:
        note = f"{forward.unread_chars} characters of the expected answer and of the answer were not read"
        evidence = (*evidence, Evidence(CUT, note=note))
    left_out = max(0, len(" ".join(sample.answer.split())) - len(part)) if part is not sample.answer else 0
    unread = left_out + max(forward.unread_chars, backward.unread_chars)  # both read the same two texts
    return Reading(value, because if value == 1.0 else f"{because} ({basis})", evidence, unread)


def same_meaning_probability(forward: PairScore, backward: PairScore) -> float:
    """How probable it is that the answer entails the expected text and is not contradicted by it."""
    return min(probability(forward), 1 - (backward.contradicted or 0.0))


def without_question(likely: float, said: float) -> float:
    """The probability that a pair without a question has one meaning, by the reader and by words in order."""
    odds = PLAIN_PAIR.odds * log_odds(likely) + PLAIN_PAIR.words * said + PLAIN_PAIR.always
    return 1 / (1 + math.exp(-odds))


def log_odds(likely: float) -> float:
    """The log odds of a probability, bounded so that certainty is a number too."""
    bounded = min(max(likely, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def share_said(answer: str, expected: str) -> float:
    """The share of the expected text's content words that the answer has in the same order, by their stems.

    1 where there are none. In another order the same words may well say something else: who did it to whom.
    """
    answer_stems, expected_stems = (
        [stem(word.text) for word in content_words(text)[:COMPARED_WORDS]] for text in (answer, expected)
    )
    if not expected_stems:
        return 1.0
    longest = [0] * (len(answer_stems) + 1)  # common to the words so far and each beginning of the answer
    for word in expected_stems:
        before = longest
        longest = [0]
        for at, other in enumerate(answer_stems):
            longest.append(before[at] + 1 if word == other else max(longest[at], before[at + 1]))
    return longest[-1] / len(expected_stems)


def _missed(sample: Sample, forward: PairScore) -> Iterable[Evidence]:
    """The words of the expected answer that the answer does not support."""
    expected = sample.require_expected()
    shift = len(with_question(sample.question, expected)) - len(expected)
    for start, end in stretches_against(forward):
        if start >= shift and forward.value > 0:
            missed = Span.of("expected", expected, start - shift, end - shift)
            yield Evidence("doubted", None, missed, note="is not said by the answer:")
