"""One of several processes that place the same texts at once: `python -m … ADDRESS PREFIX NUMBER`.

Each has vectors of its own, as machines may that differ in their last digit; it prints what it was given.
"""

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sensecheck.core.backends import Embedding
from sensecheck.encoders.disk_cache import CachedEncoder, packed
from sensecheck.encoders.hashing import HashingEncoder
from tests.encoders.caches.kept_at import opened_at

TEXTS = [f"text number {number}" for number in range(12)]


class Moved(HashingEncoder):
    """An encoder whose vectors are moved by a number, which its fingerprint does not tell."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """The embeddings, moved."""
        moved = np.float32(self._number * 1e-6)
        placed = super().encode(texts, tokens=tokens)
        return [replace(one, vector=one.vector + moved, windows=one.windows + moved) for one in placed]


def digests(placed: Sequence[Embedding]) -> str:
    """What was given, in a line that tells every bit."""
    return " ".join(hashlib.sha256(packed(one)).hexdigest()[:12] for one in placed)


def main() -> None:
    """Place the texts in portions, from a place of its own, and print what was given for each."""
    address, prefix, number = sys.argv[1:]
    cached = CachedEncoder(Moved(int(number)), opened_at(address, prefix))
    given: dict[str, Embedding] = {}
    print("ready", flush=True)
    sys.stdin.readline()
    turn = 3 * int(number)
    order = TEXTS[turn:] + TEXTS[:turn]
    for start in range(0, len(order), 6):
        some = order[start : start + 6]
        given |= zip(some, cached.encode(some), strict=True)
    print(digests([given[text] for text in TEXTS]))


if __name__ == "__main__":
    main()
