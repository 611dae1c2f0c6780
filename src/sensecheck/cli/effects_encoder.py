"""Whether an encoder was asked at all, so that a report names it only then."""

from collections.abc import Sequence

from sensecheck.core.encoder import Encoder, Placement
from sensecheck.encoders.around import Around


class NotingEncoder(Around):
    """The same vectors; it is noted that somebody wanted some."""

    def __init__(self, inner: Encoder) -> None:
        super().__init__(inner)
        self.was_asked = False

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order."""
        self.was_asked = self.was_asked or bool(texts)
        return self._inner.place(texts, tokens=tokens)
