"""Values to plain data and back, strictly: an unknown key or a wrong type is an error that says where."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown

T = TypeVar("T")
_PLAIN = (str, float, int, bool, NoneType)
"""Data already: most of what is written, so it is asked for first."""


def to_data(value: Any) -> dict[str, Any]:
    """A dataclass as JSON-ready data; fields that hold their default are left out."""
    data: dict[str, Any] = {}
    for field in _fields_of(value.__class__):
        held = getattr(value, field.name)
        if not _is_default(field, held):
            data[field.name] = held if type(held) in _PLAIN else encode(held)
    return data


def from_data(cls: type[T], data: Any, *, at: str) -> T:
    """The dataclass that `data` describes; `at` names the place in messages."""
    return cast(T, _fields_decoder(cast(type, cls))(data, at))


@cache
def hints_of(cls: type) -> Mapping[str, Any]:
    """The types of a dataclass's fields, by name, in their order."""
    hints = get_type_hints(cls)
    return {f.name: hints[f.name] for f in fields(cls) if f.init}


def required(field: Field[Any]) -> bool:
    """Whether a field has no default."""
    return field.init and field.default is MISSING and field.default_factory is MISSING


def decode(hint: Any, data: Any, *, at: str) -> Any:
    """The value of type `hint` that `data` describes."""
    return _decoder(hint)(data, at)


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


@cache
def _fields_of(cls: type) -> tuple[Field[Any], ...]:
    return fields(cls)


def _is_default(field: Field[Any], value: object) -> bool:
    if field.default is not MISSING:
        return type(value) is type(field.default) and bool(value == field.default)
    return field.default_factory is not MISSING and bool(value == field.default_factory())


At: TypeAlias = "str | tuple[At, str]"
"""A place in the data, put into words only when something is wrong there."""
Decoder = Callable[[Any, At], Any]


@cache
def _decoder(hint: Any) -> Decoder:
    """How to read values of a type; found out once, since much is read."""
    origin, args = get_origin(hint), get_args(hint)
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
        return _fields_decoder(cast(type, hint))
    return _plain_decoder(hint)


@cache
def _fields_decoder(cls: type) -> Decoder:
    hints = hints_of(cls)
    decoders = {name: _decoder(hint) for name, hint in hints.items()}
    wanted = [field.name for field in fields(cls) if required(field)]

    def decoded(data: Any, at: At) -> Any:
        if not isinstance(data, Mapping):
            raise SpecError(f"`{_told(at)}` wants a mapping; found {type(data).__name__}")
        for key in data:
            if key not in decoders:
                raise SpecError(f"in `{_told(at)}`: {unknown('key', key, hints)}")
        for name in wanted:
            if name not in data:
                raise SpecError(f"`{_told(at)}` lacks the key `{name}`")
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
            raise SpecError(f"`{_told(at)}`: {unknown('value', data, map(str, values))}")
        return data

    return decoded


def _tuple_decoder(args: tuple[Any, ...]) -> Decoder:
    of_any_length = args[-1] is Ellipsis
    decoders = [_decoder(arg) for arg in args if arg is not Ellipsis]

    def decoded(data: Any, at: At) -> Any:
        if not isinstance(data, Sequence) or isinstance(data, str):
            raise SpecError(f"`{_told(at)}` wants a list; found {type(data).__name__}")
        each = decoders * len(data) if of_any_length else decoders
        if len(each) != len(data):
            raise SpecError(f"`{_told(at)}` wants {len(each)} values; found {len(data)}")
        numbered = enumerate(zip(each, data, strict=True))
        return tuple(decoder(item, (at, f"[{i}]")) for i, (decoder, item) in numbered)

    return decoded


def _mapping_decoder(decoder: Decoder) -> Decoder:
    def decoded(data: Any, at: At) -> Any:
        if not isinstance(data, Mapping):
            raise SpecError(f"`{_told(at)}` wants a mapping; found {type(data).__name__}")
        return {str(key): decoder(item, (at, f".{key}")) for key, item in data.items()}

    return decoded


def _plain_decoder(hint: type) -> Decoder:
    def decoded(data: Any, at: At) -> Any:
        if type(data) is hint and hint is not float:
            return data
        if hint is float and isinstance(data, int | float) and not isinstance(data, bool):
            if not math.isfinite(data):
                raise SpecError(f"`{_told(at)}` wants a finite number; found {data}")
            return float(data)
        raise SpecError(f"`{_told(at)}` wants {_plainly(hint)}; found {type(data).__name__}")

    return decoded


def _told(at: At) -> str:
    return at if isinstance(at, str) else _told(at[0]) + at[1]


def _plainly(hint: type) -> str:
    return {str: "a text", float: "a number", int: "a whole number", bool: "true or false"}.get(
        hint, getattr(hint, "__name__", str(hint))
    )
