"""One line of JSON, read strictly; what is wrong with it is told without its words."""

from collections.abc import Callable, Mapping
from json import JSONDecodeError
from typing import Any, NamedTuple

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import read_json
from sensecheck.evals.qa.files.values import number_in, text_in, texts_in
from sensecheck.evals.shards.column_kinds import Kind
from sensecheck.evals.shards.parquet_piece import as_json

READERS: Mapping[str, Callable[[Any, str, str], Any]] = {
    "text": text_in,
    "texts": lambda found, where, column: found if found is None else list(texts_in(found, where, column)),
    "number": number_in,
    "word": lambda found, where, column: found if found is None or isinstance(found, str) else as_json(found),
}
WANTED = {"text": "a text", "texts": "a list of texts", "number": "a number"}


class JsonRow(NamedTuple):
    """The values of a row that could be read, and why not all could be."""

    values: Mapping[str, Any]
    fault: str | None


def values_of(line: bytes, kinds: Mapping[str, Kind]) -> JsonRow:
    """The columns of a line."""
    try:
        found = read_json(line.decode(), at="the line")
    except UnicodeDecodeError:
        return JsonRow({}, "the line is not UTF-8")
    except SpecError as wrong:
        return JsonRow({}, _why(wrong.__cause__))
    if not isinstance(found, dict):
        return JsonRow({}, f"the line wants an object; found {_called(found)}")
    read = {name: _value(found.get(name), name, kind) for name, kind in kinds.items()}
    faults = [value for value in read.values() if isinstance(value, Fault)]
    values = {name: None if isinstance(value, Fault) else value for name, value in read.items()}
    return JsonRow(values, "; ".join(fault.why for fault in faults) or None)


def object_in(line: bytes) -> dict[str, Any] | None:
    """The object that a line holds; None for one that holds none."""
    try:
        found = read_json(line.decode(), at="the line")
    except (UnicodeDecodeError, SpecError):
        return None
    return found if isinstance(found, dict) else None


class Fault(NamedTuple):
    """Why there is no value."""

    why: str


def _value(found: object, name: str, kind: Kind) -> Any:
    try:
        read = READERS[kind](found, "", "")
        for text in read if isinstance(read, list) else [read]:
            if isinstance(text, str):
                text.encode()
    except SampleError:
        return Fault(f"`{name}` wants {WANTED[kind]}; found {_called(found)}")
    except UnicodeEncodeError:
        return Fault(f"`{name}` holds half a character, which no file can hold")
    return read


def _why(cause: BaseException | None) -> str:
    """As the parser says it, who quotes nothing."""
    if isinstance(cause, JSONDecodeError):
        return f"the line is not JSON: {cause.msg} at character {cause.pos + 1}"
    if isinstance(cause, RecursionError):
        return "the line is not JSON: it is nested too deeply"
    return "the line is not JSON: a key stands there twice, or a number is none"


def _called(found: object) -> str:
    names = {type(None): "null", dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(found), "a number")
