"""Pairs of texts as a cross-encoder reads them: what is read of passages, and what its scores mean."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sensecheck.core.backends import PairScore
from sensecheck.core.errors import CannotJudge
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.claims import Claim
from sensecheck.measures.claims.evidence import WORDS
from sensecheck.measures.facts.equivalence import spelled_as
from sensecheck.measures.support.source import PassageSentence, source_of
from sensecheck.text.words import content_stems

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
Pair = tuple[str, str]


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
    stems = content_stems(claim.stated)
    return [source.sentences[at] for at in source.gathered(stems, near, words=EVIDENCE_WORDS)]


def claim_pair(sample: Sample, claim: Claim, sentences: Sequence[PassageSentence]) -> Pair:
    """A claim and its evidence as the cross-encoder reads them, each behind the question.

    Amounts and dates of the evidence are written as in the claim: a reader hardly knows `noon` from `12:00`.
    """
    evidence = spelled_as(evidence_text(sentences), claim.stated)
    return with_question(sample.question, claim.stated), with_question(sample.question, evidence)


def evidence_text(sentences: Sequence[PassageSentence]) -> str:
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


def probability(score: PairScore) -> float:
    """How probable it is that the evidence supports the claim."""
    return 1 / (1 + math.exp(max(-700.0, min(700.0, score.value))))


def with_question(question: str | None, text: str) -> str:
    """A text behind the end of the question that it answers; the whole of a long one would crowd it out."""
    last_words = (question or "").split()[-QUESTION_WORDS:]
    return f"{' '.join(last_words)} {text}" if last_words else text


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


def is_sure(likely: float) -> bool:
    """Whether a probability is so high or so low that words need no `seems`."""
    return not 1 - SURE < likely < SURE


def log_odds(likely: float) -> float:
    """The log odds of a probability, bounded so that certainty is a number too."""
    bounded = min(max(likely, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))
