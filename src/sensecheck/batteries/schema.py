"""The JSON Schema of batteries, for editors: what can be written, completed and underlined while typing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sensecheck.batteries.assertions.base import COUNT, SCORE, TEXT, AssertionType, Schema
from sensecheck.batteries.assertions.registry import HEAVIEST, KINDS, SET
from sensecheck.batteries.assertions.similarity import REQUIRED, RULES
from sensecheck.batteries.features import (
    DEFAULT_TEST,
    OPTIONS,
    OPTIONS_OF_RUNS,
    PROMPT,
    PROVIDER,
    TEST,
    TOP,
    Keys,
)

_SHARED: Mapping[str, Schema] = {"weight": {**COUNT, "maximum": HEAVIEST}, "metric": TEXT}
_WHEN: Mapping[str, Schema] = {
    "when": {"const": "unsure", "description": "Asked only where the assertion before this one is unsure."}
}

JsonSchema = dict[str, Any]
_TEXT: Final[JsonSchema] = {"type": "string"}
_TEXTS: Final[JsonSchema] = {"type": ["string", "array"], "items": _TEXT, "minItems": 1}
_TRUTH: Final[JsonSchema] = {"type": "boolean"}
_COUNT: Final[JsonSchema] = {"type": "integer", "minimum": 1}
_FREE: Final[JsonSchema] = {"type": "object"}

_TRANSFORM: Final[JsonSchema] = {
    "type": "string",
    "description": "JavaScript that makes of `output` what is judged; Node runs it.",
}
_REPEAT: Final[JsonSchema] = {
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
_OPTIONS: Final[Mapping[str, JsonSchema]] = {
    "prefix": _TEXT | {"description": "Stands before the prompt."},
    "suffix": _TEXT | {"description": "Stands after the prompt."},
    "disableVarExpansion": _TRUTH | {"description": "Keep a list of texts as one value."},
    "disableDefaultAsserts": _TRUTH | {"description": "Ask only what the test itself asks."},
    "repeat": _COUNT,
    "transform": _TRANSFORM,
}
_PROVIDER: Final[Mapping[str, JsonSchema]] = {"id": _TEXT, "label": _TEXT, "config": _FREE, "prompts": _TEXTS}
_RUNS: Final[Mapping[str, JsonSchema]] = {
    "maxConcurrency": _COUNT,
    "repeat": _COUNT,
    "cache": {"const": True},
}


BATTERY_SCHEMA_ADDRESS: Final = "https://sensecheck.github.io/sensecheck/schema/battery.json"
"""Where it is published, for the first line of a battery: `# yaml-language-server: $schema=…`."""


def battery_schema() -> JsonSchema:
    """The schema of a battery file; every mapping is closed, so that a typo is seen."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": BATTERY_SCHEMA_ADDRESS,
        "title": "sensecheck battery",
        **_format_of(TOP, _TOP),
        "anyOf": [{"required": ["tests"]}, {"required": ["defaultTest"]}],
        "$defs": {
            "assertion": assertion_schema(),
            "embedding_validation": embedding_validation_schema(),
            "prompt": {"anyOf": [_TEXT, _format_of(PROMPT, dict.fromkeys(PROMPT.read, _TEXT))]},
            "provider": {
                "anyOf": [_TEXT, _format_of(PROVIDER, _PROVIDER) | {"required": ["id"]}, _PROVIDER_BY_ID]
            },
            "repeat": _REPEAT,
            "options": _format_of(OPTIONS, _OPTIONS),
            "test": _format_of(TEST, _TEST),
            "defaultTest": _format_of(DEFAULT_TEST, {key: _TEST[key] for key in DEFAULT_TEST.read}),
        },
    }


def assertion_schema() -> dict[str, Any]:
    """One assertion; it refers to itself as `#/$defs/assertion`, where it is to stand."""
    several = {"assert": {"type": "array", "items": {"$ref": "#/$defs/assertion"}, "minItems": 1}}
    whole = _closed(
        SET,
        "Several assertions that count as one; with a threshold, their weighed mean must reach it.",
        {"type": {"const": SET}, **several, "threshold": SCORE, **_SHARED},
        ("type", "assert"),
    )
    return {"anyOf": [*(_assertion_of(name, kind) for name, kind in KINDS.items()), whole]}


def embedding_validation_schema() -> dict[str, Any]:
    """One rule on embeddings, or a list of them."""
    rules = [
        _closed(kind, "", {"type": {"const": kind}, **keys}, ("type", *REQUIRED.get(kind, ())))
        for kind, keys in RULES.items()
    ]
    return {"anyOf": [*rules, {"type": "array", "items": {"anyOf": rules}, "minItems": 1}]}


def _format_of(keys: Keys, shapes: Mapping[str, JsonSchema]) -> JsonSchema:
    """A closed mapping of the keys that are read, and of those that change nothing."""
    idle = {key: {"description": f"Changes nothing: {why}."} for key, why in keys.idle.items()}
    return {
        "type": "object",
        "properties": {**{key: shapes[key] for key in keys.read}, **idle},
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


_PROVIDER_BY_ID: Final[JsonSchema] = {
    "type": "object",
    "propertyNames": {"not": {"enum": ["id", "label", "config", "prompts"]}},
    "additionalProperties": _format_of(PROVIDER, _PROVIDER),
    "minProperties": 1,
    "maxProperties": 1,
}


def _several(name: str) -> JsonSchema:
    """One, or a list of them."""
    return {"anyOf": [_ref(name), {"type": "array", "items": _ref(name), "minItems": 1}]}


def _ref(name: str) -> JsonSchema:
    return {"$ref": f"#/$defs/{name}"}


_TEST: Final[Mapping[str, JsonSchema]] = {
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
    "providerOutput": {"type": ["string", "object"], "description": "The answer; no source is asked."},
    "providers": _TEXTS | {"description": "Labels or ids of the sources that are asked."},
    "prompts": _TEXTS | {"description": "Labels of the prompts that are used."},
    "repeat": _ref("repeat"),
}
_TESTS: Final[JsonSchema] = {
    "anyOf": [
        _TEXT | {"description": "A file of tests: `file://tests.csv`, .jsonl, .yaml, .json."},
        {"type": "array", "items": {"anyOf": [_TEXT, _ref("test")]}, "minItems": 1},
    ]
}
_TOP: Final[Mapping[str, JsonSchema]] = {
    "description": _TEXT,
    "prompts": {"anyOf": [_several("prompt"), {"type": "object", "additionalProperties": _TEXT}]},
    "providers": _several("provider"),
    "targets": _several("provider"),
    "tests": _TESTS,
    "defaultTest": {"anyOf": [_TEXT, _ref("defaultTest")]},
    "env": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
    "evaluateOptions": _format_of(OPTIONS_OF_RUNS, _RUNS),
    "repeat": _ref("repeat"),
    "outputPath": _TEXTS | {"description": "Reports to write, by their endings."},
}


def _closed(title: str, about: str, keys: Mapping[str, Schema], required: Sequence[str]) -> dict[str, Any]:
    return {
        "title": title,
        **({"description": about} if about else {}),
        "type": "object",
        "properties": dict(keys),
        "required": list(required),
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


def _assertion_of(name: str, kind: AssertionType) -> dict[str, Any]:
    about = f"{kind.about} With `not-` before the type: it is not so."
    named = {"type": {"enum": [name, f"not-{name}"]}}
    return _closed(
        name,
        about,
        {**named, **kind.keys, **_SHARED, **_WHEN, "transform": _TRANSFORM},
        ("type", *kind.required),
    )
