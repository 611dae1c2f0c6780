"""What is read of JSON-like objects: pairs of keys and values, and where the objects stand."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Pair:
    """A key, and where its value stands."""

    key: str
    start: int
    end: int
    depth: int
    """How many objects stand around the one that holds it."""
    found_in: int
    """Which of the text's objects holds it."""
    escaped: bool
    """Whether the quotes of its key are escaped, as if it stood in a string."""


@dataclass(frozen=True, slots=True)
class Found:
    """An object that stands in no other one: where, and whether it was closed."""

    start: int
    end: int
    complete: bool


@dataclass(slots=True)
class Open:
    """An object or a list that is not closed yet."""

    kind: Literal["object", "list", "bracketed", "call"]
    """`bracketed` and `call` are objects that stand in other brackets: `["a": 1]`, `Verdict(a=1)`."""
    key: str = ""
    depth: int = 0
    filled: bool = False
    escaped: bool = False
    """Whether the quotes of its last key were escaped."""
