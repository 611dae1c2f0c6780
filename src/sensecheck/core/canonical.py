"""The one form in which a text is placed and cached."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence


def canonical(text: str) -> str:
    """The text in Unicode composition (NFC): `é` written in one or in two code points is one text."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def squeezed(text: str) -> str:
    """The text without what a copy may differ in: case and the width of its spaces."""
    return " ".join(canonical(text).casefold().split())


def text_key(text: str) -> bytes:
    """A digest of the text as it is given, the same on every machine."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()


def pair_key(first: str, second: str) -> bytes:
    """A digest of two texts in their order; where the first one ends is part of it."""
    one, other = (text.encode("utf-8", "surrogatepass") for text in (first, second))
    return hashlib.blake2b(len(one).to_bytes(8, "little") + one + other, digest_size=20).digest()


def original_offsets(text: str) -> list[int]:
    """Where in `text` each character of its canonical form begins; and, last, where the text ends."""
    table: list[int] = []
    for piece in _PIECE.finditer(text):
        table += [piece.start() + offset for offset in _within(piece.group())]
    return [*table, len(text)]


def _within(piece: str) -> Sequence[int]:
    """The same for a piece that composes with nothing around it; a very long one counts as one character."""
    count = len(canonical(piece))
    if count == len(piece):
        return range(count)
    if len(piece) > _LONGEST_PIECE:
        return [0] * count
    lengths = [len(canonical(piece[:end])) for end in range(len(piece) + 1)]
    return [max(i for i, length in enumerate(lengths) if length <= offset) for offset in range(count)]


_LONGEST_PIECE = 64
_PIECE = re.compile(r"[\x00-\x7f]+(?![^\x00-\x7f])|[\x00-\x7f]?[^\x00-\x7f]+")
"""Plain ASCII, or what follows one ASCII character: nothing composes across the borders."""
