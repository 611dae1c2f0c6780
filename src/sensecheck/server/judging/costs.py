"""What requests take of a day's budget: about as many tokens as are read and written for them."""

from collections.abc import Iterable

CHARS_A_TOKEN = 4
ANSWER = 200
"""Tokens of an answer that is not written yet, about."""


def cost_of_checking(texts: Iterable[str]) -> int:
    """Tokens of these texts, and one at least."""
    return 1 + sum(map(len, texts)) // CHARS_A_TOKEN


def cost_of_asking(question: str, passage: str) -> int:
    """Tokens that a writer reads and writes, and that are read again to check what it wrote."""
    return 2 * cost_of_checking((question, passage)) + 2 * ANSWER
