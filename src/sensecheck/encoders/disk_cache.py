"""A cached encoder and a cached pair scorer: a text is encoded, and a pair scored, once, ever.

`Keeper` is the protocol of what keeps the results: on a laptop, in a cluster, behind a service. It keeps
bytes: `packed` and `packed_score` make them of embeddings and pair scores, `unpacked` and `unpacked_score`
read them back.
"""

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Generic, Protocol, TypeVar

import numpy as np

from sensecheck.core.backends import Embedding, Encoder, PairScore, PairScorer
from sensecheck.core.loading import scores_of
from sensecheck.core.space import encode_distinct
from sensecheck.core.unicode import pair_key, text_key
from sensecheck.encoders.wrappers import EncoderWrapper

V = TypeVar("V")

PAIR_BATCH_SIZE = 2048
"""After N pairs their scores are kept: what breaks a long run off then costs no more than these."""
_HEAD = struct.Struct("<III")
"""Windows, dimension, unread characters."""
_SPAN_BYTES = 8
PLAIN_HEAD = _HEAD.size + _SPAN_BYTES
"""How many bytes stand before the vector of a embedding with one window."""
_PAIR = struct.Struct("<BBBBIIIdd")
"""The shape, the widths of a step and of a score, whether `contradicted` is there; the numbers of spans, of
scores and of unread characters; both values."""
_PAIR_SHAPE = 0xA1
_STEPS = {1: "<u1", 4: "<i4"}
_SCORES = {4: "<f4", 8: "<f8"}


class Keeper(Protocol):
    """Bodies by maker and key; the first write of a key wins, so that a run repeated reads the same.

    Several processes may use one at once. It is given digests and numbers, never a text. What it cannot do
    is a `CacheError` that names it and says what to do.
    """

    @property
    def address(self) -> str:
        """Where it keeps them, without secrets."""

    @property
    def max_bytes(self) -> int | None:
        """How much it may take; None where that is for others to say."""

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that another process had written first, what is kept instead."""

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies, which were damaged."""

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""

    def used_bytes(self) -> int:
        """How much the kept bodies take."""

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were."""


class CachedEncoder(EncoderWrapper):
    """The same vectors as the encoder inside, kept by its fingerprint and the text's digest."""

    def __init__(self, inner: Encoder, keeper: Keeper) -> None:
        super().__init__(inner)
        self._values = Values(keeper, packed, unpacked)

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """One embedding per text, in order; token vectors are not kept."""
        if tokens:
            return self._inner.encode(texts, tokens=True)
        keys = {text: text_key(text) for text in texts}
        embeddings = self._values.recalled(self.fingerprint, list(dict.fromkeys(keys.values())))
        fresh = encode_distinct(self._inner, [text for text in keys if keys[text] not in embeddings])
        embeddings |= self._values.store(
            self.fingerprint, {keys[text]: embedding for text, embedding in fresh.items()}
        )
        return [embeddings[keys[text]] for text in texts]


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
        """One score per pair, in order."""
        keys = {pair: pair_key(*pair) for pair in pairs}
        if not keys:
            return []
        maker = self.fingerprint
        scores_by_key = self._values.recalled(maker, list(keys.values()))
        fresh = [pair for pair in keys if keys[pair] not in scores_by_key]
        if len(fresh) > PAIR_BATCH_SIZE:  # similar lengths together, as the scorer batches them
            fresh.sort(key=lambda pair: -len(pair[0]) - len(pair[1]))
        for start in range(0, len(fresh), PAIR_BATCH_SIZE):
            batch = fresh[start : start + PAIR_BATCH_SIZE]
            scores = zip(batch, scores_of(self._inner, batch), strict=True)
            scores_by_key |= self._values.store(maker, {keys[pair]: score for pair, score in scores})
        return [scores_by_key[keys[pair]] for pair in pairs]


class Values(Generic[V]):
    """Values in a keeper of bytes; where someone else kept one first, at any time, that one is given."""

    def __init__(
        self, keeper: Keeper, pack: Callable[[V], bytes], unpack: Callable[[bytes], V | None]
    ) -> None:
        self._keeper = keeper
        self._pack = pack
        self._unpack = unpack

    def recalled(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, V]:
        """What is kept; what was damaged since is let go of."""
        values = {key: self._unpack(body) for key, body in self._keeper.read(maker, keys).items()}
        damaged = [key for key, value in values.items() if value is None]
        if damaged:
            self._keeper.drop(maker, damaged)
        return {key: value for key, value in values.items() if value is not None}

    def store(self, maker: str, fresh: Mapping[bytes, V]) -> dict[bytes, V]:
        """The values, but those of others that were kept first."""
        if not fresh:
            return {}
        bodies = {key: self._pack(value) for key, value in fresh.items()}
        earlier = {key: self._unpack(body) for key, body in self._keeper.write(maker, bodies).items()}
        return {**fresh} | {key: value for key, value in earlier.items() if value is not None}


def packed(embedding: Embedding) -> bytes:
    """A embedding as bytes, without its tokens."""
    count, dimension = embedding.windows.shape
    whole = embedding.vector.astype("<f4").tobytes() if count > 1 else b""
    spans = np.asarray(embedding.spans, "<i4").tobytes()
    head = _HEAD.pack(count, dimension, embedding.unread_chars)
    return head + spans + embedding.windows.astype("<f4").tobytes() + whole


def unpacked(body: bytes) -> Embedding | None:
    """The embedding that `packed` wrote; None when the bytes were damaged since."""
    if not isinstance(body, bytes) or len(body) < _HEAD.size:
        return None
    count, dimension, unread = _HEAD.unpack_from(body)
    rows = count + 1 if count > 1 else 1
    spans_end = _HEAD.size + _SPAN_BYTES * count
    if not count or not dimension or len(body) != spans_end + 4 * rows * dimension:
        return None
    spans = np.frombuffer(body, "<i4", 2 * count, _HEAD.size).reshape(count, 2)
    vectors = np.frombuffer(body, "<f4", rows * dimension, spans_end).reshape(rows, dimension)
    return Embedding(vectors[-1], tuple((int(a), int(b)) for a, b in spans), vectors[:count], unread)


def is_plain(body: bytes) -> bool:
    """Whether it is a head of `PLAIN_HEAD` bytes and one vector of float32, as most are."""
    if len(body) <= PLAIN_HEAD:
        return False
    count, dimension, _ = _HEAD.unpack_from(body)
    return count == 1 and len(body) == PLAIN_HEAD + 4 * int(dimension)


def packed_score(score: PairScore) -> bytes:
    """A pair's score as bytes: every bit of it, in six bytes for a word as most are."""
    # from each edge of the spans to the next: small numbers, where spans follow each other
    steps = [after - before for before, after in pairwise((0, *chain.from_iterable(score.spans)))]
    step_bytes = 1 if all(0 <= delta < 256 for delta in steps) else 4
    wide = np.asarray(score.scores, "<f8")
    with np.errstate(over="ignore"):
        narrow = wide.astype("<f4")
    score_bytes = 4 if narrow.astype("<f8").tobytes() == wide.tobytes() else 8
    has_contradicted = score.contradicted is not None
    head = _PAIR.pack(
        _PAIR_SHAPE,
        step_bytes,
        score_bytes,
        has_contradicted,
        len(score.spans),
        len(score.scores),
        score.unread_chars,
        score.value,
        score.contradicted or 0.0,
    )
    return (
        head + np.asarray(steps, _STEPS[step_bytes]).tobytes() + wide.astype(_SCORES[score_bytes]).tobytes()
    )


def unpacked_score(body: bytes) -> PairScore | None:
    """The score that `packed_score` wrote; None when the bytes were damaged since."""
    if not isinstance(body, bytes) or len(body) < _PAIR.size:
        return None
    shape, step_bytes, score_bytes, has_contradicted, span_count, score_count, unread, value, contradicted = (
        _PAIR.unpack_from(body)
    )
    if shape != _PAIR_SHAPE or step_bytes not in _STEPS or score_bytes not in _SCORES or has_contradicted > 1:
        return None
    middle = _PAIR.size + 2 * span_count * step_bytes
    if len(body) != middle + score_count * score_bytes or not (
        math.isfinite(value) and math.isfinite(contradicted)
    ):
        return None
    edges = np.cumsum(
        np.frombuffer(body, _STEPS[step_bytes], 2 * span_count, _PAIR.size), dtype=np.int64
    ).tolist()
    return PairScore(
        value,
        tuple(zip(edges[::2], edges[1::2], strict=True)),
        tuple(np.frombuffer(body, _SCORES[score_bytes], score_count, middle).tolist()),
        unread,
        contradicted if has_contradicted else None,
    )
