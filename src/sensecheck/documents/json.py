"""JSON into nodes that know their line and column."""

import json
import re
from bisect import bisect_right
from functools import lru_cache
from typing import Any, NamedTuple

from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.serialization import finite, read_json
from sensecheck.documents.node import DEEPEST, Node, Place, too_deep
from sensecheck.documents.yaml import spelling_of

_SPACE = re.compile(r"[ \t\n\r]*")
_BREAK = re.compile("\n")


def read_json_document(text: str, file: str) -> Node:
    """The value that the text of a JSON file holds."""
    try:
        read_json(text, at=file)
    except SpecError as error:
        raise BatteryError(f"{Place(file, 1)}: {error}") from error
    return _JsonReader(text, file).value(_after_space(text, 0))[0]


def read_json_line(line: str, place: Place) -> Node:
    """The value that a line of a file holds; all of it stands at the line's place."""
    try:
        return _node(read_json(line, at="the row", whole=_whole, decimal=_decimal), place)
    except SpecError as error:
        raise BatteryError(f"{place}: {error}") from error


class _SpelledNumber(NamedTuple):
    """A number that would be written back otherwise than it stands there."""

    number: float
    word: str


def _whole(word: str) -> int | _SpelledNumber:
    return _SpelledNumber(0, word) if word == "-0" else int(word)


@lru_cache(maxsize=1024)
def _decimal(word: str) -> float | _SpelledNumber:
    number = finite(word)
    return _SpelledNumber(number, word) if _spelling(word, number) else number


def _node(data: Any, place: Place, depth: int = 0) -> Node:
    if depth > DEEPEST:
        raise too_deep(place)
    if isinstance(data, dict):
        return Node({key: _node(item, place, depth + 1) for key, item in data.items()}, place)
    if isinstance(data, list):
        return Node(tuple(_node(item, place, depth + 1) for item in data), place)
    if isinstance(data, _SpelledNumber):
        return Node(data.number, place, spelling=data.word)
    return Node(data, place)


class _JsonReader:
    """Goes through a text that is known to be JSON; each reading gives a node and where it ends."""

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._decoder = json.JSONDecoder()
        self._line_starts = [0, *(newline.end() for newline in _BREAK.finditer(text))]

    def value(self, at: int, depth: int = 0) -> tuple[Node, int]:
        """The value that begins here."""
        if depth > DEEPEST:
            raise too_deep(self._place(at))
        opening = self._text[at]
        if opening == "{":
            return self._object(at, depth)
        if opening == "[":
            return self._array(at, depth)
        value, end = self._decoder.raw_decode(self._text, at)
        return Node(value, self._place(at), spelling=_spelling(self._text[at:end], value)), end

    def _object(self, at: int, depth: int) -> tuple[Node, int]:
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        end = _after_space(self._text, at + 1)
        while self._text[end] != "}":
            begin = _after_space(self._text, end + 1) if entries else end
            name, end = self._decoder.raw_decode(self._text, begin)
            keys[name] = self._place(begin)
            colon = _after_space(self._text, end)
            entries[name], end = self.value(_after_space(self._text, colon + 1), depth + 1)
            end = _after_space(self._text, end)
        return Node(entries, self._place(at), keys), end + 1

    def _array(self, at: int, depth: int) -> tuple[Node, int]:
        nodes: list[Node] = []
        end = _after_space(self._text, at + 1)
        while self._text[end] != "]":
            node, end = self.value(_after_space(self._text, end + 1) if nodes else end, depth + 1)
            nodes.append(node)
            end = _after_space(self._text, end)
        return Node(tuple(nodes), self._place(at)), end + 1

    def _place(self, at: int) -> Place:
        line = bisect_right(self._line_starts, at)
        return Place(self._file, line, at - self._line_starts[line - 1] + 1)


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()


def _spelling(word: str, value: object) -> str:
    """How a number is written, if that would be lost; programs write `1.0`, and mean no more by it."""
    return "" if isinstance(value, float) and word == repr(value) else spelling_of(word, value)
