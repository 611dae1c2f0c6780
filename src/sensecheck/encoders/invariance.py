"""Does a vector, or the score of a pair, depend on its batch? For a verdict that repeats, it must not.

`prove` and `prove_pairs` measure it, `Admitted` tests an encoder before it is used. `sketch` is the coarse
outline of a vector: equal for a vector that jitters a little, another one for another model.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.core.backends import Embedding, Encoder, PairScore, PairScorer, Vectors
from sensecheck.core.errors import NotBatchInvariant
from sensecheck.encoders.wrappers import EncoderWrapper

Grade = Literal["invariant", "nearly", "not"]

INVARIANT = 1e-5
NEARLY = 5e-3
"""How far neighbours may move a similarity, for the grades `invariant` and `nearly`."""
PAIRS_INVARIANT = 1e-3
"""How far neighbours may move the log odds of a pair; the error of float32 in a deep model lies far below."""
TEXTS = (
    "Yes.",
    "The museum opens at nine and closes at five.",
    "Invoice 2024-117: 3 x 49.90 = 149.70 EUR, due 2024-12-31, account 0049 1234 5678.",
    "def area(radius: float) -> float:\n    return 3.14159 * radius ** 2  # not for spheres",
    "Ångström, naïve café, Ελληνικά, русский, 日本語, العربية, emoji 🎉🧪 and zero\u200bwidth.",
    "!!! ??? ... ((()))",
    "I am sorry, but I cannot help with that; please ask a doctor, who can see you in person.",
    " ".join(f"Paragraph {n} says that valve {n * 7 % 31} was closed on day {n}." for n in range(28)),
)
"""Short, long beyond one window, numbers, code, unusual characters."""
PROBE = "The museum opens at nine, and 42 visitors were already waiting outside in the rain."
"""The text whose vector stands for a model that only an endpoint knows."""
MAX_COMPONENTS = 3
"""How many components make the outline; more would tell models apart no better, and jitter sooner."""


@dataclass(frozen=True, slots=True)
class Proof:
    """How far neighbours moved anything, at most."""

    moved: float
    """The largest change of a similarity, of a text to itself or to another; or of a pair's log odds."""
    grade: Grade
    """`nearly` wants an unsure band of at least 0.005 around every cutoff."""
    worst: str
    """The arrangement that moved it."""


class Admitted(EncoderWrapper):
    """Proves on first use that the encoder inside is batch-invariant, or nearly; if not, places nothing."""

    def __init__(self, inner: Encoder) -> None:
        super().__init__(inner)
        self._proved = False

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """What the encoder inside gives."""
        if not self._proved:
            require_invariant(self._inner, nearly=True)
            self._proved = True
        return self._inner.encode(texts, tokens=tokens)


def require_invariant(encoder: Encoder, *, nearly: bool = False) -> Proof:
    """The proof, or `NotBatchInvariant`; with `nearly`, what wants an unsure band will do."""
    proof = prove(encoder)
    if proof.grade == "invariant" or (nearly and proof.grade == "nearly"):
        return proof
    allowed = NEARLY if nearly else INVARIANT
    raise NotBatchInvariant(
        f"the encoder `{encoder.name}` gives a text another vector beside other texts: similarity moved by "
        f"{proof.moved:.1e} ({proof.worst}); at most {allowed:.0e} is allowed"
    )


def prove(encoder: Encoder, texts: Sequence[str] = TEXTS) -> Proof:
    """Encode texts alone and in company, and see what moves."""
    alone = np.stack([encoder.encode([text])[0].vector for text in texts]).astype(np.float64)
    near = alone @ alone.T
    moved, worst = 0.0, "none"
    for name, vectors in _arrangements(encoder, texts):
        company = vectors.astype(np.float64)
        changes = np.abs([company @ alone.T - near, company @ company.T - near])
        change = float(np.nan_to_num(changes, nan=np.inf).max())
        if change > moved:
            moved, worst = change, name
    grade: Grade = "not"
    if moved <= NEARLY:
        grade = "invariant" if moved <= INVARIANT else "nearly"
    return Proof(moved, grade, worst)


def prove_pairs(scorer: PairScorer, texts: Sequence[str] = TEXTS) -> Proof:
    """Score pairs alone and in company, as wholes and word by word, and see what moves."""
    pairs = [(claim, texts[(at + 1) % len(texts)]) for at, claim in enumerate(texts)]
    alone = [scorer.score([pair])[0] for pair in pairs]
    company = [(text[::-1], other.swapcase()) for text, other in pairs]
    mixed = [pair for both in zip(pairs, company, strict=True) for pair in both]
    long = (" ".join(texts), " ".join(texts))
    moved, worst = 0.0, "none"
    for name, scores in (
        ("all together", scorer.score(pairs)),
        ("in reverse", scorer.score(pairs[::-1])[::-1]),
        ("beside odd pairs of like length", scorer.score(mixed)[::2]),
        ("beside a long pair", scorer.score([*pairs, long])[:-1]),
    ):
        change = max(_change(before, after) for before, after in zip(alone, scores, strict=True))
        if change > moved:
            moved, worst = change, name
    return Proof(moved, "invariant" if moved <= PAIRS_INVARIANT else "not", worst)


def sketch(vector: Vectors) -> str:
    """The names and signs of the largest components, hashed; their sizes and their order do not matter."""
    largest = np.argsort(-np.abs(vector), kind="stable")[:MAX_COMPONENTS]
    signed = sorted((int(index), bool(vector[index] > 0)) for index in largest)
    return hashlib.sha256(repr(signed).encode()).hexdigest()[:16]


def _arrangements(encoder: Encoder, texts: Sequence[str]) -> Iterator[tuple[str, Vectors]]:
    yield "all together", _embeddings(encoder, texts, range(len(texts)))
    yield "in reverse", _embeddings(encoder, texts[::-1], range(len(texts) - 1, -1, -1))
    mixed = [variant for text in texts for variant in (text, *_company(text))]
    step = len(mixed) // len(texts)
    yield "beside odd texts of like length", _embeddings(encoder, mixed, range(0, len(mixed), step))
    long = " ".join(texts)
    yield "beside a long text", _embeddings(encoder, [*texts, long], range(len(texts)))


def _company(text: str) -> tuple[str, ...]:
    """Neighbours that an encoder puts into the same batch, since they are about as long."""
    garbled = "".join(c if c.isspace() else chr(ord(c) * 7 % 90 + 33) for c in text)
    return text[::-1], text.swapcase(), f"{text} ok", garbled


def _embeddings(encoder: Encoder, texts: Sequence[str], order: Sequence[int]) -> Vectors:
    vectors = [embedding.vector for embedding in encoder.encode(texts)]
    return np.stack([vectors[index] for index in order])


def _change(first: PairScore, second: PairScore) -> float:
    if first.spans != second.spans:
        return float("inf")
    before, after = (
        np.array([score.value, score.contradicted or 0.0, *score.scores]) for score in (first, second)
    )
    return float(np.nan_to_num(np.abs(after - before), nan=np.inf).max())
