"""An encoder that remembers on disk: a text is encoded once, ever."""

from collections.abc import Mapping, Sequence

from sensecheck.core.canonical import text_key
from sensecheck.core.encoder import Encoder, Placement
from sensecheck.core.placing import placed_by
from sensecheck.encoders.around import Around
from sensecheck.encoders.caches.keeper import Keeper
from sensecheck.encoders.caches.packed import packed, unpacked


class Cached(Around):
    """The same vectors as the encoder inside, kept by its fingerprint and the text's digest.

    Where somebody else kept a text's vectors first, in this moment or years ago, those are given.
    """

    def __init__(self, inner: Encoder, keeper: Keeper) -> None:
        super().__init__(inner)
        self._keeper = keeper

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order; token vectors are not kept."""
        if tokens:
            return self._inner.place(texts, tokens=True)
        keys = {text: text_key(text) for text in texts}
        known = self._recalled(list(dict.fromkeys(keys.values())))
        fresh = placed_by(self._inner, [text for text in keys if keys[text] not in known])
        known |= self._kept({keys[text]: placement for text, placement in fresh.items()})
        return [known[keys[text]] for text in texts]

    def _recalled(self, keys: Sequence[bytes]) -> dict[bytes, Placement]:
        """What is kept; what was damaged since is let go of."""
        read = {key: unpacked(body) for key, body in self._keeper.read(self.fingerprint, keys).items()}
        damaged = [key for key, found in read.items() if found is None]
        if damaged:
            self._keeper.drop(self.fingerprint, damaged)
        return {key: found for key, found in read.items() if found is not None}

    def _kept(self, fresh: Mapping[bytes, Placement]) -> dict[bytes, Placement]:
        """The placements, but those of others that were kept first."""
        if not fresh:
            return {}
        bodies = {key: packed(placement) for key, placement in fresh.items()}
        first = {key: unpacked(body) for key, body in self._keeper.write(self.fingerprint, bodies).items()}
        return {**fresh} | {key: found for key, found in first.items() if found is not None}
