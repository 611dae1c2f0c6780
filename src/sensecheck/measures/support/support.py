"""How far the passages support each claim of an answer, and what does not fit.

`beside` holds the claims against the passages, unweighed; `supported` weighs what was found.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.abstention import excused
from sensecheck.measures.claims.claims import Claim, claims, stated
from sensecheck.measures.facts.agreement import compare
from sensecheck.measures.facts.fact import Difference
from sensecheck.measures.support.restatement import restated_sentence
from sensecheck.measures.support.roles import role_swaps
from sensecheck.measures.support.source import (
    Matrix,
    Numbers,
    ParsedPassages,
    PassageSentence,
    plain,
    source_of,
    word_vectors,
)
from sensecheck.measures.support.weights import SupportModel
from sensecheck.measures.support.words import FEATURES, Mention, Words, mention_of, words_beside
from sensecheck.text.words import Word, is_stop_word, stem, words

Kind = Literal[
    "number_mismatch",
    "unit_mismatch",
    "date_mismatch",
    "name_mismatch",
    "negation_mismatch",
    "opposite_mismatch",
    "quantifier_mismatch",
    "role_swap",
    "derived_number",
]
DERIVED: Kind = "derived_number"
"""What the passages do not say, but can be calculated from them, or the question gave: left open."""
MISMATCHES: tuple[str, ...] = tuple(kind for kind in get_args(Kind) if kind != DERIVED)

_KINDS: dict[str, Kind] = {
    "number": "number_mismatch",
    "unit": "unit_mismatch",
    "date": "date_mismatch",
    "name": "name_mismatch",
    "negation": "negation_mismatch",
    "opposite": "opposite_mismatch",
    "comparison": "quantifier_mismatch",
    "quantifier": "quantifier_mismatch",
}
_MAX_ROLE_CHARS = 1200
"""Characters of the longest claim or sentence whose roles are compared."""
_RESTATED = 8
"""Among so many sentences, the best ones, a claim is looked for that says one of them again."""
_MIN_STATED_WORDS = 2
"""How many words a claim must state, besides those of the question, to be found by its words alone."""
_ASKED, _MISSING = FEATURES.index("asked"), FEATURES.index("missing")


@dataclass(frozen=True, slots=True)
class Signal:
    """One thing in a claim that does not fit, and the nearest thing in the source."""

    kind: Kind
    changed: bool
    """Whether the source says something else in its place; otherwise it says nothing of it."""
    answer: tuple[int, int]
    source: tuple[int, int] | None
    passage: int | None
    note: str


@dataclass(frozen=True, slots=True)
class CounterWord:
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
    evidence: tuple[PassageSentence, ...]
    """The sentences that hold most of it, the best first."""
    near: float
    """How near the nearest sentence lies."""
    words: tuple[CounterWord, ...]
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

    source: ParsedPassages
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
    model.require_encoder(space.encoder)
    found = beside(sample, space)
    weights = model.weights(found.words.features)
    weighed = tuple(_weighed(one, found, weights, model) for one in found.claims)
    return Support(found.source, weighed, found.others)


@dataclass(frozen=True, slots=True)
class ClaimBeside:
    """One claim next to the passages."""

    claim: Claim
    words: npt.NDArray[np.intp]
    """Which of the answer's words are its own, without those that say that the passages do not say."""
    evidence: tuple[PassageSentence, ...]
    """The sentences that hold most of it, the best first."""
    near: float
    """How near the nearest sentence lies."""
    signals: tuple[Signal, ...]
    open_part: tuple[int, int] | None
    """Where in the claim it says that the passages do not say."""
    mention: Mention | None
    """Where they do say it."""
    verbatim: bool
    """Whether the passages say it word by word, or in words that say the same."""


@dataclass(frozen=True, slots=True)
class AnswerBeside:
    """An answer next to its passages."""

    source: ParsedPassages
    words: Words
    claims: tuple[ClaimBeside, ...]
    """Those that can be true or false."""
    others: tuple[Claim, ...]
    """What claims nothing: headings, frames, offers, citations, conversation."""
    asked: frozenset[str]
    """The words of the question, in the form in which they match."""


def beside(sample: Sample, space: Space) -> AnswerBeside:
    """Hold every claim of the answer against the passages."""
    passages = sample.require_passages()
    read = space.readable(passages)
    source = source_of(tuple(passage if passage in read else "" for passage in passages))
    pieces = claims(sample.answer)
    checked = [piece for piece in pieces if piece.checked]
    judged = stated(sample.answer, pieces)
    said = words(judged)
    asked = frozenset(stem(word.text) for word in words(sample.question or ""))
    found = words_beside(
        checked,
        said,
        word_vectors(space.tokens(sample.answer), said),
        source=source,
        placed=_source_vectors(source, space),
        asked=asked,
    )
    facts = _fact_signals(judged, checked, source, question=sample.question)
    asks = sample.question
    beside_each = [
        _claim_beside(at, claim, facts[at], found, source, asks) for at, claim in enumerate(checked)
    ]
    whole = plain(sample.answer)
    if whole and whole in map(plain, source.passages):  # wherever its lines are broken
        beside_each = [replace(one, verbatim=True, open_part=None, mention=None) for one in beside_each]
    return AnswerBeside(
        source,
        found,
        tuple(beside_each),
        tuple(piece for piece in pieces if not piece.checked),
        asked,
    )


def _weighed(one: ClaimBeside, found: AnswerBeside, weights: Numbers, model: SupportModel) -> ClaimSupport:
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
        stating >= _MIN_STATED_WORDS or one.verbatim or _answers(one, found),
    )


def _against(index: int, found: AnswerBeside, weights: Numbers) -> CounterWord:
    closest = int(found.words.closest[index])
    known = closest >= 0
    return CounterWord(
        found.words.words[index],
        float(weights[index]),
        bool(found.words.features[index, _MISSING]),
        found.source.words[closest] if known else None,
        found.source.sentences[found.source.home[closest]].passage if known else None,
    )


def _answers(one: ClaimBeside, found: AnswerBeside) -> bool:
    """Whether one sentence holds a short answer next to at least half of what the question asks."""
    stems = {stem(found.words.words[index].text) for index in one.words}
    asked = {word for word in found.asked if not is_stop_word(word)}
    return bool(asked and stems) and any(
        stems <= sentence.stems and 2 * len(asked & sentence.stems) >= len(asked) for sentence in one.evidence
    )


def _claim_beside(
    at: int,
    claim: Claim,
    facts: Sequence[Signal],
    found: Words,
    source: ParsedPassages,
    question: str | None,
) -> ClaimBeside:
    own = np.flatnonzero(found.claims == at)
    chosen = source.gathered([stem(found.words[index].text) for index in own], found.near[at])
    evidence = tuple(source.sentences[index] for index in chosen)
    said = plain(claim.stated)
    verbatim = bool(said) and said in source.said
    open_part = None if verbatim else excused(claim.stated)
    start, end = (claim.start + place for place in open_part or (0, 0))
    signals = (*facts, *_role_signals(claim, evidence))
    if said and not (verbatim or signals or open_part):
        again = restated_sentence(claim.stated, question, evidence[:_RESTATED], source.sentences)
        if again is not None:
            verbatim, evidence = True, (again, *(one for one in evidence if one is not again))
    return ClaimBeside(
        claim,
        np.array([index for index in own if not start <= found.words[index].start < end], np.intp),
        evidence,
        float(found.near[at].max(initial=0.0)),
        tuple(signal for signal in signals if not start <= signal.answer[0] < end),
        open_part,
        None if open_part is None else mention_of(claim.stated, open_part, source),
        verbatim,
    )


def _source_vectors(source: ParsedPassages, space: Space) -> Matrix:
    """The vectors of the source's words."""
    rows = [
        word_vectors(space.tokens(source.passages[passage]), source.words[first:last])
        for passage, first, last in source.spread
        if source.passages[passage]
    ]
    return np.concatenate(rows)


def _fact_signals(
    answer: str, claims: Sequence[Claim], source: ParsedPassages, *, question: str | None = None
) -> list[list[Signal]]:
    """For each claim, where its facts differ from those of the passages."""
    order = [passage for passage, _, _ in source.spread]
    compared = compare(answer, [source.passages[passage] for passage in order], question)
    found = [_fact_signal(difference, order) for difference in compared.differences]
    return [
        [signal for signal in found if signal and claim.start <= signal.answer[0] < claim.end]
        for claim in claims
    ]


def _fact_signal(found: Difference, order: Sequence[int]) -> Signal | None:
    """A difference as a signal; what only the passages say is none."""
    if found.answer is None or found.change == "missing":
        return None
    passage = None if found.reference is None else order[found.reference]
    changed = found.change == "changed"
    kind = DERIVED if found.derived else _KINDS[found.kind]
    return Signal(kind, changed, found.answer, found.source, passage, found.note)


def _role_signals(claim: Claim, evidence: Sequence[PassageSentence]) -> list[Signal]:
    """Where a claim says who did what to whom the other way round than its best evidence."""
    return [
        Signal(
            "role_swap",
            True,
            (claim.start + here[0], claim.start + here[1]),
            (sentence.start + there[0], sentence.start + there[1]),
            sentence.passage,
            f"the answer says `{claim.text[slice(*here)]}`; it says `{sentence.text[slice(*there)]}`",
        )
        for sentence in evidence[:1]
        if max(len(claim.text), len(sentence.text)) <= _MAX_ROLE_CHARS
        for here, there in role_swaps(claim.stated, sentence.text)
    ]
