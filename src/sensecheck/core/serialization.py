"""Dataclasses to plain data and back, and JSON, both read strictly.

An unknown key, a missing key or a wrong type is an error that says where it is, and which known name a
mistyped one was probably meant to be. In JSON two equal keys, of which one would be ignored, are an error;
so is what is not a finite number.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NoReturn,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from sensecheck.core.errors import SpecError

T = TypeVar("T")
At: TypeAlias = "str | tuple[At, str]"
"""A place in the data, put into words only when something is wrong there."""
Decoder = Callable[[Any, At], Any]

_PLAIN = (str, float, int, bool, NoneType)
"""Already data: most of what is written, so it is tested first."""


def to_data(value: Any) -> dict[str, Any]:
    """A dataclass as JSON-ready data; fields that hold their default are left out."""
    data: dict[str, Any] = {}
    for field in _fields_of(value.__class__):
        item = getattr(value, field.name)
        if not _is_default(field, item):
            data[field.name] = item if type(item) in _PLAIN else encode(item)
    return data


def from_data(cls: type[T], data: Any, *, at: str) -> T:
    """The dataclass that `data` describes; `at` names the place in messages."""
    return cast(T, _fields_decoder(cast(type, cls))(data, at))


def encode(value: Any) -> Any:
    """Any value of a dataclass's field as JSON-ready data."""
    if type(value) in _PLAIN:
        return value
    if hasattr(value, "to_data"):
        return value.to_data()
    if is_dataclass(value):
        return to_data(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    return value


def decode(hint: Any, data: Any, *, at: str) -> Any:
    """The value of type `hint` that `data` describes."""
    return _decoder(hint)(data, at)


@cache
def hints_of(cls: type) -> Mapping[str, Any]:
    """The types of a dataclass's fields, by name, in their order."""
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in fields(cls) if f.init}


def required(field: Field[Any]) -> bool:
    """Whether a field has no default."""
    return field.init and field.default is MISSING and field.default_factory is MISSING


def read_json(
    text: str, *, at: str, whole: Callable[[str], Any] = int, decimal: Callable[[str], Any] | None = None
) -> Any:
    """What the text holds; `at` names the place in messages, `whole` and `decimal` read its numbers."""
    try:
        return json.loads(
            text,
            object_pairs_hook=each_key_once,
            parse_constant=no_number,
            parse_int=whole,
            parse_float=decimal or finite,
        )
    except SpecError as error:
        raise SpecError(f"in `{at}`: {error}") from error
    except ValueError as broken:  # also a number of thousands of digits, which is no JSONDecodeError
        raise SpecError(f"`{at}` is not JSON: {broken}") from broken
    except RecursionError as deep:
        raise SpecError(f"`{at}` is not JSON: it is nested too deeply") from deep


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, each of whose keys stands there once."""
    members: dict[str, Any] = {}
    for key, item in pairs:
        if key in members:
            raise SpecError(f"the key `{key}` stands there twice")
        members[key] = item
    return members


def finite(word: str) -> float:
    """The number; `1e999`, which no float can hold, is none."""
    number = float(word)
    return number if math.isfinite(number) else no_number(word)


def no_number(word: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which Python would read though JSON has none."""
    raise SpecError(f"`{word}` is no number of JSON; wanted a finite one")


def reject_unknown(given: Mapping[str, Any], known: Iterable[str], at: str) -> None:
    """Raise `SpecError` for a key that is not known."""
    names = tuple(known)
    for key in given:
        if key not in names:
            raise SpecError(f"in `{at}`: {did_you_mean('key', key, names)}")


def required_key(given: Mapping[str, Any], key: str, at: str) -> Any:
    """What a key holds, or `SpecError` when it is not there."""
    if key not in given:
        raise SpecError(f"`{at}` lacks the key `{key}`")
    return given[key]


@contextmanager
def error_context(at: str) -> Iterator[None]:
    """What is wrong inside is reported with its place."""
    try:
        yield
    except SpecError as error:
        raise SpecError(f"in `{at}`: {error}") from error


def did_you_mean(what: str, found: object, known: Iterable[str]) -> str:
    """Say that `found` is not a known `what`, and which known one is nearest."""
    names = sorted(known)
    close = get_close_matches(str(found), names, n=1, cutoff=0.5)
    hint = f"; did you mean `{close[0]}`?" if close else ";"
    return f"`{found}` is not a known {what}{hint} known: {', '.join(f'`{name}`' for name in names)}"


@cache
def _fields_of(cls: type) -> tuple[Field[Any], ...]:
    return fields(cls)


def _is_default(field: Field[Any], value: object) -> bool:
    if field.default is not MISSING:
        return type(value) is type(field.default) and bool(value == field.default)
    return field.default_factory is not MISSING and bool(value == field.default_factory())


def _decoder(hint: Any) -> Decoder:
    """How to read values of a type."""
    return _decoder_of(hint, get_args(hint))  # `int | str` and `str | int` are equal, and told apart by these


@cache
def _decoder_of(hint: Any, args: tuple[Any, ...]) -> Decoder:
    """The same, cached per type, since many values are read."""
    origin = get_origin(hint)
    if hint is Any:
        return lambda data, at: data
    if origin in (Union, UnionType):
        return _union_decoder(args)
    if origin is Literal:
        return _literal_decoder(args)
    if origin is tuple:
        return _tuple_decoder(args)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_decoder(_decoder(args[1]))
    if hasattr(hint, "from_data"):
        return lambda data, at: hint.from_data(data)
    if is_dataclass(hint):
        return lambda data, at: _fields_decoder(cast(type, hint))(
            data, at
        )  # only now: it may hold its own kind
    return _plain_decoder(hint)


@cache
def _fields_decoder(cls: type) -> Decoder:
    hints = hints_of(cls)
    decoders = {name: _decoder(hint) for name, hint in hints.items()}
    required_names = [field.name for field in fields(cls) if required(field)]

    def decoded(data: Any, at: At) -> Any:
        if not isinstance(data, Mapping):
            raise SpecError(f"`{_path(at)}` must be a mapping; got {type(data).__name__}")
        for key in data:
            if key not in decoders:
                raise SpecError(f"in `{_path(at)}`: {did_you_mean('key', key, hints)}")
        for name in required_names:
            if name not in data:
                raise SpecError(f"`{_path(at)}` lacks the key `{name}`")
        return cls(**{key: decoders[key](item, (at, f".{key}")) for key, item in data.items()})

    return decoded


def _union_decoder(options: tuple[Any, ...]) -> Decoder:
    decoders = [_decoder(option) for option in options if option is not NoneType]
    may_be_none = NoneType in options

    def decoded(data: Any, at: At) -> Any:
        if data is None and may_be_none:
            return None
        refusals = []
        for decoder in decoders:
            try:
                return decoder(data, at)
            except SpecError as refusal:
                refusals.append(str(refusal))
        raise SpecError("; or ".join(refusals))

    return decoded


def _literal_decoder(values: tuple[Any, ...]) -> Decoder:
    def decoded(data: Any, at: At) -> Any:
        if data not in values:
            raise SpecError(f"`{_path(at)}`: {did_you_mean('value', data, map(str, values))}")
        return data

    return decoded


def _tuple_decoder(args: tuple[Any, ...]) -> Decoder:
    of_any_length = args[-1] is Ellipsis
    decoders = [_decoder(arg) for arg in args if arg is not Ellipsis]

    def decoded(data: Any, at: At) -> Any:
        if not isinstance(data, Sequence) or isinstance(data, str):
            raise SpecError(f"`{_path(at)}` must be a list; got {type(data).__name__}")
        each = decoders * len(data) if of_any_length else decoders
        if len(each) != len(data):
            raise SpecError(f"`{_path(at)}` must have {len(each)} values; got {len(data)}")
        numbered = enumerate(zip(each, data, strict=True))
        return tuple(decoder(item, (at, f"[{i}]")) for i, (decoder, item) in numbered)

    return decoded


def _mapping_decoder(decoder: Decoder) -> Decoder:
    def decoded(data: Any, at: At) -> Any:
        if not isinstance(data, Mapping):
            raise SpecError(f"`{_path(at)}` must be a mapping; got {type(data).__name__}")
        return {str(key): decoder(item, (at, f".{key}")) for key, item in data.items()}

    return decoded


def _plain_decoder(hint: type) -> Decoder:
    def decoded(data: Any, at: At) -> Any:
        if type(data) is hint and hint is not float:
            return data
        if hint is float and isinstance(data, int | float) and not isinstance(data, bool):
            if not math.isfinite(data):
                raise SpecError(f"`{_path(at)}` must be a finite number; got {data}")
            return float(data)
        raise SpecError(f"`{_path(at)}` must be {_type_name(hint)}; got {type(data).__name__}")

    return decoded


def _path(at: At) -> str:
    return at if isinstance(at, str) else _path(at[0]) + at[1]


def _type_name(hint: type) -> str:
    return {str: "a string", float: "a number", int: "a whole number", bool: "true or false"}.get(
        hint, getattr(hint, "__name__", str(hint))
    )
