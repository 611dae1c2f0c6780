"""Assertions as a battery file has them: the types there are, and what one of them is given.

An assertion is read strictly: its texts may stand in files, and its threshold may be a number, a card, a
card's file, or a promise. The shapes of values are those of the JSON Schema.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.introspection import settled
from sensecheck.checks.spec import check_from_data
from sensecheck.core.cutoff import Cutoff, at_least
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.threshold import Threshold, cutoff_of
from sensecheck.documents.node import Node, Place
from sensecheck.documents.reading import SCHEME, content_of, decoded, names_file, read_file
from sensecheck.documents.yaml import text_of
from sensecheck.runs.tally import as_text

_FIELD = re.compile(r'\s*+(?:"((?:[^"\\]|\\.|"")*+)"\s*+|([^",\s][^,]*+))?+(?:,|$)', re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\])|""')

_TEXT = (".txt", ".md")
_DATA = (".json", ".yaml", ".yml")

_THRESHOLDS = ("threshold", "max_heller_score")

Schema = Mapping[str, Any]
YES = at_least(1.0)
"""The line of a rule that holds or does not."""

_NAMED = ("value", "expected", "expected_cluster", "passages")
"""The keys that hold what the answer is compared with; the first that is there is shown."""
_CODE = ("python", "not-python", "javascript", "not-javascript")
"""The types whose file is a program: what is in it says nothing alongside an answer."""
_MAX_CHARS = 2000

ANY: Schema = {}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "number", "minimum": 0}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
SCORE: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
"""What a score must reach: it can fall short of it."""
WRITTEN: Schema = {"type": ["string", "number"]}
"""A text, or a number that is written out."""
SEVERAL: Schema = {"type": ["string", "array"], "items": WRITTEN, "minItems": 1}
"""A list, or one text with commas in it."""
TEXTS: Schema = {"type": ["string", "array"], "items": TEXT, "minItems": 1}
LINE: Schema = {
    "description": "A number, the name of a card, the path to one, or what a card must promise.",
    "anyOf": [
        NUMBER,
        TEXT,
        {
            "type": "object",
            "properties": {"fpr": SHARE, "fnr": SHARE, "confidence": SHARE},
            "additionalProperties": False,
        },
    ],
}
_ELSEWHERE: Schema = {"type": "string", "pattern": r"^file://|\{\{"}
"""A file's name, or a variable, where a text of its own would not do."""
CLUSTERS: Schema = {
    "anyOf": [
        _ELSEWHERE,
        {
            "type": "object",
            "additionalProperties": {"anyOf": [_ELSEWHERE, {"type": "array", "items": TEXT, "minItems": 1}]},
            "minProperties": 2,
        },
    ]
}


@dataclass(frozen=True, slots=True)
class About:
    """The test around an assertion, and where the files and cards that it names are."""

    vars: Mapping[str, Any]
    folder: Path
    """Where paths begin: the battery's own folder."""
    library: CardLibrary


@dataclass(frozen=True, slots=True)
class Readings:
    """The lowest and the highest reading, and from which side of a line answers may pass."""

    least: float
    most: float
    passing: Literal["above", "below", "either"]

    def line(self, node: Node, what: str, *, turned: bool = False) -> float:
        """A number among the readings, unless all of them, or all but one, would come out alike.

        With `turned`, what is on the good side of the line fails.
        """
        threshold = node.number(what, least=self.least, most=self.most)
        if threshold in (self.least, self.most) and (why := self._idle(threshold, turned=turned)):
            side = "more" if threshold == self.least else "less"
            raise node.error(f"{what} must be {side} than {threshold:g}: {why}")
        return threshold

    def _idle(self, threshold: float, *, turned: bool) -> str:
        """Why a threshold at the end of the readings decides too little; nothing when it decides enough."""
        if self.passing == "either":
            return "there every answer would come out alike"
        if threshold == (self.least if self.passing == "above" else self.most):
            beyond = "less" if threshold == self.least else "more"
            return f"no reading is {beyond}, so it could never {'pass' if turned else 'fail'}"
        return f"nothing but a reading of exactly {threshold:g} could fail" if turned else ""


CLOSENESS: Final = Readings(-1.0, 1.0, "above")
PORTION: Final = Readings(0.0, 1.0, "above")
REPEATED: Final = Readings(0.0, 1.0, "below")
CHANCE: Final = Readings(0.0, 1.0, "either")
"""Of something that is wanted, or that must not be."""
DRIFT: Final = Readings(0.0, 2.0, "below")
"""A distance that must not be exceeded."""
NEARNESS: Final = Readings(0.0, 2.0, "above")
"""A distance that must not be fallen short of."""


@dataclass(frozen=True, slots=True)
class AssertionInput:
    """An assertion with its texts filled in, and the test around it."""

    type: str
    """Without the `not-` before it."""
    node: Node
    entries: Mapping[str, Node]
    about: About
    named: str
    """As the file has it."""
    turned: bool = False
    """Whether answers pass where the check that is built fails."""

    def value(self) -> Node:
        """What stands under `value`, or in the file that it names."""
        value = self.text_under("value")
        if value is None:
            raise self.node.error(f"`{self.named}` lacks the key `value`")
        return value

    def text_under(self, key: str) -> Node | None:
        """What stands under a key that holds texts, or in the files that it names; None when nothing does."""
        return loaded(self.entries[key], self.about) if key in self.entries else None

    def text(self) -> str:
        """The value as a text; a number is written out."""
        return text_of(self.value(), f"`value` of `{self.named}`")

    def texts(self) -> tuple[str, ...]:
        """The value as texts: a list, or one text with commas between them."""
        value = self.value()
        if isinstance(value.value, str):
            return _split_at_commas(value)
        what = f"`value` of `{self.named}`"
        texts = tuple(text_of(node, f"each entry of {what}") for node in value.items(what))
        if not texts:
            raise value.error(f"{what} must have at least one string; got an empty list")
        return texts

    def expected(self) -> str:
        """The value, or else the variable `expected`."""
        if "value" in self.entries:
            return self.text()
        expected = self.about.vars.get("expected")
        if not isinstance(expected, str):
            raise self.node.error(
                f"`{self.named}` has nothing to compare with; wanted a `value`, or the variable `expected`"
            )
        return expected

    def number(self, key: str, default: float | None = None, *, least: float, most: float) -> float:
        """A number within bounds."""
        if key in self.entries:
            return self.entries[key].number(f"`{key}` of `{self.named}`", least=least, most=most)
        if default is None:
            raise self.node.error(f"`{self.named}` lacks the key `{key}`")
        return default

    def line(self, default: float, readings: Readings) -> Threshold:
        """The threshold: a number among the readings that decides something, or a fitted cutoff."""
        if "threshold" not in self.entries:
            return default
        node = self.entries["threshold"]
        if isinstance(node.value, str | Mapping):
            return _threshold_of(node, self.about)
        return readings.line(node, f"`threshold` of `{self.named}`", turned=self.turned)

    def cutoff(self, measure: Measure, default: float, readings: Readings, *, doubt: float = 0.0) -> Cutoff:
        """The line on a measure from whose high side answers pass; one that was fitted has its own doubt."""
        threshold = self.line(default, readings)
        try:
            return cutoff_of(threshold, measure, "above", doubt=doubt, within=(-1.0, 1.0))
        except SpecError as error:
            raise self.error(str(error), key="threshold") from error

    def error(self, message: str, *, key: str = "value") -> BatteryError:
        """The error that says what is wrong with the assertion."""
        return self.node.error(f"`{self.named}`: {message}", key=key)


@dataclass(frozen=True, slots=True)
class AssertionType:
    """One type: its words say what is so of an answer that passes; `not-` before it asks for the opposite."""

    about: str
    build: Callable[[AssertionInput], Check]
    keys: Mapping[str, Schema]
    """What may stand alongside `type`, `weight`, `metric` and `when`."""
    required: tuple[str, ...] = ()
    graded: bool = False
    """Whether the reading is the score; else a pass is worth 1."""
    denies: bool = False
    """Whether the check that is built passes where the type does not hold: it is that of `not-`."""
    graded_by_share: bool = False
    """Whether a number as threshold is a share of claims, which then is the score."""

    def is_graded(self, entries: Mapping[str, Node]) -> bool:
        """Whether the reading of an assertion with these keys is its score."""
        if self.graded_by_share and "threshold" in entries:
            return isinstance(entries["threshold"].value, int | float)
        return self.graded

    def check(self, assertion: AssertionInput) -> Check:
        """The check, or its opposite, under the name that the file has for it."""
        built = self.build(assertion)
        return Not(built, assertion.named) if assertion.turned else _labelled(built, assertion.named)


def expected_text(named: str, held: Mapping[str, Node], about: About) -> str:
    """The text, from its file if it names one, or what stands there as JSON; a long one is seen to be cut."""
    node = next((held[key] for key in _NAMED if key in held), None)
    if node is None:
        return ""
    if named not in _CODE:
        node = loaded(node, about)
    text = as_text(node.plain())
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}…"


def loaded(node: Node, about: About) -> Node:
    """The value itself, or what is in the file that it names.

    Each entry of a list may name one; within a mapping, where none is looked for, a name is an error.
    """
    if isinstance(node.value, tuple):
        return Node(tuple(loaded(item, about) for item in node.value), node.place)
    if not names_file(node):
        _reject_name(node)
        return node
    path = about.folder / node.text("a file").removeprefix(SCHEME)
    if path.suffix.lower() not in (*_TEXT, *_DATA):
        endings = ", ".join(f"`{suffix}`" for suffix in (*_TEXT, *_DATA))
        raise node.error(f"a value may come from a file that ends in one of {endings}; got `{path.name}`")
    content = _content(path, node)
    _reject_name(content)
    return content


def reject_file(node: Node) -> None:
    """Raise for a text that is meant as a file's name, where none is looked for."""
    if isinstance(node.value, Mapping):
        for item in node.value.values():
            reject_file(item)
    elif isinstance(node.value, tuple):
        for item in node.value:
            reject_file(item)
    elif names_file(node):
        raise node.error(f"no file is read here; put in what `{node.value}` holds")


def preset(kind: str, given: dict[str, Node], node: Node, about: About) -> Check:
    """The preset of this name with these arguments; what does not depend on the test is made only once."""
    written = json.dumps({key: value.plain() for key, value in given.items()}, sort_keys=True)
    try:
        return _preset(kind, written, about.folder, about.library)
    except SpecError as error:
        message = str(error)
        raise node.error(message, key=next((key for key in given if f".{key}`" in message), None)) from error


def _split_at_commas(node: Node) -> tuple[str, ...]:
    """The texts between the commas; one in quotation marks may hold commas itself."""
    text, texts, position = node.text("a list of strings"), [], 0
    while position < len(text):
        field = _FIELD.match(text, position)
        if field is None:
            raise node.error(
                f"a quotation mark is not closed, or no comma follows it: `{text[position:].strip()}`"
            )
        if field[1] is not None:
            texts.append(_ESCAPED.sub(lambda pair: pair[1] or '"', field[1]))
        elif field[2] is not None and field[2].strip():
            texts.append(field[2].strip())
        position = field.end()
    if not texts:
        raise node.error("there must be at least one string; got none")
    return tuple(texts)


def _threshold_of(node: Node, about: About) -> Threshold:
    """The threshold that a card's name, the path to a card or a promise stands for."""
    try:
        return _threshold(json.dumps(node.plain(), sort_keys=True), about.folder, about.library)
    except SpecError as error:
        raise node.error(str(error)) from error


@lru_cache(maxsize=1024)
def _threshold(written: str, folder: Path, library: CardLibrary) -> Threshold:
    return _threshold_of_data(json.loads(written), folder, library)


def _threshold_of_data(data: Any, folder: Path, library: CardLibrary) -> Threshold:
    """A text that ends in `.json` is the path to a card, from the battery's folder on."""
    if isinstance(data, str) and data.endswith(".json"):
        path = folder / data.removeprefix("file://")
        return CardLibrary((path.parent,)).card(path.stem)
    return library.cutoff_source(data)


def _labelled(check: Check, name: str) -> Check:
    """The same check under another name."""
    if isinstance(check, Against):
        return replace(check, check=_labelled(check.check, name))
    if isinstance(check, Gate | Not | AnyOf | AllOf | Cascade | Grounded) and check.label != name:
        return settled(replace(check, label=name))
    return check


def _reject_name(node: Node) -> None:
    """Raise for a file's name within data; a text of its own is what it is."""
    if isinstance(node.value, tuple | Mapping):
        reject_file(node)


def _content(path: Path, node: Node) -> Node:
    """A text, or data whose places are those in its own file; read again only when the file has changed."""
    try:
        status = path.stat()
        content = _parsed_file(path, status.st_mtime_ns, status.st_size)
    except OSError as unread:
        raise node.error(f"the file `{path}` cannot be read: {unread.strerror or unread}") from unread
    except BatteryError as error:
        raise node.error(str(error)) from error
    return content if isinstance(content, Node) else Node(content, node.place)


@lru_cache(maxsize=64)
def _parsed_file(path: Path, changed: int, size: int) -> Node | str:
    text = decoded(content_of(path, Node(None, Place(str(path), 1))), path)
    return read_file(text, path) if path.suffix.lower() in _DATA else text.strip()


@lru_cache(maxsize=1024)
def _preset(kind: str, written: str, folder: Path, library: CardLibrary) -> Check:
    arguments: dict[str, Any] = json.loads(written)
    for key in _THRESHOLDS:
        if isinstance(arguments.get(key), str):
            arguments[key] = _threshold_of_data(arguments[key], folder, library)
    return check_from_data({"kind": kind, **arguments}, at=kind, library=library)
