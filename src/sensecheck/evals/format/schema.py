"""The JSON Schema of batteries, for editors: what can be written, completed and underlined while typing."""

from collections.abc import Mapping
from typing import Any, Final

from sensecheck.evals.assertions.schema import assertion_schema, embedding_validation_schema
from sensecheck.evals.format.features import (
    DEFAULT_TEST,
    OPTIONS,
    OPTIONS_OF_RUNS,
    PROMPT,
    PROVIDER,
    TEST,
    TOP,
    Keys,
)

Schema = dict[str, Any]
_TEXT: Final[Schema] = {"type": "string"}
_TEXTS: Final[Schema] = {"type": ["string", "array"], "items": _TEXT, "minItems": 1}
_TRUTH: Final[Schema] = {"type": "boolean"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 1}
_FREE: Final[Schema] = {"type": "object"}


def battery_schema() -> Schema:
    """The schema of a battery file; every mapping is closed, so that a typo is seen."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sensecheck battery",
        **_of(TOP, _TOP),
        "anyOf": [{"required": ["tests"]}, {"required": ["defaultTest"]}],
        "$defs": {
            "assertion": assertion_schema(),
            "embedding_validation": embedding_validation_schema(),
            "prompt": {"anyOf": [_TEXT, _of(PROMPT, dict.fromkeys(PROMPT.read, _TEXT))]},
            "provider": {"anyOf": [_TEXT, _of(PROVIDER, _PROVIDER) | {"required": ["id"]}, _PROVIDER_BY_ID]},
            "repeat": _REPEAT,
            "options": _of(OPTIONS, _OPTIONS),
            "test": _of(TEST, _TEST),
            "defaultTest": _of(DEFAULT_TEST, {key: _TEST[key] for key in DEFAULT_TEST.read}),
        },
    }


def _of(keys: Keys, shapes: Mapping[str, Schema]) -> Schema:
    """A closed mapping of the keys that are read, and of those that change nothing."""
    idle = {key: {"description": f"Changes nothing: {why}."} for key, why in keys.idle.items()}
    return {
        "type": "object",
        "properties": {**{key: shapes[key] for key in keys.read}, **idle},
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _several(name: str) -> Schema:
    """One, or a list of them."""
    return {"anyOf": [_ref(name), {"type": "array", "items": _ref(name), "minItems": 1}]}


_REPEAT: Final[Schema] = {
    "description": "So many runs, of which all must pass; or how many of them must.",
    "anyOf": [
        _COUNT,
        {
            "type": "object",
            "properties": {"runs": _COUNT, "pass": _COUNT},
            "required": ["runs"],
            "patternProperties": {"^x-": {}},
            "additionalProperties": False,
        },
    ],
}
_OPTIONS: Final[Mapping[str, Schema]] = {
    "prefix": _TEXT | {"description": "Stands before the prompt."},
    "suffix": _TEXT | {"description": "Stands after the prompt."},
    "disableVarExpansion": _TRUTH | {"description": "Keep a list of texts as one value."},
    "disableDefaultAsserts": _TRUTH | {"description": "Ask only what the test itself asks."},
    "repeat": _COUNT,
}
_TEST: Final[Mapping[str, Schema]] = {
    "description": _TEXT,
    "vars": {
        "type": ["object", "string", "array"],
        "description": "What is put into prompts and assertions.",
    },
    "assert": {"type": "array", "items": _ref("assertion"), "description": "What is asked of the answer."},
    "embedding_validation": _ref("embedding_validation"),
    "threshold": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    "options": _ref("options"),
    "metadata": _FREE,
    "providerOutput": {"type": ["string", "object"], "description": "The answer; nobody is asked."},
    "providers": _TEXTS | {"description": "Labels or ids of the sources that are asked."},
    "prompts": _TEXTS | {"description": "Labels of the prompts that are used."},
    "repeat": _ref("repeat"),
}
_PROVIDER: Final[Mapping[str, Schema]] = {"id": _TEXT, "label": _TEXT, "config": _FREE, "prompts": _TEXTS}
_PROVIDER_BY_ID: Final[Schema] = {
    "type": "object",
    "propertyNames": {"not": {"enum": ["id", "label", "config", "prompts"]}},
    "additionalProperties": _of(PROVIDER, _PROVIDER),
    "minProperties": 1,
    "maxProperties": 1,
}
_TESTS: Final[Schema] = {
    "anyOf": [
        _TEXT | {"description": "A file of tests: `file://tests.csv`, .jsonl, .yaml, .json."},
        {"type": "array", "items": {"anyOf": [_TEXT, _ref("test")]}, "minItems": 1},
    ]
}
_RUNS: Final[Mapping[str, Schema]] = {"maxConcurrency": _COUNT, "repeat": _COUNT, "cache": {"const": True}}
_TOP: Final[Mapping[str, Schema]] = {
    "description": _TEXT,
    "prompts": {"anyOf": [_several("prompt"), {"type": "object", "additionalProperties": _TEXT}]},
    "providers": _several("provider"),
    "targets": _several("provider"),
    "tests": _TESTS,
    "defaultTest": {"anyOf": [_TEXT, _ref("defaultTest")]},
    "env": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
    "evaluateOptions": _of(OPTIONS_OF_RUNS, _RUNS),
    "repeat": _ref("repeat"),
}
