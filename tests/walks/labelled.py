"""Labelled answers for the walks: some that help, and some that refuse."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HELPS = (
    "The {thing} opens at {n} and closes at {m}.",
    "You will find the {thing} on floor {n}, room {m}.",
    "A card for the {thing} costs {n} euros and {m} cents.",
    "There are {n} free places in the {thing}, {m} of them by the window.",
)
REFUSES = (
    "I'm sorry, but I can't help with the {thing}, request {n} of {m}.",
    "I cannot assist with questions about the {thing}, number {n}, part {m}.",
    "As an AI language model, I am unable to talk about the {thing} {n} {m}.",
)
THINGS = ("library", "swimming pool", "bicycle shed", "reading room", "canteen")


def answers(texts: Sequence[str], count: int, *, first: int = 0) -> list[str]:
    """So many answers, none like another."""
    return [
        texts[i % len(texts)].format(thing=THINGS[i % len(THINGS)], n=i + 1, m=7 * i % 60)
        for i in range(first, first + count)
    ]


def rows(good: int, bad: int, *, first: int = 0, **columns: Any) -> list[dict[str, Any]]:
    """Labelled rows, each with the same columns besides."""
    helpful = [{"answer": text, "label": "good"} for text in answers(HELPS, good, first=first)]
    refusing = [{"answer": text, "label": "bad"} for text in answers(REFUSES, bad, first=first)]
    return [{**row, **columns} for row in (*helpful, *refusing)]


def lines(path: Path, found: Iterable[object]) -> str:
    """The rows in a file, one a line; its path."""
    written = (row if isinstance(row, str) else json.dumps(row) for row in found)
    path.write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return str(path)
