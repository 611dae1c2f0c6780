"""How sure a cross-encoder is that a claim is not supported, read together with its evidence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sensecheck.core.encoder import PairScore
from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.claims import Claim, claims
from sensecheck.measures.support.source import source_of
from sensecheck.measures.text.words import content_words, stem, words

QUESTION = 40
"""How many words of a question are read with a short answer, its last ones."""
SHORT = 4
"""A claim of at most so many words is read after the question that it answers."""


@dataclass(frozen=True, slots=True)
class Verified:
    """The log odds against the claim that a cross-encoder doubts most; below 0 it believes all of them."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "verified"

    def needs(self, sample: Sample) -> Needs:
        """Every claim with its evidence."""
        return Needs(pairs=tuple(pair_of(sample, claim) for claim in claims(sample.answer) if claim.checked))

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer and the passages."""
        held = {f"passages[{at}]": text for at, text in enumerate(sample.must_have_passages())}
        return {"answer": sample.answer, **held}

    def read(self, sample: Sample, space: Space) -> Reading:
        """The worst of the claims."""
        checked = [claim for claim in claims(sample.answer) if claim.checked]
        if not checked:
            raise CannotJudge("the answer states nothing that could be held against the passages")
        read = [pair_reading(sample, claim, space) for claim in checked]
        return max(read, key=lambda reading: reading.value)


def pair_of(sample: Sample, claim: Claim) -> tuple[str, str]:
    """A claim and the sentences that hold most of its words, as a cross-encoder reads them."""
    source = source_of(sample.must_have_passages())
    asked = f"{_short(sample.question)} {claim.stated}" if _is_short(sample, claim) else claim.stated
    chosen = source.gathered({stem(word.text) for word in content_words(asked)})
    return asked, " ".join(source.sentences[index].text for index in sorted(chosen))


def pair_reading(sample: Sample, claim: Claim, space: Space) -> Reading:
    """The log odds that the evidence does not support a claim, and the words that are doubted most."""
    asked, evidence = pair_of(sample, claim)
    score = space.pair(asked, evidence)
    shift = claim.start - (len(asked) - len(claim.text))
    doubted = [
        Span.of("answer", sample.answer, start + shift, end + shift)
        for start, end in _doubted(score)
        if start + shift >= claim.start
    ]
    sure = 1 / (1 + math.exp(-max(-700.0, min(700.0, score.value))))
    because = f"a reader of the claim and its evidence gives it {1 - sure:.1%}"
    if doubted and score.value > 0:
        because += f" and doubts `{doubted[0].text}`"
    found = tuple(Evidence("doubted", span, note="is doubted:") for span in doubted)
    return Reading(score.value, because, found, score.unread_chars)


def _short(question: str | None) -> str:
    """The end of a question: what stands before it must not push the answer out of what is read."""
    return " ".join((question or "").split()[-QUESTION:])


def _is_short(sample: Sample, claim: Claim) -> bool:
    return bool(sample.question) and len(words(claim.stated)) <= SHORT


def _doubted(score: PairScore) -> list[tuple[int, int]]:
    """The runs of words whose own log odds are against them."""
    against = [at for at, odds in enumerate(score.scores) if odds > 0]
    runs = [[at] for at in against[:1]]
    for before, at in pairwise(against):
        if at == before + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [(score.spans[run[0]][0], score.spans[run[-1]][1]) for run in runs]
