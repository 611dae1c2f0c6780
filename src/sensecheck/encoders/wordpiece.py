"""WordPiece as BERT reads it, with the characters that each token stands for.

Only the standard library: the `tokenizers` package would bring its hub client and fifteen more packages
into every install. The tests hold the two against each other, text by text.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from sensecheck.encoders.tokens import Tokens

Piece = tuple[int, int, int]
"""A token's id, and where it begins and ends in its word."""


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Texts to token ids. Special tokens written in a text are plain text here: nobody can smuggle one in."""

    vocabulary: Mapping[str, int]
    lowercase: bool = True
    strip_accents: bool = True
    longest_word: int = 100
    opening: str = "[CLS]"
    closing: str = "[SEP]"
    _seen: dict[str, tuple[Piece, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def unknown(self) -> int:
        """The id of what the vocabulary cannot spell."""
        return self.vocabulary["[UNK]"]

    @property
    def start(self) -> int:
        """The id that opens a text."""
        return self.vocabulary[self.opening]

    @property
    def end(self) -> int:
        """The id that closes a text."""
        return self.vocabulary[self.closing]

    def encode(self, text: str) -> Tokens:
        """The ids of a text, without the opening and closing one, and their characters."""
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        for word, begins in self._words(text):
            for piece, start, end in self._pieces(word):
                ids.append(piece)
                spans.append((begins[start], begins[end - 1] + 1))
        return Tokens(ids, spans, () if text.isascii() and not _CONTROL.search(text) else _all_dropped(text))

    def _words(self, text: str) -> Iterator[tuple[str, "range | list[int]"]]:
        if self.lowercase and text.isascii() and not _CONTROL.search(text):
            for match in _ASCII_WORD.finditer(text.lower()):
                yield match.group(), range(match.start(), match.end())
        else:
            yield from self._any_words(text)

    def _any_words(self, text: str) -> Iterator[tuple[str, list[int]]]:
        word: list[str] = []
        begins: list[int] = []
        for index, original in enumerate(text):
            for char in self._normal(original):
                kind = _kind(char)
                if kind != "letter" and word:
                    yield "".join(word), begins
                    word, begins = [], []
                if kind == "letter":
                    word.append(char)
                    begins.append(index)
                elif kind == "alone":
                    yield char, [index]
        if word:
            yield "".join(word), begins

    def _normal(self, char: str) -> str:
        if _dropped(char):
            return ""
        if self.strip_accents:
            char = "".join(c for c in unicodedata.normalize("NFD", char) if unicodedata.category(c) != "Mn")
        return "".join(c.lower() for c in char) if self.lowercase else char

    def _pieces(self, word: str) -> tuple[Piece, ...]:
        found = self._seen.get(word)
        if found is None:
            if len(self._seen) >= 100_000:
                self._seen.clear()
            found = self._seen[word] = tuple(self._spell(word))
        return found

    def _spell(self, word: str) -> list[Piece]:
        pieces: list[Piece] = []
        start = 0
        while start < len(word) and len(word) <= self.longest_word:
            end = len(word)
            while end > start:
                known = self.vocabulary.get(word[start:end] if start == 0 else "##" + word[start:end])
                if known is not None:
                    break
                end -= 1
            else:
                break
            pieces.append((known or 0, start, end))
            start = end
        return pieces if pieces and start == len(word) else [(self.unknown, 0, len(word))]


@lru_cache(maxsize=65_536)
def _kind(char: str) -> str:
    if char.isspace():
        return "space"
    code = ord(char)
    ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    if ascii_mark or unicodedata.category(char).startswith("P") or _is_cjk(code):
        return "alone"
    return "letter"


@lru_cache(maxsize=65_536)
def _dropped(char: str) -> bool:
    if char in "\t\n\r":
        return False
    return char in "\0\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs")


def _all_dropped(text: str) -> tuple[int, ...]:
    return tuple(index for index, char in enumerate(text) if _dropped(char) and not char.isspace())


def _is_cjk(code: int) -> bool:
    return any(low <= code <= high for low, high in _CJK)


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ASCII_WORD = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
