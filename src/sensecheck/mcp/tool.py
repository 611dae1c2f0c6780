"""What a tool is: its arguments, as a value that can be called; and the schema of them."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from sensecheck.core.serialization import required
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.limits import LISTED, TEXT_CHARS

Schema = dict[str, Any]
Payload = dict[str, Any]


class Tool(Protocol):
    """The arguments of one call: a frozen dataclass whose fields are annotated with what they are about."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    """For the model that is to choose it: what it does, and when to use it."""
    result: ClassVar[Schema]
    """The schema of what `call` gives."""

    def call(self, desk: Desk) -> Payload:
        """The result, or an error of ours."""
        ...


def arguments_schema(tool: type) -> Schema:
    """The JSON Schema of a tool's arguments; it is closed, so that a typo is seen."""
    hints = get_type_hints(tool, include_extras=True)
    given = fields(tool)
    return {
        "type": "object",
        "properties": {field.name: _property(hints[field.name], field) for field in given},
        "required": [field.name for field in given if required(field)],
        "additionalProperties": False,
    }


def closed(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """The schema of a result with exactly these keys."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


def _property(hint: Any, field: "Field[Any]") -> Schema:
    kind, about, *more = get_args(hint) if get_origin(hint) is Annotated else (hint, "")
    default = {} if field.default in (MISSING, None) else {"default": _plain(field.default)}
    return {"description": about, **(more[0] if more else _of(kind)), **default}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _of(hint: Any) -> Schema:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_of(option) for option in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        return {"type": "array", "items": _of(args[0]), "maxItems": LISTED}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(args[1]), "maxProperties": LISTED}
    return {"type": "string", "maxLength": TEXT_CHARS} if hint is str else {"type": _NAMES[hint]}


_NAMES: Mapping[Any, str] = {bool: "boolean", NoneType: "null"}
