"""How alike a generated answer and its reference are in meaning, by anybody's embedding model."""

import logging
from collections.abc import Sequence

from sensecheck.core.errors import AnswererError
from sensecheck.measures.distances import cosine_similarity
from sensecheck.rag_eval.embeddings import EmbeddingModel, Numbers, embedded

LOGGER = logging.getLogger("sensecheck.rag_eval")

Answers = tuple[str, str]
"""The reference answer, and the generated one."""


async def similarity_of(answers: Answers, model: EmbeddingModel) -> float:
    """From 0.0 to 1.0; 0.0 with a warning where one of them is empty.

    Raises `AnswererError` where the model fails, and ValueError where its vectors cannot be compared.
    """
    if _is_empty(answers):
        return 0.0
    one, other = await embedded(list(answers), model)
    return _compared(one, other)


async def similarity_each(pairs: Sequence[Answers], model: EmbeddingModel) -> list[float | str]:
    """The similarity of each pair, or why it has none; all texts are embedded in one call.

    When that call fails, each pair is tried alone: one that cannot be embedded must not fail the others.
    """
    full = [answers for answers in pairs if all(map(str.strip, answers))]
    texts = list(dict.fromkeys(text for answers in full for text in answers))
    try:
        vectors = dict(zip(texts, await embedded(texts, model) if texts else (), strict=True))
    except AnswererError as wrong:
        if len(pairs) == 1:
            return [str(wrong)]
        return [(await similarity_each([answers], model))[0] for answers in pairs]
    return [_similarity(answers, vectors) for answers in pairs]


def _similarity(answers: Answers, vectors: dict[str, Numbers]) -> float | str:
    if _is_empty(answers):
        return 0.0
    try:
        return _compared(vectors[answers[0]], vectors[answers[1]])
    except ValueError as wrong:
        return str(wrong)


def _is_empty(answers: Answers) -> bool:
    for whose, text in zip(("reference", "generated"), answers, strict=True):
        if not text.strip():
            LOGGER.warning("the %s answer is empty: its semantic similarity is 0.0", whose)
            return True
    return False


def _compared(one: Numbers, other: Numbers) -> float:
    if len(one) != len(other):
        LOGGER.error("the embeddings differ in dimension: %d and %d", len(one), len(other))
    return cosine_similarity(one, other)
