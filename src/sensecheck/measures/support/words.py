"""What can be said of each word of an answer next to the passages.

Also whether the passages do say what a claim says that they do not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from sensecheck.measures.claims.abstention import open_places
from sensecheck.measures.claims.claims import Claim
from sensecheck.measures.claims.grammar import spelled_lines
from sensecheck.measures.support.source import (
    Matrix,
    Numbers,
    ParsedPassages,
    PassageSentence,
    stretch_vectors,
)
from sensecheck.text.wordlists import read_words
from sensecheck.text.words import Word, is_stop_word, stem, words

FEATURES = (
    "missing",
    "missing_and_far",
    "missing_near",
    "far_near",
    "number",
    "name",
    "apart",
    "remote",
    "asked",
)
"""`missing`: the passages do not hold the word in any form; `far`: nor anything that means nearly the same.
`near`: only the sentences nearest to the claim are looked at. `number`, `name`: a missing word of this sort.
`apart`: neither of its neighbours stands next to it there. `remote`: how far the claim is from the nearest
sentence. `asked`: the question holds the word, which speaks for it."""

_Places = npt.NDArray[np.intp]
_QuestionKind = Literal["amount", "time", "name", "who", "other", "nothing"]

_NEAREST = 3
"""How many sentences of the passages are near to a claim."""
_MIN_MISSING_WORDS = 2
"""So many words of what is missing must stand in one sentence; a name or a number is enough alone."""
_ASKS = re.compile(
    r"\b(?:(?P<amount>how\s(?:much|many|long|old|far|often|big|tall|large|high|deep|wide|fast|late|early))"
    r"|(?P<time>when|since\swhen|in\swhich\syear|what\s(?:year|date|day|time))"
    r"|(?P<name>(?:name|identify)(?!\s+of\b))"
    r"|(?P<who>who|whom|where)|(?P<other>whether|if|why|what|which|whose|how))\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|without|unknown|unclear)\b|n['’]t\b", re.IGNORECASE
)
_ONE_OF_THEM = re.compile(r"\b(?:passage|document|source|text|article)\s(?:\d|one|two|three)", re.IGNORECASE)
_ALL_OF_THEM = re.compile(
    r"\b(?:passages|documents|sources|texts|articles|context|information|excerpts|extracts|materials?|i|we)\b"
    r"|\bnot\s+(?:\w+\s)?(?:stated|mentioned|said|specified)|\bno\s(?:mention|information)|\bnothing\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_TIME = re.compile(
    r"\d|\b(?:january|february|march|april|june|july|august|september|october|november|december|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|today|tomorrow|noon|midnight)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=[a-z,;:] )[A-Z]\w+|\d")
_ANSWERS: dict[str, re.Pattern[str]] = {"amount": _FIGURE, "time": _TIME, "name": _NAMED, "who": _NAMED}
"""What a sentence must have to answer what is asked."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of an answer that say something, and what was found of each."""

    words: tuple[Word, ...]
    claims: _Places
    """The claim of each word."""
    features: Numbers
    """One row per word, one column a feature."""
    closest: _Places
    """The word of the source that is nearest in meaning; -1 when the source has none."""
    near: Matrix
    """How near each claim is to each sentence of the source."""


def words_beside(
    claims: Sequence[Claim],
    said: Sequence[Word],
    vectors: Matrix,
    *,
    source: ParsedPassages,
    placed: Matrix,
    asked: frozenset[str],
) -> Words:
    """Every word of the claims that carries content, next to the words of the source."""
    starts = [word.start for word in said]
    bounds = [tuple(np.searchsorted(starts, (claim.start, claim.end)).tolist()) for claim in claims]
    owned = [(at, index) for at, (first, last) in enumerate(bounds) for index in range(first, last)]
    ignored = _word_list("about.txt") | (_word_list("about_code.txt") if source.code else frozenset())
    is_informative = [not is_stop_word(word.text) and word.text not in ignored for word in said]
    selected = [(at, index) for at, index in owned if is_informative[index]]
    near = _near(stretch_vectors(vectors, bounds), source, placed)
    claim_indices = np.array([at for at, _ in selected], np.intp)
    word_indices = np.array([index for _, index in selected], np.intp)
    stems = [stem(word.text) for word in said]
    top = _nearest(near)
    likeness = _likeness(vectors[word_indices], claim_indices, top, source=source, placed=placed)
    nearby_stems = [frozenset[str]().union(*(source.sentences[i].stems for i in each)) for each in top]
    features = np.zeros((len(selected), len(FEATURES)))
    if len(selected):
        missing = np.array([stems[index] not in source.held for _, index in selected])
        numeric = np.array([any(map(str.isdigit, said[index].text)) for _, index in selected])
        capital = np.array([_is_name(claims[at], said[index]) for at, index in selected])
        features[:, 0] = missing
        features[:, 1] = missing * (1 - likeness.best)
        features[:, 2] = [stems[index] not in nearby_stems[at] for at, index in selected]
        features[:, 3] = 1 - likeness.best_near
        features[:, 4] = missing & numeric
        features[:, 5] = missing & capital & ~numeric
        features[:, 6] = [_apart(stems, index, bounds[at], source) for at, index in selected]
        features[:, 7] = 1 - near.max(axis=1, initial=0.0)[claim_indices]
        features[:, 8] = [stems[index] in asked for _, index in selected]
    return Words(tuple(said[index] for _, index in selected), claim_indices, features, likeness.closest, near)


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that has all that a claim says to be missing."""

    sentence: PassageSentence
    sure: bool
    """Whether it says it; where it may only speak of the same things, that stays open."""


def mention_of(claim: str, open_part: tuple[int, int], source: ParsedPassages) -> Mention | None:
    """Where the passages speak of what the open part of a claim says to be missing; None where nowhere."""
    open_text = claim[slice(*open_part)]
    missing = _missing_words(open_text)
    if not missing:
        return None
    stems = {stem(word.text) for word in missing}
    candidates = [sentence for sentence in source.sentences if stems <= sentence.stems]
    if not candidates:
        return None
    kind = _missing_kind(open_text)
    for sentence in candidates:
        if _mentions(kind, missing, (open_text, sentence)) and (
            len(source.passages) == 1 or _is_of_all(open_text)
        ):
            return Mention(sentence, sure=True)
    if kind in ("amount", "time", "name") or (kind == "other" and len(stems) < _MIN_MISSING_WORDS):
        return None
    return Mention(candidates[0], sure=False)


def _is_name(claim: Claim, word: Word) -> bool:
    at = word.start - claim.start
    return claim.text[at].isupper() and any(map(str.isalnum, claim.text[:at]))


def _near(claims: Matrix, source: ParsedPassages, placed: Matrix) -> Matrix:
    sentence_vectors = stretch_vectors(
        placed, [(sentence.first, sentence.last) for sentence in source.sentences]
    )
    near: Matrix = np.clip(claims @ sentence_vectors.T, -1.0, 1.0)
    return near


def _nearest(near: Matrix) -> list[list[int]]:
    """The nearest sentences of each claim, the nearest first."""
    return [np.argsort(-row, kind="stable")[:_NEAREST].tolist() for row in near]


def _apart(stems: Sequence[str], index: int, bounds: tuple[int, ...], source: ParsedPassages) -> float:
    """How many of its two neighbours, by halves, do not stand next to the word in the source."""
    first, last = bounds
    before = index > first and (stems[index - 1], stems[index]) in source.neighbours
    after = index + 1 < last and (stems[index], stems[index + 1]) in source.neighbours
    return 1 - (before + after) / 2


@dataclass(frozen=True, slots=True)
class _Likeness:
    """How similar the nearest words of the source are."""

    best: Numbers
    """The similarity of the nearest word; 0 when the source has none."""
    closest: _Places
    """Which word that is; -1 when the source has none."""
    best_near: Numbers
    """The same among the sentences that are nearest to the word's claim."""


def _likeness(
    vectors: Matrix, claims: _Places, top: Sequence[Sequence[int]], *, source: ParsedPassages, placed: Matrix
) -> _Likeness:
    """Compare the words of an answer, by their vectors and claims, with those of the source.

    Claim by claim: all words next to all words would not fit into memory for long texts.
    """
    likeness = _Likeness(np.zeros(len(claims)), np.full(len(claims), -1, np.intp), np.zeros(len(claims)))
    if not len(placed):
        return likeness
    for claim in np.unique(claims):
        word_rows = np.flatnonzero(claims == claim)
        similarities = vectors[word_rows] @ placed.T
        likeness.best[word_rows] = similarities.max(axis=1)
        likeness.closest[word_rows] = similarities.argmax(axis=1)
        nearest = [source.sentences[at] for at in top[claim]]
        near = np.concatenate([np.arange(sentence.first, sentence.last) for sentence in nearest])
        if len(near):
            likeness.best_near[word_rows] = similarities[:, near].max(axis=1)
    return likeness


def _missing_words(text: str) -> list[Word]:
    """The words that name what is missing, without those that say that it is."""
    abstaining_spans = list(open_places(text))
    vague = _word_list("about.txt") | _word_list("missing.txt")
    candidates = [word for word in words(text) if not is_stop_word(word.text) and word.text not in vague]
    return [
        word
        for word in candidates
        if word.text not in _abstaining_words()
        or not any(start <= word.start < end for start, end in abstaining_spans)
    ]


def _missing_kind(text: str) -> _QuestionKind:
    """What the text calls missing: how much, when, who or where, something else, or nothing of the kind."""
    match = _ASKS.search(text)
    return "nothing" if match is None or match.lastgroup is None else match.lastgroup  # type: ignore[return-value]


def _mentions(kind: _QuestionKind, missing: Sequence[Word], texts: tuple[str, PassageSentence]) -> bool:
    """Whether a sentence that has these words answers the question of this kind."""
    open_text, sentence = texts
    if _NOT.search(sentence.text):
        return False
    missing_texts = {word.text for word in missing}
    rest = " ".join(
        sentence.text[word.start : word.end] if word.text not in missing_texts else word.text
        for word in words(sentence.text)
    )
    if kind in _ANSWERS:
        return _ANSWERS[kind].search(rest) is not None
    if kind == "other":
        return False
    is_named = any(
        open_text[word.start].isupper() or word.text[0].isdigit() for word in missing if word.start
    )
    return len({stem(word.text) for word in missing}) >= _MIN_MISSING_WORDS or is_named


def _is_of_all(text: str) -> bool:
    """Whether it speaks of all passages, rather than of one among several."""
    return _ALL_OF_THEM.search(text) is not None and _ONE_OF_THEM.search(text) is None


@cache
def _abstaining_words() -> frozenset[str]:
    """The words with which people say that something is missing."""
    phrases = (re.findall(r"[^\W_][\w'-]*", line.lower()) for line in spelled_lines("abstention.txt"))
    return frozenset(word for phrase in phrases for word in phrase)


@cache
def _word_list(file: str) -> frozenset[str]:
    """The words of a list next to this file."""
    return frozenset(read_words(file, __package__))
