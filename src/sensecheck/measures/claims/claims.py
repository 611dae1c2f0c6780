"""An answer taken apart into claims, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sensecheck.measures.claims.headings import introduces, is_heading, is_table_head
from sensecheck.measures.claims.layout import Block, laid_out
from sensecheck.measures.claims.talk import is_talk
from sensecheck.measures.text.sentences import sentences
from sensecheck.measures.text.words import words

Kind = Literal["sentence", "item", "row", "code", "heading", "talk"]
_LONG = 60
"""A sentence of more words is split at its semicolons; a list item, into its sentences."""
_SEMICOLON = re.compile(r"(?:;(?=\s)|；)\s*")
_FORMS: dict[str, Kind] = {"item": "item", "row": "row", "header": "heading", "code": "code"}


@dataclass(frozen=True, slots=True)
class Claim:
    """A piece of an answer: `text` is exactly its characters `start` to `end`."""

    start: int
    end: int
    kind: Kind
    text: str

    @property
    def checked(self) -> bool:
        """Whether it says something that can be true or false: no heading, no question, no pleasantry."""
        return self.kind not in ("heading", "talk")


def claims(text: str) -> list[Claim]:
    """The claims of a text in order, and what stands between them.

    Every character is in exactly one of them, but for space and the marks of lists, tables and titles.
    """
    found = laid_out(text)
    pairs = pairwise([*found, None])
    return [
        claim for block, following in pairs if block for claim in _claims(text, block, following, found[0])
    ]


def _claims(text: str, block: Block, following: Block | None, first: Block) -> Iterator[Claim]:
    said = text[block.start : block.end]
    if block.form in ("code", "header", "row"):
        yield Claim(block.start, block.end, _whole(said, block), said)
    elif is_heading(said, block, following, opens=block is first):
        yield Claim(block.start, block.end, "heading", said)
    else:
        pieces = list(_pieces(said, block))
        for start, end in pieces:
            last = following if (start, end) == pieces[-1] else None
            kind = _kind(said[start:end], block, last)
            yield Claim(block.start + start, block.start + end, kind, said[start:end])


def _whole(said: str, block: Block) -> Kind:
    """The kind of a block that is never cut."""
    if block.form == "row" and not any(map(str.isalnum, said)):
        return "talk"
    return "row" if block.form == "header" and not is_table_head(said) else _FORMS[block.form]


def _pieces(said: str, block: Block) -> Iterator[tuple[int, int]]:
    """The sentences of a block; a list item stays whole, unless it is long."""
    if block.form == "item" and len(words(said)) <= _LONG:
        yield 0, len(said)
        return
    for start, end in sentences(said):
        yield from _split(said, start, end)


def _split(said: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A long sentence, cut after its semicolons."""
    if len(words(said[start:end])) > _LONG:
        for stop in _SEMICOLON.finditer(said, start, end - 1):
            yield start, stop.start() + 1
            start = stop.end()
    yield start, end


def _kind(piece: str, block: Block, following: Block | None) -> Kind:
    if is_talk(piece):
        return "talk"
    if introduces(piece, following):
        return "heading"
    return _FORMS.get(block.form, "sentence")
