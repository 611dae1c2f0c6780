"""What requests take of a day's budget: about as many tokens as are read and written for them."""

from collections.abc import Iterable

from sensecheck.checks.policies import may_read_pairs
from sensecheck.server.engine.costs import EVIDENCE, tokens_of, tokens_of_pairs

CHARS_A_TOKEN = 4
ANSWER = 200
"""Tokens of an answer that is not written yet, about."""
CLAIMS = 8
"""Of such an answer, about."""


def cost_of_reading(texts: Iterable[str]) -> int:
    """Tokens of these texts, and one at least."""
    return 1 + sum(map(len, texts)) // CHARS_A_TOKEN


def cost_of_checking(texts: Iterable[str], passages: Iterable[str], policy: str) -> int:
    """Tokens of the texts and the passages, and of the pairs of them that the policy has read."""
    held, sources = tuple(texts), tuple(passages)
    pairs = sum(tokens_of_pairs(text, sources) for text in held) if may_read_pairs(policy) else 0.0
    return cost_of_reading((*held, *sources)) + int(pairs)


def cost_of_asking(question: str, passage: str, policy: str) -> int:
    """Tokens that a writer reads and writes, and that are read again to check what it wrote."""
    pairs = ANSWER + CLAIMS * min(EVIDENCE, tokens_of(passage)) if may_read_pairs(policy) else 0.0
    return 2 * cost_of_reading((question, passage)) + 2 * ANSWER + int(pairs)
