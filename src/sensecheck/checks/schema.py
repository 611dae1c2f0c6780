"""The JSON Schema of checks, for editors: what can be written, completed and underlined while typing."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from sensecheck.calibration.card import PATTERN
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import SEVERAL
from sensecheck.core.cutoff import Certificate
from sensecheck.core.registry import MEASURES, load, registered
from sensecheck.core.serialization import hints_of, required
from sensecheck.core.threshold import CutoffSource

Schema = dict[str, Any]


def check_schema() -> Schema:
    """The schema of one check; every kind is closed, so that a typo is seen."""
    check, measure = {"$ref": "#/$defs/check"}, {"$ref": "#/$defs/measure"}
    several: Mapping[str, Schema] = {
        "checks": {"type": "array", "items": check, "minItems": 1},
        "label": {"type": "string"},
    }
    kinds = [
        _kind(
            "gate",
            "A measure and a cutoff.",
            {"measure": measure, "cutoff": _ANY_CUTOFF, **_LABEL, "english": {"type": ["boolean", "null"]}},
            ["measure"],
        ),
        _kind("not", "Passes when its check fails.", {"check": check, **_LABEL}, ["check"]),
        _kind(
            "claims",
            _first_line(Grounded),
            {"words": _ANY_CUTOFF, "reader": _ANY_CUTOFF, **_LABEL},
            ["words"],
        ),
        *(_kind(kind, _first_line(cls), several, ["checks"]) for kind, cls in SEVERAL.items()),
        *(_of_preset(name, preset) for name, preset in PRESETS.items()),
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sensecheck check",
        "$ref": "#/$defs/check",
        "$defs": {
            "check": {"oneOf": kinds},
            "measure": {"oneOf": [_of_measure(name) for name in sorted(registered(MEASURES))]},
            "certificate": _of_fields(Certificate),
            "card": _CARD,
            "promise": _PROMISE,
        },
    }


def _of_measure(name: str) -> Schema:
    cls = load(MEASURES, name)
    shape = _of_fields(cls)
    return _kind(name, _first_line(cls), shape["properties"], shape.get("required", []))


def _of_preset(name: str, preset: Callable[..., Any]) -> Schema:
    hints = get_type_hints(preset)
    parameters = inspect.signature(preset).parameters
    properties = {key: _of_hint(hints[key]) for key in parameters}
    return _kind(
        name, _first_line(preset), properties, [k for k, p in parameters.items() if p.default is p.empty]
    )


def _of_fields(cls: type) -> Schema:
    mandatory = [field.name for field in fields(cls) if required(field)]
    properties = {key: _of_hint(hint) for key, hint in hints_of(cls).items()}
    return {"type": "object", "properties": properties, "required": mandatory, "additionalProperties": False}


def _kind(kind: str, about: str, properties: Mapping[str, Schema], mandatory: list[str]) -> Schema:
    return {
        "title": kind,
        "description": about,
        "type": "object",
        "properties": {"kind": {"const": kind}, **properties},
        "required": ["kind", *mandatory],
        "additionalProperties": False,
    }


def _of_hint(hint: Any) -> Schema:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return {}
    if origin in (Union, UnionType):
        return {"anyOf": [_of_hint(option) for option in args]}
    if hint is CutoffSource:
        return {"anyOf": _FITTED}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple and args[-1] is not Ellipsis:
        return {"type": "array", "prefixItems": [_of_hint(a) for a in args], **_exactly(len(args))}
    if origin is tuple:
        return {"type": "array", "items": _of_hint(args[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of_hint(args[1])}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hasattr(hint, "json_schema"):
        return dict(hint.json_schema())
    return _of_fields(hint)


def _exactly(items: int) -> Schema:
    return {"minItems": items, "maxItems": items}


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


_PLAIN = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}
_LABEL: dict[str, Schema] = {"label": {"type": "string"}}
_NUMBER: Schema = {"type": "number"}
_CUTOFF: Schema = {
    "type": "object",
    "properties": {
        "at_least": _NUMBER,
        "at_most": _NUMBER,
        "doubt": {"type": "array", "prefixItems": [_NUMBER, _NUMBER], **_exactly(2)},
        "certificate": {"$ref": "#/$defs/certificate"},
        "by_claims": {
            "type": "array",
            "description": "Lines of their own for answers of so many claims or more.",
            "items": {
                "type": "object",
                "properties": {"claims": {"type": "integer", "minimum": 0}},
                "required": ["claims"],
            },
        },
    },
    "oneOf": [{"required": ["at_least"]}, {"required": ["at_most"]}],
    "additionalProperties": False,
}
_SHARE: Schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
_CARD: Schema = {"type": "string", "description": "The name of a card.", "pattern": PATTERN}
_PROMISE: Schema = {
    "type": "object",
    "description": "A card with this promise: bad answers that pass (fpr), good ones that fail (fnr).",
    "properties": {"fpr": _SHARE, "fnr": _SHARE, "confidence": _SHARE},
    "oneOf": [{"required": ["fpr"]}, {"required": ["fnr"]}],
    "additionalProperties": False,
}
_FITTED: list[Schema] = [{"$ref": "#/$defs/card"}, {"$ref": "#/$defs/promise"}]
_ANY_CUTOFF: Schema = {"anyOf": [_CUTOFF, *_FITTED, {"type": "null"}]}
