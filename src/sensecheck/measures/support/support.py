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
    "exchanged": "role_swap",
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
        return bool(self.words) and all(word.missing for word in self.words)

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
        return math.exp(-math.hypot(*(claim.against for claim in self.claims)))


def supported(sample: Sample, space: Space, model: SupportModel) -> Support:
    """Weigh everything that speaks against each claim."""
    model.require_encoder(space.encoder)
    answer = beside(sample, space)
    weights = model.weights(answer.words.features)
    weighed = tuple(_claim_support(claim, answer, weights, model) for claim in answer.claims)
    return Support(answer.source, weighed, answer.others)


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
    readable = space.readable(passages)
    source = source_of(tuple(passage if passage in readable else "" for passage in passages))
    pieces = claims(sample.answer)
    checked = [piece for piece in pieces if piece.checked]
    stated_text = stated(sample.answer, pieces)
    answer_words = words(stated_text)
    question_stems = frozenset(stem(word.text) for word in words(sample.question or ""))
    compared_words = words_beside(
        checked,
        answer_words,
        word_vectors(space.tokens(sample.answer), answer_words),
        source=source,
        placed=_source_vectors(source, space),
        asked=question_stems,
    )
    facts = _fact_signals(stated_text, checked, source, question=sample.question)
    question = sample.question
    compared_claims = [
        _claim_beside(at, claim, facts[at], compared_words, source, question)
        for at, claim in enumerate(checked)
    ]
    plain_answer = plain(sample.answer)
    if plain_answer and plain_answer in map(plain, source.passages):  # wherever its lines are broken
        compared_claims = [
            replace(claim_beside, verbatim=True, open_part=None, mention=None)
            for claim_beside in compared_claims
        ]
    return AnswerBeside(
        source,
        compared_words,
        tuple(compared_claims),
        tuple(piece for piece in pieces if not piece.checked),
        question_stems,
    )


def _claim_support(
    compared: ClaimBeside, answer: AnswerBeside, weights: Numbers, model: SupportModel
) -> ClaimSupport:
    against = float(weights[compared.words].sum())
    against += sum(model.weight_of(signal.kind, changed=signal.changed) for signal in compared.signals)
    if compared.mention is not None and compared.mention.sure:
        against += model.weight_of("negation_mismatch", changed=True)
    stating = int(np.sum(answer.words.features[compared.words, _ASKED] == 0))
    return ClaimSupport(
        compared.claim,
        0.0 if compared.verbatim else against,
        compared.evidence,
        compared.near,
        ()
        if compared.verbatim
        else tuple(_counter_word(int(index), answer, weights) for index in compared.words),
        () if compared.verbatim else compared.signals,
        compared.open_part,
        compared.mention,
        stating,
        compared.verbatim,
        stating >= _MIN_STATED_WORDS or compared.verbatim or _answers(compared, answer),
    )


def _counter_word(index: int, answer: AnswerBeside, weights: Numbers) -> CounterWord:
    closest = int(answer.words.closest[index])
    has_nearest = closest >= 0
    return CounterWord(
        answer.words.words[index],
        float(weights[index]),
        bool(answer.words.features[index, _MISSING]),
        answer.source.words[closest] if has_nearest else None,
        answer.source.sentences[answer.source.home[closest]].passage if has_nearest else None,
    )


def _answers(compared: ClaimBeside, answer: AnswerBeside) -> bool:
    """Whether one sentence holds a short answer next to at least half of what the question asks."""
    stems = {stem(answer.words.words[index].text) for index in compared.words}
    question_stems = {word for word in answer.asked if not is_stop_word(word)}
    return bool(question_stems and stems) and any(
        stems <= sentence.stems and 2 * len(question_stems & sentence.stems) >= len(question_stems)
        for sentence in compared.evidence
    )


def _claim_beside(
    at: int,
    claim: Claim,
    facts: Sequence[Signal],
    compared_words: Words,
    source: ParsedPassages,
    question: str | None,
) -> ClaimBeside:
    word_indices = np.flatnonzero(compared_words.claims == at)
    chosen = source.gathered(
        [stem(compared_words.words[index].text) for index in word_indices], compared_words.near[at]
    )
    evidence = tuple(source.sentences[index] for index in chosen)
    plain_claim = plain(claim.stated)
    verbatim = bool(plain_claim) and plain_claim in source.said
    open_part = None if verbatim else excused(claim.stated)
    start, end = (claim.start + place for place in open_part or (0, 0))
    signals = (*facts, *_role_signals(claim, evidence))
    if plain_claim and not (verbatim or signals or open_part):
        restated = restated_sentence(claim.stated, question, evidence[:_RESTATED], source.sentences)
        if restated is not None:
            verbatim, evidence = True, (restated, *(other for other in evidence if other is not restated))
    return ClaimBeside(
        claim,
        np.array(
            [index for index in word_indices if not start <= compared_words.words[index].start < end], np.intp
        ),
        evidence,
        float(compared_words.near[at].max(initial=0.0)),
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
    signals = [_fact_signal(difference, order) for difference in compared.differences]
    return [
        [signal for signal in signals if signal and claim.start <= signal.answer[0] < claim.end]
        for claim in claims
    ]


def _fact_signal(difference: Difference, order: Sequence[int]) -> Signal | None:
    """A difference as a signal; what only the passages say is none."""
    if difference.answer is None or difference.change == "missing":
        return None
    passage = None if difference.reference is None else order[difference.reference]
    changed = difference.change == "changed"
    kind = DERIVED if difference.derived else _KINDS[difference.kind]
    return Signal(kind, changed, difference.answer, difference.source, passage, difference.note)


def _role_signals(claim: Claim, evidence: Sequence[PassageSentence]) -> list[Signal]:
    """Where a claim says who did what to whom the other way round than its best evidence."""
    return [
        Signal(
            "role_swap",
            True,
            (claim.start + here[0], claim.start + here[1]),
            (sentence.start + there[0], sentence.start + there[1]),
            sentence.passage,
            f"`{claim.text[slice(*here)]}` instead of `{sentence.text[slice(*there)]}`",
        )
        for sentence in evidence[:1]
        if max(len(claim.text), len(sentence.text)) <= _MAX_ROLE_CHARS
        for here, there in role_swaps(claim.stated, sentence.text)
    ]
