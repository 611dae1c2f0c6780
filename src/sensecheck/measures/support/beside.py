"""An answer beside its passages: each claim with its words, its evidence and what does not fit, unweighed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.claims.abstention import excused
from sensecheck.measures.claims.claims import Claim, claims, stated
from sensecheck.measures.support.mentions import Mention, mention_of
from sensecheck.measures.support.signals import Signal, fact_signals, role_signals
from sensecheck.measures.support.source import Sentence, Source, plain, source_of
from sensecheck.measures.support.vectors import Matrix, word_vectors
from sensecheck.measures.support.words import Words, words_beside
from sensecheck.text.words import stem, words


@dataclass(frozen=True, slots=True)
class ClaimBeside:
    """One claim beside the passages."""

    claim: Claim
    words: npt.NDArray[np.intp]
    """Which of the answer's words are its own, without those that say that the passages do not say."""
    evidence: tuple[Sentence, ...]
    """The sentences that hold most of it, the best first."""
    near: float
    """How near the nearest sentence lies."""
    signals: tuple[Signal, ...]
    open_part: tuple[int, int] | None
    """Where in the claim it says that the passages do not say."""
    mention: Mention | None
    """Where they do say it."""
    verbatim: bool
    """Whether the passages say it word by word."""


@dataclass(frozen=True, slots=True)
class Beside:
    """An answer beside its passages."""

    source: Source
    words: Words
    claims: tuple[ClaimBeside, ...]
    """Those that can be true or false."""
    others: tuple[Claim, ...]
    """What claims nothing: headings, frames, offers, citations, conversation."""
    asked: frozenset[str]
    """The words of the question, in the form in which they match."""


def beside(sample: Sample, space: Space) -> Beside:
    """Hold every claim of the answer against the passages."""
    passages = sample.must_have_passages()
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
        placed=_placed(source, space),
        asked=asked,
    )
    facts = fact_signals(judged, checked, source, question=sample.question)
    return Beside(
        source,
        found,
        tuple(_claim(at, claim, facts[at], found, source) for at, claim in enumerate(checked)),
        tuple(piece for piece in pieces if not piece.checked),
        asked,
    )


def _claim(at: int, claim: Claim, facts: Sequence[Signal], found: Words, source: Source) -> ClaimBeside:
    own = np.flatnonzero(found.claims == at)
    chosen = source.gathered([stem(found.words[index].text) for index in own], found.near[at])
    evidence = tuple(source.sentences[index] for index in chosen)
    said = plain(claim.stated)
    verbatim = bool(said) and said in source.said
    open_part = None if verbatim else excused(claim.stated)
    start, end = (claim.start + place for place in open_part or (0, 0))
    signals = (*facts, *role_signals(claim, evidence))
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


def _placed(source: Source, space: Space) -> Matrix:
    """The vectors of the source's words."""
    rows = [
        word_vectors(space.tokens(source.passages[passage]), source.words[first:last])
        for passage, first, last in source.spread
        if source.passages[passage]
    ]
    return np.concatenate(rows)
