"""Tokens of a text, and the shape of what makes them."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token ids and, for each, the characters it stands for."""

    ids: list[int]
    spans: list[tuple[int, int]]
    dropped: tuple[int, ...] = ()
    """Where characters were thrown away that are no white space, as far as the tokenizer tells."""
    words: tuple[int | None, ...] = ()
    """For each token, the number of its word; empty where the tokenizer marks what continues a word."""


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


def unread(tokens: Tokens, unknown: int | None) -> int:
    """How many characters leave no trace: those that were dropped, and those of the unknown token."""
    if not tokens.dropped and unknown not in tokens.ids:
        return 0
    spans = [span for token, span in zip(tokens.ids, tokens.spans, strict=True) if token == unknown]
    return len({*tokens.dropped, *(index for a, b in spans for index in range(a, b))})
