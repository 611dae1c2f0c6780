"""An encoder that is tried before it is trusted."""

from collections.abc import Sequence

from sensecheck.core.encoder import Encoder, Placement
from sensecheck.encoders.invariance import must_be_invariant


class Admitted:
    """Proves on first use that the encoder inside is batch-invariant, or nearly; if not, places nothing."""

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner
        self._proved = False

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

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """What the encoder inside gives."""
        if not self._proved:
            must_be_invariant(self._inner, nearly=True)
            self._proved = True
        return self._inner.place(texts, tokens=tokens)
