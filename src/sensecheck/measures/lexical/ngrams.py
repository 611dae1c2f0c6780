"""Words that follow each other, counted."""

from collections import Counter
from collections.abc import Sequence

Grams = Counter[tuple[str, ...]]


def ngrams(words: Sequence[str], n: int) -> Grams:
    """How often each run of `n` words occurs."""
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def shared(one: Grams, other: Grams) -> int:
    """How many runs both have, each counted as often as it occurs in both."""
    return (one & other).total()
