"""YAML 1.2 into nodes that know their line and column.

`no` and `on` are texts, 010 is ten, and there are no dates. A number where a text is wanted is an error
unless it is written back as it stands.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from sensecheck.core.errors import BatteryError
from sensecheck.core.extras import extra
from sensecheck.documents.node import DEEPEST, Node, Place, too_deep

# ruff: noqa: PLC0415 - YAML is needed by those who have batteries

MAX_VALUES: Final = 5_000_000
"""So many values, counted with what aliases repeat, are no battery but an attack."""
TAG: Final = "tag:yaml.org,2002:"
TEXT: Final = f"{TAG}str"
MERGE: Final = f"{TAG}merge"
_NULL = re.compile(r"|~|null|Null|NULL")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_BASES: Final = ("0o", "0x")
_MAX_DIGITS: Final = 300


def read_document(text: str, file: str) -> Node:
    """The one document that the text of a YAML file holds."""
    with extra("battery"):
        import yaml
    loader: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        return _YamlReader(file, yaml.parse(text, Loader=loader)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, 1) if mark is None else Place(file, mark.line + 1, mark.column + 1)
        why = " ".join(part for part in (error.context, error.problem) if part)
        raise BatteryError(f"{place}: this is not YAML: {why}") from error
    except yaml.YAMLError as error:
        raise BatteryError(f"{Place(file, 1)}: this is not YAML: {' '.join(str(error).split())}") from error


def require_plain_style(node: Node) -> None:
    """Raise for a number, at any depth, that would be written back otherwise than it stands in the file."""
    if isinstance(node.value, Mapping):
        for item in node.value.values():
            require_plain_style(item)
    elif isinstance(node.value, tuple):
        for item in node.value:
            require_plain_style(item)
    elif node.spelling and isinstance(node.value, int | float):
        number = f"a number is written {_written(node.value)}"
        raise node.error(f"`{node.spelling}` is a string only in quotes; {number}")


def text_of(node: Node, what: str) -> str:
    """A text, or a number as it is written."""
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        require_plain_style(node)
        return _written(node.value)
    return node.text(what)


def spelling_of(word: str, value: Any) -> str:
    """The word, if it is a number that would be written back otherwise; else nothing.

    Who writes `0x1F` means a number; who writes `007` or `3.10` may well mean a text.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or word.startswith(_BASES):
        return ""
    return "" if word == _written(value) else word


class _YamlReader:
    """Goes once through the events of a parser, and sees to it that aliases neither circle nor explode."""

    def __init__(self, file: str, events: Iterator[Any]) -> None:
        self._file = file
        self._events = (event for event in events if not type(event).__name__.startswith("Stream"))
        self._anchors: dict[str, tuple[Node, int] | None] = {}
        """By name, with how many values each holds; None while it is being read."""
        self._values = 0

    def document(self) -> Node:
        """The only document."""
        if next(self._events, None) is None:
            raise BatteryError(f"{Place(self._file, 1)}: the file is empty")
        node = self._node(next(self._events), 0)
        next(self._events)
        another = next(self._events, None)
        if another is not None:
            raise self._error(another, "a file must hold one document; another begins here")
        return node

    def _node(self, event: Any, depth: int) -> Node:
        if depth > DEEPEST:
            raise too_deep(self._place(event))
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self._aliased(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        before = self._values
        self._count(event, 1)
        node = self._value(kind, event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node, self._values - before
        return node

    def _value(self, kind: str, event: Any, depth: int) -> Node:
        if kind == "SequenceStartEvent":
            return self._sequence(event, depth)
        return self._mapping(event, depth) if kind == "MappingStartEvent" else self._scalar(event)

    def _scalar(self, event: Any) -> Node:
        text = self._text(event)
        try:
            value = _value_of(text, _tag(event))
            return Node(value, self._place(event), spelling=spelling_of(text, value))
        except ValueError as error:
            raise self._error(event, str(error)) from error

    def _sequence(self, event: Any, depth: int) -> Node:
        self._require_event(event, "seq")
        nodes = []
        while type(item := next(self._events)).__name__ != "SequenceEndEvent":
            nodes.append(self._node(item, depth + 1))
        return Node(tuple(nodes), self._place(event))

    def _mapping(self, event: Any, depth: int) -> Node:
        self._require_event(event, "map")
        entries: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        merged: list[Node] = []
        while type(key := next(self._events)).__name__ != "MappingEndEvent":
            name = self._name(key)
            item = self._node(next(self._events), depth + 1)
            if name is None:
                merged += item.items("`<<`") if isinstance(item.value, tuple) else (item,)
            elif name in entries:
                raise self._error(key, f"the key `{name}` stands there twice; see {keys[name]}")
            else:
                entries[name], keys[name] = item, self._place(key)
        for node in merged:
            entries = {**node.entries("`<<`"), **entries}
            keys = {**node.keys, **keys}
        return Node(entries, self._place(event), keys)

    def _name(self, key: Any) -> str | None:
        """The text of a key; None for the one that merges."""
        if type(key).__name__ != "ScalarEvent":
            raise self._error(key, "a key must be a string; got something else")
        if _tag(key) == MERGE:
            return None
        if _tag(key) != TEXT:
            raise self._error(key, f"a key must be a string; got `{key.value}`; write it in quotes")
        return self._text(key)

    def _text(self, event: Any) -> str:
        text: str = event.value
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise self._error(event, "the text holds half of a surrogate pair; write the character itself")
        return text

    def _aliased(self, event: Any) -> Node:
        if event.anchor not in self._anchors:
            raise self._error(event, f"there is no anchor `&{event.anchor}` before this")
        aliased = self._anchors[event.anchor]
        if aliased is None:
            raise self._error(event, f"the anchor `&{event.anchor}` contains itself")
        self._count(event, aliased[1])
        return aliased[0]

    def _require_event(self, event: Any, kind: str) -> None:
        if event.tag not in (None, "!", f"{TAG}{kind}"):
            raise self._error(event, f"the tag `{event.tag.replace(TAG, '!!')}` is not known here")

    def _count(self, event: Any, values: int) -> None:
        self._values += values
        if self._values > MAX_VALUES:
            raise self._error(event, f"there are more than {MAX_VALUES:,} values up to here")

    def _place(self, event: Any) -> Place:
        return Place(self._file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _error(self, event: Any, message: str) -> BatteryError:
        return BatteryError(f"{self._place(event)}: {message}")


def _tag(event: Any) -> str:
    if event.tag is not None and event.tag != "!":
        return str(event.tag)
    if not event.implicit[0] or event.tag is not None:
        return TEXT
    # a plain word that has no tag of its own
    return next((tag for tag, (pattern, _) in _KINDS.items() if pattern.fullmatch(event.value)), TEXT)


def _value_of(word: str, tag: str) -> Any:
    """What a scalar holds; `ValueError` when it does not hold what its tag says, or the tag is unknown."""
    if tag == TEXT:
        return word
    if tag not in _KINDS:
        raise ValueError(f"the tag `{tag.replace(TAG, '!!')}` is not known")
    pattern, read = _KINDS[tag]
    if not pattern.fullmatch(word):
        raise ValueError(f"`{word}` is no {tag.removeprefix(TAG)}")
    return read(word)


def _written(number: float) -> str:
    """A number as a text: 5 for 5.0, as JSON and promptfoo have it."""
    return str(int(number)) if isinstance(number, int) or number.is_integer() else str(number)


def _whole(word: str) -> int:
    if len(word) > _MAX_DIGITS:
        raise ValueError(f"the number has {len(word):,} digits; wanted at most {_MAX_DIGITS}, or quotes")
    return int(word, 0) if word.startswith(_BASES) else int(word)


def _decimal(word: str) -> float:
    number = math.inf if word.lstrip("-+").lower() in (".inf", ".nan") else float(word)
    if not math.isfinite(number):
        raise ValueError(f"`{word}` is no finite number; write it in quotes if it is meant as a string")
    return number


_KINDS: Final[dict[str, tuple[re.Pattern[str], Callable[[str], Any]]]] = {
    f"{TAG}null": (_NULL, lambda _: None),
    f"{TAG}bool": (_BOOL, lambda word: word.lower() == "true"),
    f"{TAG}int": (_INT, _whole),
    f"{TAG}float": (_FLOAT, _decimal),
    MERGE: (re.compile("<<"), str),
}
