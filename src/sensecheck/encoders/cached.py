"""An encoder that remembers on disk: a text is encoded once, ever."""

import struct
from collections.abc import Sequence

import numpy as np

from sensecheck.core.canonical import text_key
from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.placing import placed_by
from sensecheck.encoders.around import Around
from sensecheck.encoders.vector_file import VectorFile

_HEAD = struct.Struct("<III")
"""Windows, dimension, unread characters."""


class Cached(Around):
    """The same vectors as the encoder inside, kept by its fingerprint and the text's digest."""

    def __init__(self, inner: Encoder, file: VectorFile) -> None:
        super().__init__(inner)
        self._file = file

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order; token vectors are not kept."""
        if tokens:
            return self._inner.place(texts, tokens=True)
        keys = {text: text_key(text) for text in texts}
        held = self._file.read(self.fingerprint, list(dict.fromkeys(keys.values())))
        read = {key: unpacked(body) for key, body in held.items()}
        known = {text: found for text, key in keys.items() if (found := read.get(key)) is not None}
        fresh = placed_by(self._inner, [text for text in keys if text not in known])
        damaged = [key for key, found in read.items() if found is None]
        if damaged:
            self._file.drop(self.fingerprint, damaged)
        if fresh:
            self._file.write(self.fingerprint, {keys[text]: packed(one) for text, one in fresh.items()})
        placed = known | fresh
        return [placed[text] for text in texts]


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
    spans_end = _HEAD.size + 8 * count
    if not count or not dimension or len(body) != spans_end + 4 * rows * dimension:
        return None
    spans = np.frombuffer(body, "<i4", 2 * count, _HEAD.size).reshape(count, 2)
    vectors = np.frombuffer(body, "<f4", rows * dimension, spans_end).reshape(rows, dimension)
    return Placement(vectors[-1], tuple((int(a), int(b)) for a, b in spans), vectors[:count], unread)
