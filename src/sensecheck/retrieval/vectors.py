"""Where matches lie, for stages that compare them with each other."""

from collections.abc import Sequence

import numpy as np

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import EncoderError, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped


def wanted_vectors(matches: Sequence[Match]) -> Needs:
    """The texts of the matches that did not bring their vectors."""
    return Needs(texts=tuple(match.text for match in matches if match.vector is None))


def placed_matches(
    matches: Sequence[Match], space: Space, stage: str
) -> tuple[list[Match], Vectors, tuple[Dropped, ...]]:
    """The matches with their unit vectors, a row each; what cannot be read may not pass, and says why."""
    kept: list[Match] = []
    rows: list[Vectors] = []
    dropped: list[Dropped] = []
    for match in matches:
        try:
            rows.append(_unit(match, space))
        except Unreadable as reason:
            dropped.append(Dropped(match, stage, f"cannot be compared with the others: {reason}"))
        else:
            kept.append(match)
    if len({row.shape for row in rows}) > 1:
        lengths = ", ".join(str(length) for length in sorted({len(row) for row in rows}))
        raise EncoderError(
            f"the stage `{stage}` compares vectors of one encoder; found vectors of {lengths} numbers"
        )
    return kept, np.stack(rows) if rows else np.empty((0, 0), np.float32), tuple(dropped)


def _unit(match: Match, space: Space) -> Vectors:
    if match.vector is None:
        return space.vector(match.text)
    row = np.asarray(match.vector, np.float32)
    length = float(np.linalg.norm(row))
    if not (np.isfinite(length) and length > 0):
        raise Unreadable("its vector has no direction")
    found: Vectors = row / np.float32(length)
    return found
