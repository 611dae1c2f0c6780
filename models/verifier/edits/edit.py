"""A claim taken from an article, and the same claim said otherwise."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

Kind = Literal[
    "number", "unit", "date", "quantifier", "name", "role", "negation", "antonym", "added", "absent", "kept"
]
"""What was changed; `absent` is a claim whose own sentence was taken out of the article, `kept` is a claim
that still means the same."""


@dataclass(frozen=True, slots=True)
class Article:
    """A text that claims are taken from, sentence by sentence."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A claim as it reads after one change."""

    kind: Kind
    text: str
    changed: tuple[tuple[int, int], ...] = ()
    """The stretches of `text` that the article no longer supports, as (start, end); none for `kept`."""


Editor = Callable[[str, Article, Random], Iterator[Edit]]
"""The ways to change a claim, in random order; none when there is nothing to change."""
