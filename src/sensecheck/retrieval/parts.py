"""Encoders and cross-encoders that know the words they were asked for by, so that a chain can be data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sensecheck.calibration.library import CardLibrary
from sensecheck.core.backends import Embedding, Encoder, PairScore, PairScorer
from sensecheck.core.loading import load_encoder, load_verifier
from sensecheck.encoders.wrappers import EncoderWrapper


@dataclass(frozen=True)
class DescribedEncoder(EncoderWrapper):
    """An encoder and its description; two with the same description are the same."""

    described: str
    _inner: Encoder = field(repr=False, compare=False)

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """One embedding per text, in order."""
        return self._inner.encode(texts, tokens=tokens)


@dataclass(frozen=True, slots=True)
class DescribedScorer:
    """A cross-encoder and its description; two with the same description are the same."""

    described: str
    inner: PairScorer = field(repr=False, compare=False)

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        return self.inner.fingerprint

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        """One score per pair, in order."""
        return self.inner.score(pairs)


@dataclass(frozen=True, slots=True)
class Parts:
    """Where a chain that is data gets what it names: cards, encoders, cross-encoders."""

    library: CardLibrary = field(default_factory=CardLibrary.shipped)
    load_encoder: Callable[[str], Encoder] = load_encoder
    load_verifier: Callable[[str], PairScorer] = load_verifier

    def encoder(self, described: str) -> DescribedEncoder:
        """The encoder, loaded: one that is missing is told of now, and not of every reference."""
        return DescribedEncoder(described, self.load_encoder(described))

    def verifier(self, described: str) -> DescribedScorer:
        """The cross-encoder, loaded."""
        loaded = DescribedScorer(described, self.load_verifier(described))
        _ = loaded.fingerprint  # it would otherwise be loaded with the first pair
        return loaded
