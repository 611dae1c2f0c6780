"""An encoder and a pair scorer that remember in memory: what was used last is not computed again."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

from sensecheck.core.backends import Embedding, Encoder, PairScore, PairScorer
from sensecheck.core.loading import scores_of
from sensecheck.core.space import encode_distinct
from sensecheck.encoders.wrappers import EncoderWrapper

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
TOKENS = 40_000
"""How many token vectors are remembered: about 60 MB of a model with 384 dimensions."""


class Memory(Generic[K, V]):
    """The values used last, as many as there is room for; safe for several threads at once."""

    def __init__(self, room: int, size: Callable[[V], int] = lambda value: 1) -> None:
        self._room = room
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def values_of(self, keys: Sequence[K], compute: Callable[[list[K]], Mapping[K, V]]) -> dict[K, V]:
        """What belongs to these keys; what is not remembered is computed, all of it at once."""
        with self._lock:
            values = {key: self._values[key] for key in keys if key in self._values}
            for key in values:
                self._values.move_to_end(key)
        missing = [key for key in dict.fromkeys(keys) if key not in values]
        if missing:
            computed = compute(missing)
            self._keep(computed)
            values.update(computed)
        return values

    def _keep(self, fresh: Mapping[K, V]) -> None:
        """Remember these, and forget what was used longest ago."""
        with self._lock:
            for key, value in fresh.items():
                if key not in self._values:
                    self._values[key] = value
                    self._room -= self._size(value)
            while self._room < 0:
                self._room += self._size(self._values.popitem(last=False)[1])


class Remembered(EncoderWrapper):
    """The same vectors as the encoder inside; safe for several threads at once."""

    def __init__(self, inner: Encoder, texts: int) -> None:
        super().__init__(inner)
        self._embeddings: Memory[str, Embedding] = Memory(texts)
        self._by_token: Memory[str, Embedding] = Memory(TOKENS, _tokens)

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """One embedding per text, in order; of embeddings token by token, which are large, fewer are kept."""
        memory = self._by_token if tokens else self._embeddings
        compute = partial(encode_distinct, self._inner, tokens=tokens)
        embeddings = memory.values_of(texts, compute)
        return [embeddings[text] for text in texts]


def _tokens(embedding: Embedding) -> int:
    return 1 if embedding.tokens is None else 1 + len(embedding.tokens.spans)


class RememberedPairs:
    """The same scores as the pair scorer inside; safe for several threads at once."""

    def __init__(self, inner: PairScorer, pairs: int) -> None:
        self._inner = inner
        self._scored: Memory[tuple[str, str], PairScore] = Memory(pairs)

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        return self._inner.fingerprint

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        """One score per pair, in order."""
        scores = self._scored.values_of(
            pairs, lambda fresh: dict(zip(fresh, scores_of(self._inner, fresh), strict=True))
        )
        return [scores[pair] for pair in pairs]


def remembering(encoder: Encoder, texts: int) -> Encoder:
    """The encoder with a memory of so many texts; one that remembers already stays as it is."""
    return encoder if isinstance(encoder, Remembered) else Remembered(encoder, texts)


def remembering_pairs(scorer: PairScorer, pairs: int) -> PairScorer:
    """The pair scorer with a memory of so many pairs; one that remembers already stays as it is."""
    return scorer if isinstance(scorer, RememberedPairs) else RememberedPairs(scorer, pairs)
