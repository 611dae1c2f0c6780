"""An encoder that is tried before it is trusted."""

from collections.abc import Sequence

from sensecheck.core.encoder import Encoder, Placement
from sensecheck.encoders.around import Around
from sensecheck.encoders.invariance import must_be_invariant


class Admitted(Around):
    """Proves on first use that the encoder inside is batch-invariant, or nearly; if not, places nothing."""

    def __init__(self, inner: Encoder) -> None:
        super().__init__(inner)
        self._proved = False

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """What the encoder inside gives."""
        if not self._proved:
            must_be_invariant(self._inner, nearly=True)
            self._proved = True
        return self._inner.place(texts, tokens=tokens)
