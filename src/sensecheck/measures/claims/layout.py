"""Blocks of a text and their form: paragraphs, list items, table rows, titles, code."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.text.sentences import blocks, is_fenced, sentences

Form = Literal["text", "item", "row", "header", "title", "code"]
_QUOTED = re.compile(r"\s*(?:>\s?)*\s*")
_TITLE = re.compile(r"#{1,6}\s+")
_INLINE = re.compile(r"`[^`\n]+`[.,;:!]?")
_SEPARATOR = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_BULLET = re.compile(r"[-*+•–]\s+(?:\[[ xX]\]\s+)?")
_COUNTED = re.compile(r"\(?\s?(?:(?P<number>\d{1,3})\s?|(?P<letter>[A-Za-z]))[.)]\s+")
_LIST_MARK = re.compile(r"\s*(?:[-*+•–]|\(?\w{1,3}[.)])\s")
_CODE = re.compile(
    r"(?:def|class|import|from|return|if|elif|else|for|while|try|with|function|const|let|var|public|private"
    r"|#include|using|package|SELECT|INSERT|UPDATE|CREATE)\b.*[:;({)\w*]$"
    r"|[$>%]{1,3} \S"
    r"|[}\])]+[;,]?$"
    r"|.*[{};]$"
    r"|[\w.\[\]]+\s*(?:[-+*/|:]?=|:=|<-)\s*\S"
    r"|[\w.]+\(.*\)[;:]?$"
    r"|(?:#|//|--|/\*)\s?\w"
)


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A block without the markup before it, and without the spaces around it."""

    start: int
    end: int
    form: Form


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers and letters that stand before the blocks of a text."""

    used: frozenset[tuple[str, int]]

    @classmethod
    def of(cls, starts: Iterable[str]) -> "Numbering":
        """Those of the blocks that start so."""
        matches = (_COUNTED.match(start) for start in starts)
        return cls(frozenset(_value(match) for match in matches if match))

    def counts(self, match: re.Match[str]) -> bool:
        """Whether the one before or after it is used too: `A. Smith` alone is no list item, nor is `42.`"""
        kind, value = _value(match)
        return (kind, value - 1) in self.used or (kind, value + 1) in self.used


def laid_out(text: str) -> list[LayoutBlock]:
    """The blocks of a text in order; what no block holds is space, or marks of lists, tables and titles."""
    places = [(start, end) for start, end in blocks(text) if not text[start:end].isspace() and start < end]
    tables = _tables(text, places)
    numbering = Numbering.of(text[start:end].lstrip(" \t>") for start, end in places)
    layout_blocks = (_block(text, place, tables, numbering) for place in code_runs(text, places))
    return [block for block in layout_blocks if block.start < block.end]


def _block(
    text: str, place: tuple[int, int, bool], tables: dict[int, Form], numbering: Numbering
) -> LayoutBlock:
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
    forms: dict[int, Form] = {}
    lines = [text[start:end].strip() for start, end in places]
    ruled = [("|" in line and _SEPARATOR.fullmatch(line) is not None) for line in lines]
    for at, (start, _) in enumerate(places):
        touches = at > 0 and places[at - 1][1] == start
        continues = touches and places[at - 1][0] in forms and "|" in lines[at] and "\n" not in lines[at]
        heads = at + 1 < len(lines) and ruled[at + 1] and places[at][1] == places[at + 1][0]
        if ruled[at] or (heads and _names_columns(lines[at])):
            forms[start] = "header"
        elif lines[at].startswith("|") or continues:
            forms[start] = "row"
    return forms


def _names_columns(line: str) -> bool:
    """Whether a line over a ruled one belongs to the table; a paragraph of several sentences does not."""
    return line.startswith("|") or ("|" in line and len(sentences(line)) == 1)


def _row(text: str, start: int, end: int, form: Form) -> LayoutBlock:
    """A row without the bars at its two ends; `|x| = 5` is no row, and keeps its first."""
    block = _trimmed(text, start, end, form)
    if block.end - block.start < 2 or (text[block.start], text[block.end - 1]) != ("|", "|"):
        return block
    return _trimmed(text, block.start + 1, block.end - 1, form)


def _end(mark: re.Pattern[str], text: str, at: int) -> int:
    match = mark.match(text, at)
    return match.end() if match else at


def _trimmed(text: str, start: int, end: int, form: Form) -> LayoutBlock:
    body = text[start:end]
    left = start + len(body) - len(body.lstrip())
    return LayoutBlock(left, max(left, start + len(body.rstrip())), form)


def bullet_end(text: str, at: int, numbering: Numbering) -> int:
    """Where the mark of a list item ends that starts at `at`; `at` itself where none does."""
    bullet = _BULLET.match(text, at)
    if bullet:
        return bullet.end()
    counted = _COUNTED.match(text, at)
    return counted.end() if counted and numbering.counts(counted) else at


def _value(match: re.Match[str]) -> tuple[str, int]:
    if match["number"]:
        return "number", int(match["number"])
    return "letter", ord(match["letter"].lower())


def code_runs(text: str, places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """The blocks, with each run of indented blocks that reads like code joined into one, marked as code."""
    at, in_list = 0, False
    while at < len(places):
        until = max(at + 1, _run_end(text, places, at, in_list=in_list))
        start, end = places[at][0], places[until - 1][1]
        if _is_indented(text, start, end) and not in_list and _reads_like_code(text[start:end]):
            yield start, end, True
        else:
            yield from ((*place, False) for place in places[at:until])
        in_list = _opens_list(text[slice(*places[until - 1])], in_list=in_list)
        at = until


def _opens_list(block: str, *, in_list: bool) -> bool:
    """Whether what is indented below this block belongs to a list item."""
    return _LIST_MARK.match(block) is not None or (in_list and block[:1] in " \t")


def _run_end(text: str, places: Sequence[tuple[int, int]], at: int, *, in_list: bool) -> int:
    """The end of the run that starts here: first in the text or after an empty line, and not in a list."""
    after_space = at == 0 or places[at - 1][1] < places[at][0]
    while after_space and not in_list and at < len(places) and _is_indented(text, *places[at]):
        at += 1
    return at


def _is_indented(text: str, start: int, end: int) -> bool:
    lines = [line for line in text[start:end].split("\n") if line.strip()]
    return all(line.startswith(("    ", "\t")) for line in lines)


def _reads_like_code(run: str) -> bool:
    """Whether at least half of the lines look like code."""
    lines = [line.strip() for line in run.split("\n") if line.strip()]
    return 2 * sum(_CODE.match(line) is not None for line in lines) >= len(lines)
