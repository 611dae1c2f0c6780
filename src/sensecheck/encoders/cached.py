"""An encoder that remembers on disk: a text is encoded once, ever."""

import struct
from collections.abc import Sequence

import numpy as np

from sensecheck.core.canonical import text_key
from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.errors import CacheError
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
        known = {text: unpacked(held[key]) for text, key in keys.items() if key in held}
        fresh = [text for text in keys if text not in known]
        placements = dict(zip(fresh, self._inner.place(fresh), strict=True)) if fresh else {}
        if placements:
            self._file.write(self.fingerprint, {keys[text]: packed(p) for text, p in placements.items()})
        return [known[text] if text in known else placements[text] for text in texts]


def packed(placement: Placement) -> bytes:
    """A placement as bytes, without its tokens."""
    count, dimension = placement.windows.shape
    whole = placement.vector.astype("<f4").tobytes() if count > 1 else b""
    spans = np.asarray(placement.spans, "<i4").tobytes()
    head = _HEAD.pack(count, dimension, placement.unread_chars)
    return head + spans + placement.windows.astype("<f4").tobytes() + whole


def unpacked(body: bytes) -> Placement:
    """The placement that `packed` wrote."""
    count, dimension, unread = _HEAD.unpack_from(body)
    rows = count + 1 if count > 1 else 1
    spans_end = _HEAD.size + 8 * count
    if len(body) != spans_end + 4 * rows * dimension:
        raise CacheError("a vector in the cache is damaged; clear it with `sensecheck cache clear --all`")
    spans = np.frombuffer(body, "<i4", 2 * count, _HEAD.size).reshape(count, 2)
    vectors = np.frombuffer(body, "<f4", rows * dimension, spans_end).reshape(rows, dimension)
    return Placement(vectors[-1], tuple((int(a), int(b)) for a, b in spans), vectors[:count], unread)
