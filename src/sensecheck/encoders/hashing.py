"""Words hashed into buckets: no model, no meaning, very fast. For unit tests."""

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from sensecheck.core.backends import Embedding, TokenVectors, Vectors
from sensecheck.encoders.transformer import read_only_copy, unit


class HashingEncoder:
    """Texts that share words are near each other; that is all it knows."""

    name = "hashing"

    def __init__(self, dimension: int = 256) -> None:
        self._dimension = dimension

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return f"hashing:{self._dimension}:1"

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._dimension

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding per text, in order."""
        return [self._embedding(text, tokens=tokens) for text in texts]

    def _embedding(self, text: str, *, tokens: bool) -> Embedding:
        matches = list(re.finditer(r"\w+|[^\w\s]", text))
        digests = [crc32(match.group().lower().encode("utf-8", "surrogatepass")) for match in matches]
        places = np.array([digest % self._dimension for digest in digests], np.intp)
        signs = np.array([1.0 if digest & 0x10000 else -1.0 for digest in digests], np.float32)
        whole = np.bincount(places, signs, self._dimension) if matches else np.ones(self._dimension)
        vector: Vectors = read_only_copy(unit(whole.astype(np.float32)))
        words = None
        if tokens:
            rows = np.zeros((len(matches), self._dimension), np.float32)
            rows[np.arange(len(matches)), places] = signs
            words = TokenVectors(tuple(match.span() for match in matches), read_only_copy(rows))
        return Embedding(vector, ((0, len(text)),), vector[None, :], tokens=words)
