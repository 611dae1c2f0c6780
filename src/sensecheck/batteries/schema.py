"""The JSON Schema of batteries, for editors: what can be written, completed and underlined while typing."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sensecheck.batteries.assertions.base import COUNT, SCORE, TEXT, Schema
from sensecheck.batteries.assertions.registry import HEAVIEST, KINDS, SET
from sensecheck.batteries.assertions.similarity import REQUIRED, RULES
from sensecheck.batteries.features import (
    DEFAULT_TEST,
    OPTIONS,
    PROMPT,
    PROVIDER,
    REPEAT,
    TEST,
    TOP,
    TRANSFORM,
    JsonSchema,
)

_SHARED: Mapping[str, Schema] = {"weight": {**COUNT, "maximum": HEAVIEST}, "metric": TEXT}
_BESIDE: Mapping[str, Schema] = {
    "when": {"const": "unsure", "description": "Asked only where the assertion before this one is unsure."},
    "transform": TRANSFORM,
}
BATTERY_SCHEMA_ADDRESS: Final = "https://sensecheck.github.io/sensecheck/schema/battery.json"
"""Where it is published, for the first line of a battery: `# yaml-language-server: $schema=…`."""


def battery_schema() -> JsonSchema:
    """The schema of a battery file; every mapping is closed, so that a typo is seen."""
    provider_by_id = {
        "type": "object",
        "propertyNames": {"not": {"enum": list(PROVIDER.read)}},
        "additionalProperties": PROVIDER.schema(),
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": BATTERY_SCHEMA_ADDRESS,
        "title": "sensecheck battery",
        **TOP.schema(),
        "anyOf": [{"required": ["tests"]}, {"required": ["defaultTest"]}],
        "$defs": {
            "assertion": assertion_schema(),
            "embedding_validation": embedding_validation_schema(),
            "prompt": {"anyOf": [TEXT, PROMPT.schema()]},
            "provider": {"anyOf": [TEXT, PROVIDER.schema() | {"required": ["id"]}, provider_by_id]},
            "repeat": {
                "description": "So many runs, of which all must pass; or how many of them must.",
                "anyOf": [
                    REPEAT.read["runs"],
                    {
                        "type": "object",
                        "properties": dict(REPEAT.read),
                        "required": ["runs"],
                        "patternProperties": {"^x-": {}},
                        "additionalProperties": False,
                    },
                ],
            },
            "options": OPTIONS.schema(),
            "test": TEST.schema(),
            "defaultTest": DEFAULT_TEST.schema(),
        },
    }


def assertion_schema() -> dict[str, Any]:
    """One assertion; it refers to itself as `#/$defs/assertion`, where it is to stand."""
    several = {"assert": {"type": "array", "items": {"$ref": "#/$defs/assertion"}, "minItems": 1}}
    types = [
        _closed(
            name,
            f"{kind.about} With `not-` before the type: it is not so.",
            {"type": {"enum": [name, f"not-{name}"]}, **kind.keys, **_SHARED, **_BESIDE},
            ("type", *kind.required),
        )
        for name, kind in KINDS.items()
    ]
    whole = _closed(
        SET,
        "Several assertions that count as one; with a threshold, their weighed mean must reach it.",
        {"type": {"const": SET}, **several, "threshold": SCORE, **_SHARED},
        ("type", "assert"),
    )
    return {"anyOf": [*types, whole]}


def embedding_validation_schema() -> dict[str, Any]:
    """One rule on embeddings, or a list of them."""
    rules = [
        _closed(kind, "", {"type": {"const": kind}, **keys}, ("type", *REQUIRED.get(kind, ())))
        for kind, keys in RULES.items()
    ]
    return {"anyOf": [*rules, {"type": "array", "items": {"anyOf": rules}, "minItems": 1}]}


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
