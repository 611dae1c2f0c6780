"""Placements and pair scores as bytes, and back."""

import math
import struct
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np

from sensecheck.core.encoder import PairScore, Placement

_HEAD = struct.Struct("<III")
"""Windows, dimension, unread characters."""
_SPAN_BYTES = 8
PLAIN_HEAD = _HEAD.size + _SPAN_BYTES
"""How many bytes stand before the vector of a placement with one window."""
_PAIR = struct.Struct("<BBBBIIIdd")
"""The shape, the widths of a step and of a score, whether `contradicted` is told; the numbers of spans, of
scores and of unread characters; both values."""
_PAIR_SHAPE = 0xA1
_STEPS = {1: "<u1", 4: "<i4"}
_SCORES = {4: "<f4", 8: "<f8"}


def packed(placement: Placement) -> bytes:
    """A placement as bytes, without its tokens."""
    count, dimension = placement.windows.shape
    whole = placement.vector.astype("<f4").tobytes() if count > 1 else b""
    spans = np.asarray(placement.spans, "<i4").tobytes()
    head = _HEAD.pack(count, dimension, placement.unread_chars)
    return head + spans + placement.windows.astype("<f4").tobytes() + whole


def unpacked(body: bytes) -> Placement | None:
    """The placement that `packed` wrote; None when the bytes were damaged since."""
    if not isinstance(body, bytes) or len(body) < _HEAD.size:
        return None
    count, dimension, unread = _HEAD.unpack_from(body)
    rows = count + 1 if count > 1 else 1
    spans_end = _HEAD.size + _SPAN_BYTES * count
    if not count or not dimension or len(body) != spans_end + 4 * rows * dimension:
        return None
    spans = np.frombuffer(body, "<i4", 2 * count, _HEAD.size).reshape(count, 2)
    vectors = np.frombuffer(body, "<f4", rows * dimension, spans_end).reshape(rows, dimension)
    return Placement(vectors[-1], tuple((int(a), int(b)) for a, b in spans), vectors[:count], unread)


def is_plain(body: bytes) -> bool:
    """Whether it is a head of `PLAIN_HEAD` bytes and one vector of float32, as most are."""
    if len(body) <= PLAIN_HEAD:
        return False
    count, dimension, _ = _HEAD.unpack_from(body)
    return count == 1 and len(body) == PLAIN_HEAD + 4 * int(dimension)


def packed_score(score: PairScore) -> bytes:
    """A pair's score as bytes: every bit of it, in six bytes for a word as most are."""
    steps = _steps(score.spans)
    step = 1 if all(0 <= one < 256 for one in steps) else 4
    wide = np.asarray(score.scores, "<f8")
    with np.errstate(over="ignore"):
        narrow = wide.astype("<f4")
    size = 4 if narrow.astype("<f8").tobytes() == wide.tobytes() else 8
    told = score.contradicted is not None
    head = _PAIR.pack(
        _PAIR_SHAPE,
        step,
        size,
        told,
        len(score.spans),
        len(score.scores),
        score.unread_chars,
        score.value,
        score.contradicted or 0.0,
    )
    return head + np.asarray(steps, _STEPS[step]).tobytes() + wide.astype(_SCORES[size]).tobytes()


def unpacked_score(body: bytes) -> PairScore | None:
    """The score that `packed_score` wrote; None when the bytes were damaged since."""
    if not isinstance(body, bytes) or len(body) < _PAIR.size:
        return None
    shape, step, size, told, spans, scores, unread, value, contradicted = _PAIR.unpack_from(body)
    if shape != _PAIR_SHAPE or step not in _STEPS or size not in _SCORES or told > 1:
        return None
    middle = _PAIR.size + 2 * spans * step
    if len(body) != middle + scores * size or not (math.isfinite(value) and math.isfinite(contradicted)):
        return None
    edges = np.cumsum(np.frombuffer(body, _STEPS[step], 2 * spans, _PAIR.size), dtype=np.int64).tolist()
    return PairScore(
        value,
        tuple(zip(edges[::2], edges[1::2], strict=True)),
        tuple(np.frombuffer(body, _SCORES[size], scores, middle).tolist()),
        unread,
        contradicted if told else None,
    )


def _steps(spans: Sequence[tuple[int, int]]) -> list[int]:
    """From each edge of the spans to the next: small numbers, where spans follow each other."""
    return [after - before for before, after in pairwise((0, *chain.from_iterable(spans)))]
