"""Embedding models as RAG services call them, and how alike two answers are in meaning by one of them."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from inspect import isawaitable
from typing import Protocol, Self

import numpy as np

from sensecheck.config import Settings
from sensecheck.config import encoder as encoder_of
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import BackendError, SensecheckError, SpecError, Unreadable
from sensecheck.core.space import Space
from sensecheck.encoders.memory import remembering
from sensecheck.measures.distances import cosine_similarity

Numbers = Sequence[float]
TEXTS = 20_000
"""How many texts are remembered: about 60 MB of a model with 384 dimensions."""
_NAMES = ("model_name", "model", "name")
_MAX_REASON_CHARS = 200

LOGGER = logging.getLogger("sensecheck.rag_eval")

Answers = tuple[str, str]
"""The reference answer, and the generated one."""


class EmbeddingModel(Protocol):
    """Anybody's, of one method; one that is not async will do as well."""

    def embed_texts(self, texts: list[str], /) -> Awaitable[Sequence[Numbers]] | Sequence[Numbers]:
        """One vector per text, in order."""
        ...


class Embeddings:
    """An encoder of ours as an embedding model."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder

    @classmethod
    def of(cls, encoder: Encoder, *, remember: int = TEXTS) -> Self:
        """Around an encoder, remembering the last texts: a reference answer is encoded once."""
        return cls(remembering(encoder, remember))

    @classmethod
    def from_settings(cls, settings: Settings | None = None) -> Self:
        """The encoder that SENSECHECK_ENCODER names, which remembers on disk: once, ever."""
        return cls.of(encoder_of(settings or Settings.from_environment()))

    @property
    def name(self) -> str:
        """What people call it."""
        return self.encoder.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return self.encoder.fingerprint

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, in order; all are encoded in one batch, next to the event loop."""
        return await asyncio.to_thread(self._encode, list(texts))

    def _encode(self, texts: list[str]) -> list[list[float]]:
        space = Space.of(texts, self.encoder)
        return [space.vector(text).tolist() for text in texts]


async def similarity_of(answers: Answers, model: EmbeddingModel) -> float:
    """From 0.0 to 1.0; 0.0 with a warning where one of them is empty.

    Raises `BackendError` where the model fails, and ValueError where its vectors cannot be compared.
    """
    if _is_empty(answers):
        return 0.0
    reference_vector, answer_vector = await embedded(list(answers), model)
    return _compared(reference_vector, answer_vector)


async def similarity_each(pairs: Sequence[Answers], model: EmbeddingModel) -> list[float | str]:
    """The similarity of each pair, or why it has none; all texts are embedded in one call.

    When that call fails, each pair is tried alone: one that cannot be embedded must not fail the others.
    """
    full = [answers for answers in pairs if all(map(str.strip, answers))]
    texts = list(dict.fromkeys(text for answers in full for text in answers))
    try:
        vectors = dict(zip(texts, await embedded(texts, model) if texts else (), strict=True))
    except BackendError as error:
        if len(pairs) == 1:
            return [str(error)]
        return [(await similarity_each([answers], model))[0] for answers in pairs]
    return [_similarity(answers, vectors) for answers in pairs]


async def embedded(texts: list[str], model: EmbeddingModel) -> Sequence[Numbers]:
    """One vector per text, from one call; whatever goes wrong in it is an `BackendError`."""
    name, _ = mark_of(model)
    try:
        pending = model.embed_texts(texts)
        reply = await pending if isawaitable(pending) else pending
    except Unreadable as error:
        raise BackendError(str(error)) from error
    except SensecheckError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:_MAX_REASON_CHARS]
        raise BackendError(
            f"the embedding model `{name}` failed: {type(error).__name__}: {reason}"
        ) from error
    vectors = _vectors(reply, name)
    if len(vectors) != len(texts):
        raise BackendError(f"the embedding model `{name}` gave {len(vectors)} vectors for {len(texts)} texts")
    return vectors


def mark_of(model: EmbeddingModel) -> tuple[str, str]:
    """What a model is called, and its fingerprint; one that has none is known by its name."""
    if not callable(getattr(model, "embed_texts", None)):
        raise SpecError(f"`embedding_model` must have `embed_texts`; got {type(model).__name__}")
    candidates = (getattr(model, name, None) for name in _NAMES)
    name = next(
        (candidate for candidate in candidates if isinstance(candidate, str) and candidate),
        type(model).__name__,
    )
    mark = getattr(model, "fingerprint", None)
    return name, mark if isinstance(mark, str) and mark else f"embeddings:{name}"


def _is_empty(answers: Answers) -> bool:
    for whose, text in zip(("reference", "generated"), answers, strict=True):
        if not text.strip():
            LOGGER.warning("the %s answer is empty: its semantic similarity is 0.0", whose)
            return True
    return False


def _compared(first: Numbers, second: Numbers) -> float:
    if len(first) != len(second):
        LOGGER.error("the embeddings differ in dimension: %d and %d", len(first), len(second))
    return cosine_similarity(first, second)


def _similarity(answers: Answers, vectors: dict[str, Numbers]) -> float | str:
    if _is_empty(answers):
        return 0.0
    try:
        return _compared(vectors[answers[0]], vectors[answers[1]])
    except ValueError as error:
        return str(error)


def _vectors(reply: object, name: str) -> list[list[float]]:
    """The vectors of a reply, which may be anything: lists or arrays of numbers, and nothing else."""
    if isinstance(reply, np.ndarray):
        reply = list(reply)
    if not isinstance(reply, Sequence) or isinstance(reply, str | bytes):
        raise BackendError(f"the embedding model `{name}` gave no vectors; got {type(reply).__name__}")
    return [_vector(row, name) for row in reply]


def _vector(row: object, name: str) -> list[float]:
    try:
        vector = np.asarray(row, np.float64)
    except (TypeError, ValueError):
        vector = None
    if vector is None or vector.ndim != 1:
        kind = type(row).__name__
        raise BackendError(f"the embedding model `{name}` must give a list of numbers per text; got {kind}")
    numbers: list[float] = vector.tolist()
    return numbers
