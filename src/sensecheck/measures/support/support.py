"""How far the passages support each claim of an answer, and what does not fit."""

import math
from dataclasses import dataclass

import numpy as np

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.claims import Claim
from sensecheck.measures.support.beside import Beside, ClaimBeside, beside
from sensecheck.measures.support.mentions import Mention
from sensecheck.measures.support.model import SupportModel
from sensecheck.measures.support.signals import Signal
from sensecheck.measures.support.source import Sentence, Source
from sensecheck.measures.support.vectors import Numbers
from sensecheck.measures.support.words import FEATURES
from sensecheck.text.words import Word, is_stop_word, stem

ENOUGH = 2
"""How many words a claim must state, besides those of the question, to be found by its words alone."""
_ASKED, _MISSING = FEATURES.index("asked"), FEATURES.index("missing")


@dataclass(frozen=True, slots=True)
class Against:
    """A word that speaks against its claim."""

    word: Word
    weight: float
    missing: bool
    """Whether the passages do not hold it in any form."""
    nearest: Word | None
    """The word of the source that is nearest in meaning, with its place in its passage."""
    passage: int | None


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """What was found of one claim."""

    claim: Claim
    against: float
    """All that speaks against it, added up; 0 for what stands in the passages word by word."""
    evidence: tuple[Sentence, ...]
    """The sentences that hold most of it, the best first."""
    near: float
    """How near the nearest sentence lies."""
    words: tuple[Against, ...]
    signals: tuple[Signal, ...]
    abstains: tuple[int, int] | None
    """Where it says that the passages do not say."""
    mention: Mention | None
    """Where they do say it."""
    stating: int
    """How many of its words say something, besides those of the question."""
    verbatim: bool
    placed: bool
    """Whether it says enough to be found in one place; `42` alone could stand anywhere."""

    @property
    def support(self) -> float:
        """From 1, where nothing speaks against it, down to 0."""
        return math.exp(-self.against)

    @property
    def strange(self) -> bool:
        """Whether the passages hold nothing of what it states."""
        return bool(self.words) and all(one.missing for one in self.words)

    @property
    def open(self) -> bool:
        """Whether all it says is that the passages do not say, right or wrong."""
        return self.abstains is not None and self.stating == 0


@dataclass(frozen=True, slots=True)
class Support:
    """What was found of an answer, claim by claim."""

    source: Source
    claims: tuple[ClaimSupport, ...]
    """Those that can be true or false."""
    others: tuple[Claim, ...]
    """What claims nothing: headings, frames, offers, citations, conversation."""

    @property
    def support(self) -> float:
        """The answer as a whole: never better than its worst claim, and worse where several are doubtful."""
        return math.exp(-math.hypot(*(found.against for found in self.claims)))


def supported(sample: Sample, space: Space, model: SupportModel) -> Support:
    """Weigh everything that speaks against each claim."""
    model.must_fit(space.encoder)
    found = beside(sample, space)
    weights = model.weights(found.words.features)
    claims = tuple(_weighed(one, found, weights, model) for one in found.claims)
    return Support(found.source, claims, found.others)


def _weighed(one: ClaimBeside, found: Beside, weights: Numbers, model: SupportModel) -> ClaimSupport:
    against = float(weights[one.words].sum())
    against += sum(model.weight_of(signal.kind, changed=signal.changed) for signal in one.signals)
    if one.mention is not None and one.mention.sure:
        against += model.weight_of("negation_mismatch", changed=True)
    stating = int(np.sum(found.words.features[one.words, _ASKED] == 0))
    return ClaimSupport(
        one.claim,
        0.0 if one.verbatim else against,
        one.evidence,
        one.near,
        () if one.verbatim else tuple(_against(int(index), found, weights) for index in one.words),
        () if one.verbatim else one.signals,
        one.open_part,
        one.mention,
        stating,
        one.verbatim,
        stating >= ENOUGH or one.verbatim or _answers(one, found),
    )


def _against(index: int, found: Beside, weights: Numbers) -> Against:
    closest = int(found.words.closest[index])
    known = closest >= 0
    return Against(
        found.words.words[index],
        float(weights[index]),
        bool(found.words.features[index, _MISSING]),
        found.source.words[closest] if known else None,
        found.source.sentences[found.source.home[closest]].passage if known else None,
    )


def _answers(one: ClaimBeside, found: Beside) -> bool:
    """Whether one sentence holds a short answer beside at least half of what the question asks."""
    stems = {stem(found.words.words[index].text) for index in one.words}
    asked = {word for word in found.asked if not is_stop_word(word)}
    return bool(asked and stems) and any(_holds(sentence, stems, asked) for sentence in one.evidence)


def _holds(sentence: Sentence, stems: set[str], asked: set[str]) -> bool:
    return stems <= sentence.stems and 2 * len(asked & sentence.stems) >= len(asked)
