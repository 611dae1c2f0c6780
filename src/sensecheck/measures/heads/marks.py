"""Short hashes of answers: enough to know one again, too little to read it."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable

from sensecheck.core.unicode import squeezed

_SIZE = 6
"""Bytes a mark: of a million other answers, one in three hundred million would be taken for a known one."""


def mark_of(text: str) -> bytes:
    """The mark of an answer, the same whatever its spaces and case."""
    return hashlib.blake2b(squeezed(text).encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()


def marks_of(texts: Iterable[str]) -> bytes:
    """The marks of many answers, sorted, one behind the other."""
    return b"".join(sorted({mark_of(text) for text in texts}))


def is_marked(text: str, marks: bytes) -> bool:
    """Whether the mark of an answer is among these."""
    mark, places = mark_of(text), range(0, len(marks), _SIZE)
    found = bisect_left(places, mark, key=lambda i: marks[i : i + _SIZE]) * _SIZE
    return marks[found : found + _SIZE] == mark
