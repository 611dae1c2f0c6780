"""Placements as bytes, and back."""

import struct

import numpy as np

from sensecheck.core.encoder import Placement

_HEAD = struct.Struct("<III")
"""Windows, dimension, unread characters."""
_SPAN_BYTES = 8
PLAIN_HEAD = _HEAD.size + _SPAN_BYTES
"""How many bytes stand before the vector of a placement with one window."""


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
