"""The evidence that a claim is trained with, gathered as it is at run time but without vectors."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import numpy as np

from sensecheck.measures.claims.evidence import gather, rarity
from sensecheck.text.words import content_words, stem, words


@lru_cache(maxsize=100_000)
def stems(text: str) -> frozenset[str]:
    """The content words of a sentence, in the form in which they match."""
    return frozenset(stem(word.text) for word in content_words(text))


@lru_cache(maxsize=100_000)
def length(text: str) -> int:
    """How many words a sentence has."""
    return len(words(text))


def evidence_for(
    claim: str, sentences: Sequence[str], rng: Random, *, source: int | None = None, limit: int = 80
) -> str:
    """Sentences for the claim, in their order; its own sentence is always among them."""
    room = rng.randint(25, limit)
    if source is not None:
        room = max(room, length(sentences[source]))
    held = [stems(sentence) for sentence in sentences]
    near = np.zeros(len(sentences), np.float32)
    if source is not None:
        near[source] = 10.0
    lengths = [length(sentence) for sentence in sentences]
    chosen = gather(stems(claim), held, near, lengths=lengths, rare=rarity(held), words=room)
    return " ".join(sentences[index] for index in sorted(chosen))
