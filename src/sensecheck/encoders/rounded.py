"""An encoder whose vectors are rounded to float16, so that they can be kept in half the room."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sensecheck.core.encoder import Placement, Vectors
from sensecheck.encoders.around import Around


class Rounded(Around):
    """The vectors of the encoder inside, rounded to float16 and given, and decided on, in float32.

    They are rounded before they are kept: whoever made a text's vector and whoever reads it decide the same.
    The fingerprint tells; a cutoff that was fitted for the encoder inside is not meant for this one.
    """

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return f"{self._inner.fingerprint}:float16"

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> list[Placement]:
        """One placement a text, in order; the vectors of tokens, which are not kept, are not rounded."""
        return [
            replace(one, vector=_rounded(one.vector), windows=_rounded(one.windows))
            for one in self._inner.place(texts, tokens=tokens)
        ]


def _rounded(vectors: Vectors) -> Vectors:
    return vectors.astype(np.float16).astype(np.float32)
