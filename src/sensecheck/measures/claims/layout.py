"""Blocks of a text and their form: paragraphs, list items, table rows, titles, code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.measures.claims.indented import code_runs
from sensecheck.measures.claims.lists import Numbering, bullet_end
from sensecheck.measures.text.lines import blocks, is_fenced
from sensecheck.measures.text.sentences import sentences

Form = Literal["text", "item", "row", "header", "title", "code"]
_QUOTED = re.compile(r"\s*(?:>\s?)*\s*")
_TITLE = re.compile(r"#{1,6}\s+")
_INLINE = re.compile(r"`[^`\n]+`[.,;:!]?")
_SEPARATOR = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")


@dataclass(frozen=True, slots=True)
class Block:
    """A block without the markup before it, and without the spaces around it."""

    start: int
    end: int
    form: Form


def laid_out(text: str) -> list[Block]:
    """The blocks of a text in order; what no block holds is space, or marks of lists, tables and titles."""
    places = [(start, end) for start, end in blocks(text) if not text[start:end].isspace() and start < end]
    tables = _tables(text, places)
    numbering = Numbering.of(text[start:end].lstrip(" \t>") for start, end in places)
    found = (_block(text, place, tables, numbering) for place in code_runs(text, places))
    return [block for block in found if block.start < block.end]


def _block(text: str, place: tuple[int, int, bool], tables: dict[int, Form], numbering: Numbering) -> Block:
    start, end, is_code = place
    if start in tables:
        return _row(text, start, end, tables[start])
    if is_code or is_fenced(text, start, end):
        return _trimmed(text, start, end, "code")
    body = _end(_QUOTED, text, start)
    after = bullet_end(text, body, numbering)
    if after > body:
        return _trimmed(text, after, end, "item")
    if _TITLE.match(text, body):
        return _trimmed(text, _end(_TITLE, text, body), end, "title")
    form: Form = "code" if _INLINE.fullmatch(text[body:end].rstrip()) else "text"
    return _trimmed(text, body, end, form)


def _tables(text: str, places: Sequence[tuple[int, int]]) -> dict[int, Form]:
    """The form of each table row, by where its block starts."""
    found: dict[int, Form] = {}
    lines = [text[start:end].strip() for start, end in places]
    ruled = [("|" in line and _SEPARATOR.fullmatch(line) is not None) for line in lines]
    for at, (start, _) in enumerate(places):
        touches = at > 0 and places[at - 1][1] == start
        goes_on = touches and places[at - 1][0] in found and "|" in lines[at] and "\n" not in lines[at]
        heads = at + 1 < len(lines) and ruled[at + 1] and places[at][1] == places[at + 1][0]
        if ruled[at] or (heads and _names_columns(lines[at])):
            found[start] = "header"
        elif lines[at].startswith("|") or goes_on:
            found[start] = "row"
    return found


def _names_columns(line: str) -> bool:
    """Whether a line over a ruled one belongs to the table; a paragraph of several sentences does not."""
    return line.startswith("|") or ("|" in line and len(sentences(line)) == 1)


def _row(text: str, start: int, end: int, form: Form) -> Block:
    """A row without the bars at its two ends; `|x| = 5` is no row, and keeps its first."""
    block = _trimmed(text, start, end, form)
    if block.end - block.start < 2 or (text[block.start], text[block.end - 1]) != ("|", "|"):
        return block
    return _trimmed(text, block.start + 1, block.end - 1, form)


def _end(mark: re.Pattern[str], text: str, at: int) -> int:
    match = mark.match(text, at)
    return match.end() if match else at


def _trimmed(text: str, start: int, end: int, form: Form) -> Block:
    body = text[start:end]
    left = start + len(body) - len(body.lstrip())
    return Block(left, max(left, start + len(body.rstrip())), form)
