"""An encoder that remembers in memory: the texts used last are not encoded again."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.placing import placed_by
from sensecheck.encoders.around import Around


class Remembered(Around):
    """The same vectors as the encoder inside; safe for several threads at once."""

    def __init__(self, inner: Encoder, texts: int) -> None:
        super().__init__(inner)
        self._texts = texts
        self._placed: OrderedDict[str, Placement] = OrderedDict()
        self._lock = Lock()

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order; token vectors are too large to be kept."""
        if tokens:
            return self._inner.place(texts, tokens=True)
        known = self._recalled(texts)
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            known.update(placed_by(self._inner, fresh))
            self._keep({text: known[text] for text in fresh})
        return [known[text] for text in texts]

    def _recalled(self, texts: Sequence[str]) -> dict[str, Placement]:
        with self._lock:
            known = {text: self._placed[text] for text in texts if text in self._placed}
            for text in known:
                self._placed.move_to_end(text)
        return known

    def _keep(self, fresh: dict[str, Placement]) -> None:
        with self._lock:
            self._placed.update(fresh)
            while len(self._placed) > self._texts:
                self._placed.popitem(last=False)


def remembering(encoder: Encoder, texts: int) -> Encoder:
    """The encoder with a memory of so many texts; one that remembers already stays as it is."""
    return encoder if isinstance(encoder, Remembered) else Remembered(encoder, texts)
