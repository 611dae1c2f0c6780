"""An answer taken apart into claims, and what stands between them, each with its place."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

from sensecheck.measures.claims.citations import (
    Place,
    blanked,
    citation_marks,
    heads_sources,
    is_footnote,
    link_marks,
    only_cites,
)
from sensecheck.measures.claims.layout import LayoutBlock, laid_out
from sensecheck.measures.claims.non_claims import NonClaim, introduces, is_heading, is_table_head, spoken
from sensecheck.text.sentences import sentences
from sensecheck.text.words import words

Kind = Literal["sentence", "item", "row", "code", "heading", "frame", "offer", "citation", "chat"]
_LONG = 60
"""A sentence of more words is split at its semicolons; a list item, into its sentences."""
_BELOW = 2000
"""So many characters under a first line show whether it is their title."""
_SEMICOLON = re.compile(r"(?:;(?=\s)|；)\s*")
_NON_CLAIMS: dict[str, NonClaim] = {kind: kind for kind in get_args(NonClaim)}
_FORMS: dict[str, Kind] = {"item": "item", "row": "row", "header": "heading", "code": "code"}
_SOURCE = (
    r"(?:passages?|texts?|contexts?|documents?|sources?|information|articles?|excerpts?|extracts?|snippets?"
    r"|materials?|references?)"
)
_NUMBER = r"(?:\s(?:\#?\d{1,2}|one|two|three)(?:\s?(?:,|and|&)\s?\#?\d{1,2}){0,4})?"
_THE = (
    r"(?:(?:the|this|these|your|that|both|all|provided|given|supplied|above|available|attached|relevant"
    r"|retrieved)\s){0,4}"
)
_LEAD = re.compile(
    rf"[\s*_\"“(]{{0,4}}(?:(?:so|well|however|also|yes|no|and|but),?\s)?"
    rf"(?:(?:based|relying|drawing)\s(?:(?:only|solely|purely|directly)\s)?(?:on|upon)|according\sto|as\s(?:\w+\s){{1,2}}(?:in|by)"
    rf"|from|per|as\sper|in)\s(?:what\sis\s(?:said|stated|written)\sin\s)?{_THE}{_SOURCE}{_NUMBER}"
    r"(?:\s(?:provided|given|supplied|above|below|here|retrieved|available|you\s(?:gave|provided|shared|sent)))?\s?,\s",
    re.IGNORECASE,
)
"""`Based on the passages, …`: what follows is judged."""
_COLON = re.compile(r"[^:.!?\n]{4,120}:(?=\s)")
_MAX_TAIL_CHARS = 160
"""In characters."""
_TAIL = re.compile(
    r"(?<=\w)\s?[,;—–]\s(?:so\s|but\s|and\s)?(?P<said>[^,;:—–.!?\n]{6,120})[.!]?[\s\"”)*_]{0,4}$",
    re.IGNORECASE,
)
"""What may be added behind a claim: `…, so please ask the operator.`"""
_SAYS = re.compile(
    rf"[\s*_\"“(]{{0,4}}(?:(?:so|however|also),?\s)?{_THE}{_SOURCE}{_NUMBER}(?:\s(?:provided|given|above))?"
    r"\s(?:also\s|clearly\s|explicitly\s)?(?:says?|states?|mentions?|explains?|notes?|indicates?|confirms?|specif(?:y|ies))\sthat\s",
    re.IGNORECASE,
)
"""`The passage says that …`."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A part of a claim that belongs to no fact of it: a citation, `Based on the passages,`."""

    start: int
    end: int
    kind: NonClaim


@dataclass(frozen=True, slots=True)
class Claim:
    """A piece of an answer: `text` is exactly its characters `start` to `end`."""

    start: int
    end: int
    kind: Kind
    text: str
    asides: tuple[Aside, ...] = ()
    """What in it is not judged, by its place in the answer."""

    @property
    def checked(self) -> bool:
        """Whether it says something that can be true or false: no heading, no offer, no conversation."""
        return self.non_claim is None

    @property
    def non_claim(self) -> NonClaim | None:
        """What it is where it claims nothing."""
        return _NON_CLAIMS.get(self.kind)

    @property
    def stated(self) -> str:
        """Its text with spaces for what is not judged, so that all else stays in its place."""
        return blanked(
            self.text, [(aside.start - self.start, aside.end - self.start) for aside in self.asides]
        )


def claims(text: str) -> list[Claim]:
    """The claims of a text in order, and what stands between them.

    Every character is in exactly one of them, but for space and the marks of lists, tables and titles.
    """
    marks, code = _marks(text)
    plain = blanked(text, marks)
    blocks = [_as_written(block, code) for block in laid_out(plain)] if marks else laid_out(plain)
    parts: list[Claim] = []
    among_sources = False
    for block, following in pairwise([*blocks, None]):
        if block is None:
            continue
        pieces = list(_claims(text, plain, (block, following, blocks[0])))
        if pieces and pieces[0].kind == "heading":
            among_sources = heads_sources(pieces[0].text)
        parts += _as_sources(pieces) if among_sources else pieces
    return _with_marks(text, parts, marks)


def stated(text: str, pieces: Sequence[Claim]) -> str:
    """A text with spaces for all that is not judged within its claims, and for its citations."""
    places = [(aside.start, aside.end) for piece in pieces for aside in piece.asides]
    places += [(piece.start, piece.end) for piece in pieces if piece.kind == "citation"]
    return blanked(text, places)


def _marks(text: str) -> tuple[list[Place], list[Place]]:
    """The citation marks of a text, and its code if there are any: what looks like one in code is none."""
    marks = citation_marks(text)
    if not marks:
        return [], []
    code = [(block.start, block.end) for block in laid_out(text) if block.form == "code"]
    return citation_marks(text, code) if code else marks, code


def _as_written(block: LayoutBlock, code: Sequence[Place]) -> LayoutBlock:
    """A block that only looks like code because a mark before it was blanked is text."""
    is_code = any(start < block.end and block.start < end for start, end in code)
    return block if block.form != "code" or is_code else replace(block, form="text")


def _claims(
    text: str, plain: str, around: tuple[LayoutBlock, LayoutBlock | None, LayoutBlock]
) -> Iterator[Claim]:
    block, following, first = around
    plain_block, written_block = plain[block.start : block.end], text[block.start : block.end]
    if block.form in ("code", "header", "row"):
        yield Claim(block.start, block.end, _whole(plain_block, block), written_block)
        return
    if only_cites(plain_block) or (block is not first and is_footnote(_with_line_start(text, block))):
        yield Claim(block.start, block.end, "citation", written_block)
        return
    below = plain[block.end : block.end + _BELOW]
    if is_heading(plain_block, block, following, opens=block is first, below=below):
        yield Claim(block.start, block.end, "heading", written_block)
        return
    pieces = list(_pieces(plain_block, block))
    for start, end in pieces:
        last = following if (start, end) == pieces[-1] else None
        kind = _kind(plain_block[start:end], block, last)
        yield Claim(block.start + start, block.start + end, kind, written_block[start:end])


def _with_line_start(text: str, block: LayoutBlock) -> str:
    """A block with what stands before it on its first line."""
    return text[text.rfind("\n", 0, block.start) + 1 : block.end]


def _as_sources(pieces: Sequence[Claim]) -> list[Claim]:
    """What stands under a heading such as `Sources`."""
    return [
        replace(piece, kind="citation")
        if piece.checked and only_cites(piece.text, among_sources=True)
        else piece
        for piece in pieces
    ]


def _with_marks(text: str, pieces: Sequence[Claim], marks: Sequence[Place]) -> list[Claim]:
    """The pieces with what is not judged in them; marks that stand outside of them are pieces themselves."""
    starts = [piece.start for piece in pieces]
    within: dict[int, list[Place]] = {}
    outside: list[Claim] = []
    for start, end in marks:
        at = bisect_right(starts, start) - 1
        if at >= 0 and end <= pieces[at].end:
            within.setdefault(at, []).append((start, end))
        else:
            outside.append(Claim(start, end, "citation", text[start:end]))
    marked = [_with_asides(piece, within.get(at, [])) for at, piece in enumerate(pieces)]
    return sorted([*marked, *outside], key=lambda piece: piece.start) if outside else marked


def _with_asides(piece: Claim, marks: Sequence[Place]) -> Claim:
    if not piece.checked or piece.kind == "code":
        return piece
    without_marks = blanked(piece.text, [(start - piece.start, end - piece.start) for start, end in marks])
    links = [(piece.start + start, piece.start + end) for start, end in link_marks(without_marks)]
    asides = [Aside(start, end, "citation") for start, end in (*marks, *links)]
    lead = _lead(piece.text)
    if lead and any(map(str.isalnum, piece.text[lead:])):
        end = piece.start + lead
        asides = [aside for aside in asides if aside.start >= end]
        asides.append(Aside(piece.start, end, "frame"))
    tail = _TAIL.search(piece.text, max(0, len(piece.text) - _MAX_TAIL_CHARS))
    if tail is not None and not any(map(str.isdigit, tail["said"])) and spoken(tail["said"]) == "offer":
        start, end = piece.start + tail.start(), piece.start + tail.end("said")
        asides = [aside for aside in asides if aside.end <= start]
        asides.append(Aside(start, end, "offer"))
    return replace(piece, asides=tuple(sorted(asides, key=lambda aside: aside.start))) if asides else piece


def _lead(text: str) -> int:
    """Where what only leads to a claim ends: `Based on the passages,`, `Here is the answer:`."""
    match = _LEAD.match(text) or _SAYS.match(text)
    if match is not None:
        return len(match[0].rstrip())
    colon = _COLON.match(text)
    return colon.end() if colon is not None and spoken(colon[0]) == "frame" else 0


def _whole(text: str, block: LayoutBlock) -> Kind:
    """The kind of a block that is never cut."""
    if block.form == "row" and not any(map(str.isalnum, text)):
        return "frame"
    return "row" if block.form == "header" and not is_table_head(text) else _FORMS[block.form]


def _pieces(text: str, block: LayoutBlock) -> Iterator[tuple[int, int]]:
    """The sentences of a block; a list item stays whole, unless it is long."""
    if block.form == "item" and len(words(text)) <= _LONG:
        yield 0, len(text)
        return
    for start, end in sentences(text):
        yield from _split(text, start, end)


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A long sentence, cut after its semicolons."""
    if len(words(text[start:end])) > _LONG:
        for stop in _SEMICOLON.finditer(text, start, end - 1):
            yield start, stop.start() + 1
            start = stop.end()
    yield start, end


def _kind(piece: str, block: LayoutBlock, following: LayoutBlock | None) -> Kind:
    if only_cites(piece):
        return "citation"
    kind = spoken(piece)
    if kind is not None:
        return kind
    return "heading" if introduces(piece, following) else _FORMS.get(block.form, "sentence")
