"""What can be said of each word of an answer beside the passages."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from sensecheck.measures.claims.claims import Claim
from sensecheck.measures.support.likeness import likeness
from sensecheck.measures.support.source import Source
from sensecheck.measures.support.vectors import Matrix, Numbers, stretch_vectors
from sensecheck.text.wordlists import read_words
from sensecheck.text.words import Word, is_stop_word, stem

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
`apart`: neither of its neighbours stands beside it there. `remote`: how far the claim is from the nearest
sentence. `asked`: the question holds the word, which speaks for it."""
NEAREST = 3
"""How many sentences of the passages are near to a claim."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of an answer that say something, and what was found of each."""

    words: tuple[Word, ...]
    claims: npt.NDArray[np.intp]
    """The claim of each word."""
    features: Numbers
    """One row a word, one column a feature."""
    closest: npt.NDArray[np.intp]
    """The word of the source that is nearest in meaning; -1 when the source has none."""
    near: Matrix
    """How near each claim is to each sentence of the source."""


def words_beside(
    claims: Sequence[Claim],
    said: Sequence[Word],
    vectors: Matrix,
    *,
    source: Source,
    placed: Matrix,
    asked: frozenset[str],
) -> Words:
    """Every word of the claims that carries content, beside the words of the source."""
    starts = [word.start for word in said]
    bounds = [tuple(np.searchsorted(starts, (claim.start, claim.end)).tolist()) for claim in claims]
    owned = [(at, index) for at, (first, last) in enumerate(bounds) for index in range(first, last)]
    silent = _about("about_code.txt") if source.code else frozenset()
    kept = [(at, index) for at, index in owned if _says(said[index].text) and said[index].text not in silent]
    near = _near(stretch_vectors(vectors, bounds), source, placed)
    of = np.array([at for at, _ in kept], np.intp)
    rows = np.array([index for _, index in kept], np.intp)
    stems = [stem(word.text) for word in said]
    top = _nearest(near)
    alike = likeness(vectors[rows], of, top, source=source, placed=placed)
    held = [frozenset[str]().union(*(source.sentences[i].stems for i in each)) for each in top]
    features = np.zeros((len(kept), len(FEATURES)))
    if len(kept):
        missing = np.array([stems[index] not in source.held for _, index in kept])
        numeric = np.array([any(map(str.isdigit, said[index].text)) for _, index in kept])
        capital = np.array([_is_name(claims[at], said[index]) for at, index in kept])
        features[:, 0] = missing
        features[:, 1] = missing * (1 - alike.best)
        features[:, 2] = [stems[index] not in held[at] for at, index in kept]
        features[:, 3] = 1 - alike.best_near
        features[:, 4] = missing & numeric
        features[:, 5] = missing & capital & ~numeric
        features[:, 6] = [_apart(stems, index, bounds[at], source) for at, index in kept]
        features[:, 7] = 1 - near.max(axis=1, initial=0.0)[of]
        features[:, 8] = [stems[index] in asked for _, index in kept]
    return Words(tuple(said[index] for _, index in kept), of, features, alike.closest, near)


@cache
def _about(name: str = "about.txt") -> frozenset[str]:
    return frozenset(read_words(name, __package__))


def _says(word: str) -> bool:
    return not is_stop_word(word) and word not in _about()


def _is_name(claim: Claim, word: Word) -> bool:
    at = word.start - claim.start
    return claim.text[at].isupper() and any(map(str.isalnum, claim.text[:at]))


def _near(claims: Matrix, source: Source, placed: Matrix) -> Matrix:
    own = stretch_vectors(placed, [(sentence.first, sentence.last) for sentence in source.sentences])
    near: Matrix = np.clip(claims @ own.T, -1.0, 1.0)
    return near


def _nearest(near: Matrix) -> list[list[int]]:
    """The nearest sentences of each claim, the nearest first."""
    return [np.argsort(-row, kind="stable")[:NEAREST].tolist() for row in near]


def _apart(stems: Sequence[str], index: int, bounds: tuple[int, ...], source: Source) -> float:
    """How many of its two neighbours, by halves, do not stand beside the word in the source."""
    first, last = bounds
    before = index > first and (stems[index - 1], stems[index]) in source.neighbours
    after = index + 1 < last and (stems[index], stems[index + 1]) in source.neighbours
    return 1 - (before + after) / 2
