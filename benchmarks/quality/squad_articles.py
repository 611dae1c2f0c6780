"""Which paragraphs of `squad2_derived` are of one article: the file does not say, but it can be told."""

from collections.abc import Iterable, Mapping
from typing import Any

Row = Mapping[str, Any]


def articles(rows: Iterable[Row]) -> dict[str, int]:
    """The article of each paragraph, by its group.

    Paragraphs are numbered through, so that an article is a stretch of numbers. A sentence from another
    paragraph of the same article ties the two, and all between them, together.
    """
    held = list(rows)
    contexts = {row["group"]: _plain(row["context"]) for row in held}
    ties = [
        sorted((int(row["group"]), other))
        for row in held
        if row["kind"] == "other_paragraph_same_article"
        for other in _with(_plain(row["response"]), contexts)
    ]
    stretches: list[list[int]] = []
    for low, high in sorted([*ties, *([int(group)] * 2 for group in contexts)]):
        if stretches and low <= stretches[-1][1]:
            stretches[-1][1] = max(stretches[-1][1], high)
        else:
            stretches.append([low, high])
    return {
        group: next(at for at, (low, high) in enumerate(stretches) if low <= int(group) <= high)
        for group in contexts
    }


def _with(sentence: str, contexts: Mapping[str, str]) -> list[int]:
    """The paragraph that has the sentence; none where several have it."""
    found = [int(group) for group, context in contexts.items() if sentence in context]
    return found if len(found) == 1 else []


def _plain(text: str) -> str:
    return " ".join(text.split())
