"""Reading a long text whole: overlapping windows within the model's limit."""

from collections.abc import Sequence

import numpy as np

from sensecheck.core.encoder import Vectors


def window_bounds(length: int, limit: int, overlap: int) -> list[tuple[int, int]]:
    """Windows of at most `limit` that together cover `length`, each sharing `overlap` with the next."""
    if length <= limit:
        return [(0, length)]
    starts = range(0, length - overlap, limit - overlap)
    return [(min(start, length - limit), min(start + limit, length)) for start in starts]


def whole(windows: Vectors, bounds: Sequence[tuple[int, int]]) -> Vectors:
    """One unit vector for a text: its windows' mean, each weighing what it adds."""
    if len(bounds) == 1:
        first: Vectors = windows[0]
        return first
    ends = [0, *(end for _, end in bounds)]
    weights = np.diff(np.asarray(ends)).astype(np.float32)
    return kept(unit(weights @ windows))


def unit(vectors: Vectors) -> Vectors:
    """The same directions, at length one; what has no direction stays at zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def kept(rows: Vectors) -> Vectors:
    """A copy of the rows, read-only: it holds no larger array alive, and nobody changes it for others."""
    own: Vectors = np.array(rows, np.float32)
    own.flags.writeable = False
    return own
