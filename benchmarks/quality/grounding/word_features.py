"""What a model of single words looks at, and how its log odds are added up for an answer."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from benchmarks.quality.grounding.readings import ClaimRead, Numbers, RowRead, Span
from benchmarks.quality.grounding.scores import pair_logit

UNHEARD = 0.0
"""The log odds of a word of which no verifier said anything."""
ADDED_UP = ("worst word", "second word", "third word", "chances added")


def word_features(rows: Sequence[RowRead]) -> tuple[Numbers, npt.NDArray[np.bool_], npt.NDArray[np.intp]]:
    """One row a word; whether people marked it as unsupported; and the answer of each."""
    words, marked, home = [], [], []
    for at, row in enumerate(rows):
        for claim in row.claims:
            for place, features in zip(claim.places, claim.words, strict=True):
                words.append((*features, *_around(claim, place, row)))
                marked.append(any(a < place[1] and place[0] < b for a, b in row.spans))
                home.append(at)
    return np.array(words, float), np.array(marked, bool), np.array(home, np.intp)


def added_up(odds: Numbers, home: npt.NDArray[np.intp], count: int) -> Numbers:
    """For each answer what its words say together, as `ADDED_UP` names the columns."""
    found = np.full((count, len(ADDED_UP)), -10.0)
    found[:, 3] = np.log1p(np.bincount(home, 1 / (1 + np.exp(-odds)), count))
    for at in np.unique(home):
        top = np.sort(odds[home == at])[::-1][:3]
        found[at, : len(top)] = top
    return found


def _around(claim: ClaimRead, place: Span, row: RowRead) -> tuple[float, ...]:
    """What stands around a word: the verifier's doubt of it and of its claim, and the claim's signals."""
    doubts = [odds for start, end, odds in claim.doubts if start < place[1] and place[0] < end]
    pair = pair_logit(claim, row.fold)
    return (
        max(doubts, default=UNHEARD),
        UNHEARD if pair is None else pair,
        float(len(claim.signals)),
        float(claim.verbatim),
    )
