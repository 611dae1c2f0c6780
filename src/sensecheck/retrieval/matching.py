"""Closeness measured here: of references to a query, and of matches to one another."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from sensecheck.checks.assess import Staircase, validate_sizes
from sensecheck.core.backends import Backends, Encoder, Vectors
from sensecheck.core.errors import CannotJudge, SampleError, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.match import Match, NotSelected, Retrieved, UnreadReference, require_matches
from sensecheck.retrieval.selection import Dropped

References = Iterable[str | Match]
"""What a retriever gave: bare texts, or matches that have their similarity already."""
_ReferenceList = Sequence[str | Match]

_UNIT = 1e-6
"""How far the square of a unit vector's length may be from 1, by arithmetic in single precision."""
_MAX_COMPARED = 5_000
"""How many matches are compared with each other in one step: 25 million pairs, 100 MB."""


def matched(query: str, references: References, encoder: Encoder) -> tuple[Match, ...]:
    """Each reference as a match, in the order given; a text that cannot be read raises `Unreadable`."""
    return require_matches(next(matched_each([(query, references)], encoder)))


def matched_each(
    queries: Iterable[tuple[str, References]],
    encoder: Encoder | None,
    *,
    batch_size: int = 256,
    cache_size: int = 8192,
) -> Iterator[Retrieved | NotSelected]:
    """What was measured for each (query, references), in order; each distinct text is encoded once.

    A reference that cannot be read stands apart; a query that cannot be read has no matches. Queries are
    taken `batch_size` at a time; the `cache_size` texts used last stay encoded. No encoder is needed where
    every reference is a match already.
    """
    validate_sizes(batch_size, cache_size)
    answerers = Backends(None if encoder is None else remembering(encoder, cache_size))
    stream = map(_checked_query, queries)
    while batch := list(islice(stream, batch_size)):
        texts = (text for query, references in batch for text in _texts_to_encode(query, references))
        space = Staircase(answerers, strict=True).answer(Needs(texts=tuple(dict.fromkeys(texts))))
        for query, references in batch:
            yield _retrieved(query, references, space)


def missing_vectors(matches: Sequence[Match]) -> Needs:
    """The texts of the matches that did not bring their vectors."""
    return Needs(texts=tuple(match.text for match in matches if match.vector is None))


def compared(
    matches: Sequence[Match], space: Space, stage: str
) -> tuple[list[Match], Vectors, tuple[Dropped, ...]]:
    """The matches, and how close each lies to each; what cannot be read may not pass, and says why."""
    _require_comparable(matches, space, stage)
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
    if any(abs(square - 1) > _UNIT for square in squares):
        lengths = np.sqrt(near.diagonal())
        near = near / (lengths[:, None] * lengths)
    return (
        [match for (match, _), has_direction in zip(placed, points, strict=True) if has_direction],
        near,
        tuple(Dropped(match, stage, f"cannot be compared with the others: {why}") for match, why in unread),
    )


def _checked_query(asked: tuple[str, References]) -> tuple[str, _ReferenceList]:
    """A query and its references; what is no string, such as None, is an error."""
    if not isinstance(asked, tuple | list) or len(asked) != 2:
        raise SampleError(f"each query must be (query, references); got {type(asked).__name__}")
    query, references = asked
    if not isinstance(query, str):
        raise SampleError(f"`query` must be a string; got {type(query).__name__}")
    return query, _checked_references(references)


def _checked_references(references: References) -> _ReferenceList:
    """The references, gone through once; what is neither a text nor a match is an error."""
    if isinstance(references, str | Match):
        raise SampleError(f"references must be a list; got one {type(references).__name__}")
    if isinstance(references, Mapping) or not isinstance(references, Iterable):
        raise SampleError(f"references must be a list of strings or matches; got {type(references).__name__}")
    listed = tuple(references)
    for at, reference in enumerate(listed):
        if not isinstance(reference, str | Match):
            raise SampleError(f"reference {at} must be a string or a match; got {type(reference).__name__}")
    return listed


def _texts_to_encode(query: str, references: _ReferenceList) -> list[str]:
    texts = [reference for reference in references if isinstance(reference, str)]
    return [query, *texts] if texts else []


def _retrieved(query: str, references: _ReferenceList, space: Space) -> Retrieved | NotSelected:
    texts = [reference for reference in references if isinstance(reference, str)]
    try:
        if texts:
            space.vector(query)
    except Unreadable as reason:
        return NotSelected(query, Unreadable(f"the query cannot be read: {reason}"))
    unread = tuple(
        UnreadReference(reference, space.failed[reference], place)
        for place, reference in enumerate(references)
        if isinstance(reference, str) and reference in space.failed
    )
    read = [text for text in texts if text not in space.failed]
    near = iter(space.similarities(query, read).tolist() if read else ())
    return Retrieved(
        query,
        tuple(
            reference
            if isinstance(reference, Match)
            else Match(reference, next(near), encoder=space.encoder, vector=space.vector(reference))
            for reference in references
            if isinstance(reference, Match) or reference not in space.failed
        ),
        unread,
    )


def _require_comparable(matches: Sequence[Match], space: Space, stage: str) -> None:
    if len(matches) > _MAX_COMPARED:
        raise CannotJudge(
            f"the stage `{stage}` compares all pairs of at most {_MAX_COMPARED} matches; got {len(matches)}; "
            "put `top` before it"
        )
    marks = {space.encoder if match.vector is None else match.encoder for match in matches} - {None}
    if len(marks) > 1:
        encoders = " and ".join(sorted(f"`{mark}`" for mark in marks))
        raise CannotJudge(f"the stage `{stage}` compares vectors of one encoder; got those of {encoders}")


def _stacked(rows: Sequence[Vectors], stage: str) -> Vectors:
    if not rows:
        return np.empty((0, 0), np.float32)
    if any(row.shape != rows[0].shape for row in rows):
        lengths = ", ".join(str(length) for length in sorted({row.size for row in rows}))
        raise CannotJudge(
            f"the stage `{stage}` compares vectors of one encoder; got vectors of {lengths} numbers"
        )
    return np.asarray(rows, np.float32)
