"""Tokens of a text, and the shape of what makes them."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token ids and, for each, the characters it stands for."""

    ids: list[int]
    spans: list[tuple[int, int]]


class Tokenizer(Protocol):
    """Texts to tokens, without the ones that open and close a text."""

    @property
    def start(self) -> int | None:
        """The id that opens a text, if there is one."""
        ...

    @property
    def end(self) -> int | None:
        """The id that closes a text, if there is one."""
        ...

    @property
    def unknown(self) -> int | None:
        """The id of what the vocabulary cannot spell, if there is one."""
        ...

    def encode(self, text: str) -> Tokens:
        """The tokens of a text, all of them."""
        ...
