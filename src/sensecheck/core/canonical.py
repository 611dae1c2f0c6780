"""The one form in which a text is placed and cached."""

import hashlib
import unicodedata
from bisect import bisect_right


def canonical(text: str) -> str:
    """The text in Unicode composition (NFC): `é` written in one or in two code points is one text."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def text_key(text: str) -> bytes:
    """A digest of the canonical text, the same on every machine."""
    return hashlib.blake2b(canonical(text).encode(), digest_size=20).digest()


def original_offset(text: str, offset: int) -> int:
    """Where in `text` the character `offset` of its canonical form begins."""
    return bisect_right(range(len(text) + 1), offset, key=lambda i: len(canonical(text[:i]))) - 1
