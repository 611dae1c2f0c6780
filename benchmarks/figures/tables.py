"""Cells and tables of Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Results = Mapping[str, Any]
"""A file of results, or one row of it."""
INTERVALS = "In brackets: exact 95% intervals."


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def share(found: Mapping[str, float]) -> str:
    """`50.0% (40.0–60.0)`."""
    return f"{found['share']:.1%} ({100 * found['low']:.1f}–{100 * found['high']:.1f})"


def sentence(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]
