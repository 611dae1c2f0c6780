"""The shapes of what answers a check's needs: encoders, pair scorers, judges."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from sensecheck.core.needs import Prompt

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The vectors of a text's tokens, each with the characters it stands for."""

    spans: tuple[tuple[int, int], ...]
    vectors: Vectors
    """One unit row a token."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """The vectors of a text: as a whole, per window, and per token when that was asked for."""

    vector: Vectors
    """The whole text, as one unit vector."""
    spans: tuple[tuple[int, int], ...]
    """The characters that each window covers."""
    windows: Vectors
    """One unit row a window; a short text has one window."""
    unread_chars: int = 0
    """Characters that left no trace in the vectors."""
    tokens: TokenVectors | None = None


class Encoder(Protocol):
    """Texts to unit vectors."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        ...

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        ...

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """One embedding per text, in order; a long text is read whole, as windows."""
        ...


@dataclass(frozen=True, slots=True)
class PairScore:
    """How a claim stands to its evidence: as a whole, and word by word where the scorer can tell."""

    value: float
    """The log odds AGAINST the claim: below 0 the evidence supports it, above 0 it does not."""
    spans: tuple[tuple[int, int], ...] = ()
    """The stretches of the claim that have a score of their own."""
    scores: tuple[float, ...] = ()
    """One a stretch, on the scale of `value`."""
    unread_chars: int = 0
    """Characters of the claim and the evidence that were not read."""
    contradicted: float | None = None
    """The probability that the evidence says otherwise; None where that is not told from silence."""


class PairScorer(Protocol):
    """(claim, evidence) pairs to scores: a cross-encoder."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the scores would."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        """One score per pair, in order; the higher its `value`, the less the evidence supports the claim."""
        ...


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why there is no reply to one prompt; the others may have theirs."""

    because: str


@dataclass(frozen=True, slots=True)
class GivenUp(Unanswered):
    """Why a prompt was not even asked: too many before it met with a judge that did not answer."""


class Judge(Protocol):
    """Prompts to replies: a language model that is asked for its opinion."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the model or its settings do."""
        ...

    def ask(self, prompts: Sequence[Prompt]) -> Sequence[str | Unanswered]:
        """One reply per prompt, in order, or why there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Backends:
    """Who answers which need; what is not there is an `error` for the checks that need it."""

    encoder: Encoder | None = None
    pairs: PairScorer | None = None
    judge: Judge | None = None
