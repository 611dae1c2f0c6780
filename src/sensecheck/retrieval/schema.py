"""The JSON Schema of chains, for editors: what can be written, completed and underlined while typing."""

import inspect
from typing import Any, Final, get_args

from sensecheck.checks.schema import check_schema
from sensecheck.retrieval.prompt import Block, Empty
from sensecheck.retrieval.stages.diversity import Distinct, Diverse
from sensecheck.retrieval.stages.limits import Over, Tagged, Top, WithinChars, WithinTokens
from sensecheck.retrieval.stages.ranking import Order, Reorder, Rerank
from sensecheck.retrieval.stages.threshold import Above

Schema = dict[str, Any]


def chain_schema() -> Schema:
    """The schema of a chain; every stage is closed, so that a typo is seen."""
    defs = check_schema()["$defs"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sensecheck chain",
        "description": "What may pass from a retriever into a prompt, stage by stage.",
        "type": "array",
        "items": {"anyOf": [_BARE, *(_stage(cls, schema) for cls, schema in _STAGES)]},
        "$defs": {
            "line": _LINE,
            "cutoff": _CUTOFF,
            **{name: defs[name] for name in ("certificate", "card", "promise")},
        },
    }


def _stage(cls: Any, schema: Schema) -> Schema:
    about = (inspect.getdoc(cls) or "").partition("\n")[0]
    return _closed({cls.name: schema | {"description": about}}, cls.name) | {"title": cls.name}


def _closed(properties: Schema, *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _or_alone(main: str, properties: Schema, *required: str) -> Schema:
    """A mapping, or the value of its main key alone."""
    return {"anyOf": [properties[main], _closed(properties, *required)]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "number"}
_CLOSENESS: Final[Schema] = {"type": "number", "minimum": -1, "maximum": 1}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 1}
_OVER: Final[Schema] = {"enum": list(get_args(Over))}
_VALUE: Final[Schema] = {"type": ["string", "number", "boolean"]}
_BARE: Final[Schema] = {
    "description": "A stage by its name alone, as it is without saying more.",
    "enum": [Distinct.name, Diverse.name, Reorder.name, Rerank.name],
}
_LINE: Final[Schema] = {"anyOf": [_CLOSENESS, _ref("card"), _ref("promise"), _ref("cutoff")]}
_CUTOFF: Final[Schema] = _closed(
    {
        "at_least": _CLOSENESS,
        "doubt": {"type": "array", "prefixItems": [_NUMBER, _NUMBER], "minItems": 2, "maxItems": 2},
        "certificate": _ref("certificate"),
    },
    "at_least",
)
_BLOCK: Final[Schema] = {
    "tag": {"type": "string", "default": Block().tag},
    "empty": {"enum": list(get_args(Empty))},
    "said": _TEXT,
}
_STAGES: Final[tuple[tuple[Any, Schema], ...]] = (
    (
        Above,
        {
            "anyOf": [
                _ref("line"),
                _closed({"line": _ref("line"), "unsure": {"enum": ["keep", "drop"]}}, "line"),
            ]
        },
    ),
    (
        Tagged,
        {
            "type": "object",
            "additionalProperties": {"anyOf": [_VALUE, {"type": "array", "items": _VALUE, "minItems": 1}]},
            "minProperties": 1,
        },
    ),
    (Distinct, _or_alone("closeness", {"closeness": _CLOSENESS})),
    (Diverse, _or_alone("weight", {"weight": {"type": "number", "minimum": 0, "maximum": 1}})),
    (Rerank, _closed({"encoder": _TEXT, "verifier": _TEXT}) | {"maxProperties": 1}),
    (Top, _or_alone("k", {"k": _COUNT}, "k")),
    (WithinChars, _or_alone("chars", {"chars": _COUNT, "over": _OVER}, "chars")),
    (
        WithinTokens,
        _closed({"tokens": _COUNT, "counter": _TEXT, "over": _OVER, **_BLOCK}, "tokens", "counter"),
    ),
    (Reorder, _or_alone("order", {"order": {"enum": list(get_args(Order))}})),
)
