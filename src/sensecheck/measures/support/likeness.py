"""For each word of an answer the word of the source that is nearest in meaning."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.measures.support.source import Source
from sensecheck.measures.support.vectors import Matrix, Numbers

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How near the nearest words of the source lie."""

    best: Numbers
    """The closeness of the nearest word; 0 when the source has none."""
    closest: Places
    """Which word that is; -1 when the source has none."""
    best_near: Numbers
    """The same among the sentences that lie nearest to the word's claim."""


def likeness(
    words: Matrix, of: Places, top: Sequence[Sequence[int]], *, source: Source, placed: Matrix
) -> Likeness:
    """The words of an answer, given by their vectors and their claims, beside those of the source.

    One claim after the other: all words beside all words would not fit into memory for long texts.
    """
    found = Likeness(np.zeros(len(of)), np.full(len(of), -1, np.intp), np.zeros(len(of)))
    if not len(placed):
        return found
    for claim in np.unique(of):
        mine = np.flatnonzero(of == claim)
        alike = words[mine] @ placed.T
        found.best[mine] = alike.max(axis=1)
        found.closest[mine] = alike.argmax(axis=1)
        near = np.isin(source.home, top[claim])
        if near.any():
            found.best_near[mine] = alike[:, near].max(axis=1)
    return found
