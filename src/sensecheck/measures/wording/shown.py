"""Texts as the reasons of a rule quote them, and how far two of them agree."""

from collections.abc import Sequence
from itertools import takewhile

LONGEST = 60


def quoted(text: str) -> str:
    """A short quotation on one line."""
    line = " ".join(text.split()) or text
    return f"“{line if len(line) <= LONGEST else line[: LONGEST - 1] + '…'}”"


def listed(texts: Sequence[str]) -> str:
    """Several quotations, the first few of many."""
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    return ", ".join(map(quoted, texts[:5])) + more


def agreeing(one: str, other: str) -> int:
    """How many characters two texts share from their beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
