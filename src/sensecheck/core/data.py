"""Values to plain data and back, strictly: an unknown key or a wrong type is an error that says where."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown

T = TypeVar("T")


def to_data(value: Any) -> dict[str, Any]:
    """A dataclass as JSON-ready data; fields that hold their default are left out."""
    return {f.name: encode(getattr(value, f.name)) for f in fields(value) if not _is_default(f, value)}


def from_data(cls: type[T], data: Any, *, at: str) -> T:
    """The dataclass that `data` describes; `at` names the place in messages."""
    if not isinstance(data, Mapping):
        raise SpecError(f"`{at}` wants a mapping; found {type(data).__name__}")
    hints = hints_of(cast(type, cls))
    for key in data:
        if key not in hints:
            raise SpecError(f"in `{at}`: {unknown('key', key, hints)}")
    for field in fields(cls):  # type: ignore[arg-type]  # T is a dataclass by contract
        if required(field) and field.name not in data:
            raise SpecError(f"`{at}` lacks the key `{field.name}`")
    return cls(**{key: decode(hints[key], item, at=f"{at}.{key}") for key, item in data.items()})


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
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return data
    if origin in (Union, UnionType):
        return _decode_union(args, data, at=at)
    if origin is Literal:
        if data not in args:
            raise SpecError(f"`{at}`: {unknown('value', data, map(str, args))}")
        return data
    if origin is tuple:
        return _decode_tuple(args, data, at=at)
    if origin is not None and issubclass(origin, Mapping):
        return _decode_mapping(args[1], data, at=at)
    if hasattr(hint, "from_data"):
        return hint.from_data(data)
    if is_dataclass(hint):
        return from_data(hint, data, at=at)  # type: ignore[arg-type]  # a type, not an instance
    return _decode_plain(hint, data, at=at)


def encode(value: Any) -> Any:
    """Any value of a dataclass's field as JSON-ready data."""
    if hasattr(value, "to_data"):
        return value.to_data()
    if is_dataclass(value):
        return to_data(value)
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [encode(item) for item in value]
    return value


def _is_default(field: Field[Any], holder: object) -> bool:
    value = getattr(holder, field.name)
    if field.default is not MISSING:
        return type(value) is type(field.default) and bool(value == field.default)
    return field.default_factory is not MISSING and bool(value == field.default_factory())


def _decode_union(options: tuple[Any, ...], data: Any, *, at: str) -> Any:
    if data is None and NoneType in options:
        return None
    refusals = []
    for option in (option for option in options if option is not NoneType):
        try:
            return decode(option, data, at=at)
        except SpecError as refusal:
            refusals.append(str(refusal))
    raise SpecError("; or ".join(refusals))


def _decode_tuple(args: tuple[Any, ...], data: Any, *, at: str) -> tuple[Any, ...]:
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise SpecError(f"`{at}` wants a list; found {type(data).__name__}")
    kinds = [args[0]] * len(data) if args[-1] is Ellipsis else list(args)
    if len(kinds) != len(data):
        raise SpecError(f"`{at}` wants {len(kinds)} values; found {len(data)}")
    return tuple(
        decode(kind, item, at=f"{at}[{i}]") for i, (kind, item) in enumerate(zip(kinds, data, strict=True))
    )


def _decode_mapping(kind: Any, data: Any, *, at: str) -> dict[str, Any]:
    if not isinstance(data, Mapping):
        raise SpecError(f"`{at}` wants a mapping; found {type(data).__name__}")
    return {str(key): decode(kind, item, at=f"{at}.{key}") for key, item in data.items()}


def _decode_plain(hint: type, data: Any, *, at: str) -> Any:
    if hint is float and isinstance(data, int | float) and not isinstance(data, bool):
        if not math.isfinite(data):
            raise SpecError(f"`{at}` wants a finite number; found {data}")
        return float(data)
    if type(data) is not hint:
        raise SpecError(f"`{at}` wants {_plainly(hint)}; found {type(data).__name__}")
    return data


def _plainly(hint: type) -> str:
    return {str: "a text", float: "a number", int: "a whole number", bool: "true or false"}.get(
        hint, getattr(hint, "__name__", str(hint))
    )
