"""The tokenizer protocol, and BERT's WordPiece with the characters that each token stands for.

Only the standard library: the `tokenizers` package would bring its hub client and fifteen more packages into
every install. The tests compare the two, text by text. `is_berts` and `is_mpnets` say whether a
`tokenizer.json` reads exactly as BERT does: only then may our own WordPiece stand in for it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

Piece = tuple[int, int, int]
"""A token's id, and where it begins and ends in its word."""

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
_BERTS_TEMPLATE = [
    {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}},
    {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
]


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

    @property
    def end(self) -> int | None:
        """The id that closes a text, if there is one."""

    @property
    def unknown(self) -> int | None:
        """The id of what the vocabulary cannot spell, if there is one."""

    def encode(self, text: str) -> Tokens:
        """The tokens of a text, all of them."""


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Texts to token ids. Special tokens written in a text are plain text here: no one can smuggle one in."""

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
        return Tokens(ids, spans, () if _is_plain_ascii(text) else _all_dropped(text))

    def _words(self, text: str) -> Iterator[tuple[str, "range | list[int]"]]:
        if self.lowercase and _is_plain_ascii(text):
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
        pieces = self._seen.get(word)
        if pieces is None:
            if len(self._seen) >= 100_000:
                self._seen.clear()
            pieces = self._seen[word] = tuple(self._spell(word))
        return pieces

    def _spell(self, word: str) -> list[Piece]:
        pieces: list[Piece] = []
        start = 0
        while start < len(word) and len(word) <= self.longest_word:
            end = len(word)
            while end > start:
                piece_id = self.vocabulary.get(word[start:end] if start == 0 else "##" + word[start:end])
                if piece_id is not None:
                    break
                end -= 1
            else:
                break
            pieces.append((piece_id or 0, start, end))
            start = end
        return pieces if pieces and start == len(word) else [(self.unknown, 0, len(word))]


def unread(tokens: Tokens, unknown: int | None) -> int:
    """How many characters leave no trace: those that were dropped, and those of the unknown token."""
    if not tokens.dropped and unknown not in tokens.ids:
        return 0
    spans = [span for token, span in zip(tokens.ids, tokens.spans, strict=True) if token == unknown]
    return len({*tokens.dropped, *(index for a, b in spans for index in range(a, b))})


def is_berts(described: Mapping[str, Any]) -> bool:
    """Whether every part of it is BERT's; what is missing or of another shape is not."""
    return _reads_as_bert(described, _is_berts_processor)


def is_mpnets(described: Mapping[str, Any]) -> bool:
    """Whether every part of it is BERT's, but for the tokens around a text, which are RoBERTa's."""
    return _reads_as_bert(described, _is_mpnets_processor)


def _is_plain_ascii(text: str) -> bool:
    """Whether nothing of it is dropped, and a pattern finds its words."""
    return text.isascii() and not _CONTROL.search(text)


@lru_cache(maxsize=65_536)
def _kind(char: str) -> str:
    if char.isspace():
        return "space"
    code = ord(char)
    ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    if ascii_mark or unicodedata.category(char).startswith("P"):
        return "alone"
    return "alone" if any(low <= code <= high for low, high in _CJK) else "letter"


@lru_cache(maxsize=65_536)
def _dropped(char: str) -> bool:
    if char in "\t\n\r":
        return False
    return char in "\0\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs")


def _all_dropped(text: str) -> tuple[int, ...]:
    return tuple(index for index, char in enumerate(text) if _dropped(char) and not char.isspace())


def _reads_as_bert(described: Mapping[str, Any], is_processor: Callable[[Any, Any], bool]) -> bool:
    try:
        return (
            _is_berts_model(described["model"])
            and _is_berts_normalizer(described["normalizer"])
            and described["pre_tokenizer"] == {"type": "BertPreTokenizer"}
            and is_processor(described["post_processor"], described["model"]["vocab"])
            and all(token["special"] for token in described.get("added_tokens") or ())
        )
    except (KeyError, TypeError, AttributeError):
        return False


def _is_berts_model(model: Mapping[str, Any]) -> bool:
    kind = (model["type"], model["unk_token"], model["continuing_subword_prefix"])
    return (
        kind == ("WordPiece", "[UNK]", "##")
        and isinstance(model["max_input_chars_per_word"], int)
        and "[UNK]" in model["vocab"]
        and all(isinstance(number, int) for number in model["vocab"].values())
    )


def _is_berts_normalizer(normal: Mapping[str, Any]) -> bool:
    return (
        normal["type"] == "BertNormalizer"
        and normal["clean_text"] is True
        and normal["handle_chinese_chars"] is True
        and isinstance(normal["lowercase"], bool)
        and normal["strip_accents"] in (None, True, False)
    )


def _is_berts_processor(processor: Mapping[str, Any], vocabulary: Mapping[str, int]) -> bool:
    """Whether a text is put between `[CLS]` and `[SEP]`, by the numbers that the vocabulary has for them."""
    if processor["type"] == "BertProcessing":
        ids_by_token = {name: [number] for name, number in (processor["cls"], processor["sep"])}
    elif processor["type"] == "TemplateProcessing" and processor["single"] == _BERTS_TEMPLATE:
        ids_by_token = {name: token["ids"] for name, token in processor["special_tokens"].items()}
    else:
        return False
    return all(ids_by_token[name] == [vocabulary[name]] for name in ("[CLS]", "[SEP]"))


def _is_mpnets_processor(processor: Mapping[str, Any], vocabulary: Mapping[str, int]) -> bool:
    if processor["type"] != "RobertaProcessing":
        return False
    return all(processor[key] == [name, vocabulary[name]] for key, name in (("cls", "<s>"), ("sep", "</s>")))
