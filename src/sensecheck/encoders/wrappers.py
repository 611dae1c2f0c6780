"""Encoders around another one: their common base, one that rounds to float16; and one that is unavailable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np

from sensecheck.core.backends import Embedding, Encoder, Vectors
from sensecheck.core.errors import Unreachable


class EncoderWrapper:
    """An encoder inside: what it is called, and what its vectors are, it says itself."""

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """What people call it."""
        return self._inner.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._inner.dimension


class Rounded(EncoderWrapper):
    """The vectors of the encoder inside, rounded to float16 and given, and decided on, in float32.

    So they can be kept in half the space. They are rounded before they are kept: whoever made a text's vector
    and whoever reads it decide the same.
    The fingerprint tells; a cutoff that was fitted for the encoder inside is not meant for this one.
    """

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return f"{self._inner.fingerprint}:float16"

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding per text, in order; the vectors of tokens, which are not kept, are not rounded."""
        return [
            replace(embedding, vector=_rounded(embedding.vector), windows=_rounded(embedding.windows))
            for embedding in self._inner.encode(texts, tokens=tokens)
        ]


@dataclass(frozen=True, slots=True)
class Silent:
    """Stands for an encoder that does not answer, so that it is not asked again and again; says why."""

    name: str
    because: str

    @property
    def fingerprint(self) -> str:
        """Not known."""
        raise Unreachable(self.because)

    @property
    def dimension(self) -> int:
        """Not known."""
        raise Unreachable(self.because)

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> NoReturn:
        """Nowhere; text by text it would be no better."""
        raise Unreachable(self.because)


def _rounded(vectors: Vectors) -> Vectors:
    return vectors.astype(np.float16).astype(np.float32)
