"""An encoder and a pair scorer that remember on disk: a text is encoded, and a pair scored, once, ever."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from sensecheck.core.canonical import pair_key, text_key
from sensecheck.core.encoder import Encoder, PairScore, PairScorer, Placement
from sensecheck.core.placing import placed_by
from sensecheck.core.verifying import scores_of
from sensecheck.encoders.around import Around
from sensecheck.encoders.caches.keeper import Keeper
from sensecheck.encoders.caches.packed import packed, packed_score, unpacked, unpacked_score

V = TypeVar("V")
PAIRS_AT_ONCE = 2048
"""After so many pairs their scores are kept: what breaks a long run off then costs no more than these."""


class Values(Generic[V]):
    """Values in a keeper of bytes; where somebody else kept one first, at any time, that one is given."""

    def __init__(
        self, keeper: Keeper, pack: Callable[[V], bytes], unpack: Callable[[bytes], V | None]
    ) -> None:
        self._keeper = keeper
        self._pack = pack
        self._unpack = unpack

    def recalled(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, V]:
        """What is kept; what was damaged since is let go of."""
        read = {key: self._unpack(body) for key, body in self._keeper.read(maker, keys).items()}
        damaged = [key for key, found in read.items() if found is None]
        if damaged:
            self._keeper.drop(maker, damaged)
        return {key: found for key, found in read.items() if found is not None}

    def kept(self, maker: str, fresh: Mapping[bytes, V]) -> dict[bytes, V]:
        """The values, but those of others that were kept first."""
        if not fresh:
            return {}
        bodies = {key: self._pack(value) for key, value in fresh.items()}
        first = {key: self._unpack(body) for key, body in self._keeper.write(maker, bodies).items()}
        return {**fresh} | {key: found for key, found in first.items() if found is not None}


class Cached(Around):
    """The same vectors as the encoder inside, kept by its fingerprint and the text's digest."""

    def __init__(self, inner: Encoder, keeper: Keeper) -> None:
        super().__init__(inner)
        self._values = Values(keeper, packed, unpacked)

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order; token vectors are not kept."""
        if tokens:
            return self._inner.place(texts, tokens=True)
        keys = {text: text_key(text) for text in texts}
        known = self._values.recalled(self.fingerprint, list(dict.fromkeys(keys.values())))
        fresh = placed_by(self._inner, [text for text in keys if keys[text] not in known])
        known |= self._values.kept(
            self.fingerprint, {keys[text]: placement for text, placement in fresh.items()}
        )
        return [known[keys[text]] for text in texts]


class CachedPairs:
    """The same scores as the pair scorer inside, kept by its fingerprint and the pair's digest."""

    def __init__(self, inner: PairScorer, keeper: Keeper) -> None:
        self._inner = inner
        self._values = Values(keeper, packed_score, unpacked_score)

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        return self._inner.fingerprint

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        """One score a pair, in order."""
        keys = {pair: pair_key(*pair) for pair in pairs}
        if not keys:
            return []
        maker = self.fingerprint
        known = self._values.recalled(maker, list(keys.values()))
        fresh = [pair for pair in keys if keys[pair] not in known]
        if len(fresh) > PAIRS_AT_ONCE:  # those of like length together, as the scorer would have them
            fresh.sort(key=lambda pair: -len(pair[0]) - len(pair[1]))
        for start in range(0, len(fresh), PAIRS_AT_ONCE):
            some = fresh[start : start + PAIRS_AT_ONCE]
            scores = zip(some, scores_of(self._inner, some), strict=True)
            known |= self._values.kept(maker, {keys[pair]: score for pair, score in scores})
        return [known[keys[pair]] for pair in pairs]
