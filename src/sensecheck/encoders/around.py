"""What all encoders share that are put around another one."""

from collections.abc import Sequence

from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.errors import EncoderError


class Around:
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

    def _placed_inside(self, texts: Sequence[str]) -> dict[str, Placement]:
        """Each text with its placement, once it is sure that there is one for each."""
        placements = self._inner.place(texts) if texts else ()
        if len(placements) != len(texts):
            raise EncoderError(
                f"the encoder `{self.name}` gave {len(placements)} placements for {len(texts)} texts"
            )
        return dict(zip(texts, placements, strict=True))
