"""Capitalised words, and whether a capital comes from the place of its word alone."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r"(?:[A-Z]\.){2,}|[^\W_]+(?:['’][^\W_]+)*(?:-\d+(?:\.\d+)?)?")
_OPENING = re.compile(r"[:;“”\"‘(\[*•>|–—/]\s?$")
_HEADING = re.compile(r"[^:.!?\n]{1,60}:(?=[\s*_]|$)")
_HEADLINE = 0.7
"""From this share of capitalised words on, capitals say nothing."""
_ORDER = re.compile(r"\s(?:the|an?|your|this|these|that|those|any|each|every|it|them|all|both|some|its)\b")
"""What follows the verb of an order, and no name: `Roast the`, `Note that`."""


class Capital(NamedTuple):
    """A capitalised word."""

    text: str
    start: int
    end: int
    first: bool
    """Whether its capital may come from its place."""
    orders: bool
    """Whether it is then the verb of an order."""


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The words of a text as they could stand in a name."""
    return _TOKEN.finditer(text)


def words_in(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The words of a stretch as they could stand in a name."""
    return _TOKEN.finditer(text, start, end)


def capitals(text: str, start: int, end: int) -> Iterator[Capital]:
    """The capitalised words of a sentence."""
    found = list(_TOKEN.finditer(text, start, end))
    headline = _is_headline(found)
    heading = _heading_end(text, start, end, found)
    begun = False
    for match in found:
        if any(map(str.isupper, match[0])):
            opens = not begun or _OPENING.search(text[max(start, match.start() - 2) : match.start()])
            first = bool(opens) or headline or match.end() <= heading
            orders = first and _ORDER.match(text, match.end(), end) is not None
            yield Capital(match[0], match.start(), match.end(), first, orders)
        begun = begun or not match[0].isdigit()


def _is_headline(found: list[re.Match[str]]) -> bool:
    """Whether the words are written as in a headline."""
    long = [match for match in found if len(match[0]) > 3]
    return len(long) > 3 and sum(match[0][0].isupper() for match in long) / len(long) >= _HEADLINE


def _heading_end(text: str, start: int, end: int, found: list[re.Match[str]]) -> int:
    """Where the heading before a colon ends, all of whose longer words are capitalised; else `start`."""
    begun = next((one.start() for one in found if not one[0].isdigit()), start)
    match = _HEADING.match(text, begun, end)
    if match is None:
        return start
    long = [one for one in found if one.end() <= match.end() and len(one[0]) > 3]
    return match.end() if all(one[0][0].isupper() for one in long) else start
