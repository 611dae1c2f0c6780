"""Where matches lie, for stages that compare them with each other."""

import math
from collections.abc import Sequence

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import CannotJudge, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped

UNIT = 1e-6
"""How far the square of a unit vector's length may lie from 1, by arithmetic in single precision."""
MOST = 5_000
"""How many matches are compared with each other at once: 25 million pairs, 100 MB."""


def wanted_vectors(matches: Sequence[Match]) -> Needs:
    """The texts of the matches that did not bring their vectors."""
    return Needs(texts=tuple(match.text for match in matches if match.vector is None))


def compared(
    matches: Sequence[Match], space: Space, stage: str
) -> tuple[list[Match], Vectors, tuple[Dropped, ...]]:
    """The matches, and how close each lies to each; what cannot be read may not pass, and says why."""
    _must_be_comparable(matches, space, stage)
    placed: list[tuple[Match, Vectors]] = []
    unread: list[tuple[Match, str]] = []
    for match in matches:
        try:
            placed.append((match, space.vector(match.text) if match.vector is None else match.vector))
        except Unreadable as reason:
            unread.append((match, str(reason)))
    rows = _stacked([row for _, row in placed], stage)
    with np.errstate(invalid="ignore", over="ignore"):  # such rows are told below
        near = rows @ rows.T
    squares = near.diagonal().tolist()
    points = [0 < square < math.inf for square in squares]
    if not all(points):
        unread += [
            (match, "its vector has no direction")
            for (match, _), has_direction in zip(placed, points, strict=True)
            if not has_direction
        ]
        near = near[np.ix_(points, points)]
    if any(abs(square - 1) > UNIT for square in squares):
        lengths = np.sqrt(near.diagonal())
        near = near / (lengths[:, None] * lengths)
    return (
        [match for (match, _), has_direction in zip(placed, points, strict=True) if has_direction],
        near,
        tuple(Dropped(match, stage, f"cannot be compared with the others: {why}") for match, why in unread),
    )


def _must_be_comparable(matches: Sequence[Match], space: Space, stage: str) -> None:
    if len(matches) > MOST:
        raise CannotJudge(
            f"the stage `{stage}` compares all pairs, of at most {MOST} matches; found {len(matches)}; "
            "put `top` before it"
        )
    marks = {space.encoder if match.vector is None else match.encoder for match in matches} - {None}
    if len(marks) > 1:
        found = " and ".join(sorted(f"`{mark}`" for mark in marks))
        raise CannotJudge(f"the stage `{stage}` compares vectors of one encoder; found those of {found}")


def _stacked(rows: Sequence[Vectors], stage: str) -> Vectors:
    if not rows:
        return np.empty((0, 0), np.float32)
    if any(row.shape != rows[0].shape for row in rows):
        lengths = ", ".join(str(length) for length in sorted({row.size for row in rows}))
        raise CannotJudge(
            f"the stage `{stage}` compares vectors of one encoder; found vectors of {lengths} numbers"
        )
    return np.asarray(rows, np.float32)
