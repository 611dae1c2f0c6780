"""The JSON Schema of assertions, for editors."""

from collections.abc import Mapping, Sequence
from typing import Any

from sensecheck.evals.assertions.embedding import REQUIRED, RULES
from sensecheck.evals.assertions.kind import Kind, Schema
from sensecheck.evals.assertions.kinds import KINDS, SET
from sensecheck.evals.assertions.scores import HEAVIEST
from sensecheck.evals.assertions.shapes import COUNT, SCORE, TEXT

_SHARED: Mapping[str, Schema] = {"weight": {**COUNT, "maximum": HEAVIEST}, "metric": TEXT}
_WHEN: Mapping[str, Schema] = {
    "when": {"const": "unsure", "description": "Asked only where the assertion before this one is unsure."}
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
    return {"anyOf": [*(_of(name, kind) for name, kind in KINDS.items()), whole]}


def embedding_validation_schema() -> dict[str, Any]:
    """One rule on embeddings, or a list of them."""
    rules = [
        _closed(kind, "", {"type": {"const": kind}, **keys}, ("type", *REQUIRED.get(kind, ())))
        for kind, keys in RULES.items()
    ]
    return {"anyOf": [*rules, {"type": "array", "items": {"anyOf": rules}, "minItems": 1}]}


def _of(name: str, kind: Kind) -> dict[str, Any]:
    about = f"{kind.about} With `not-` before the type: it is not so."
    named = {"type": {"enum": [name, f"not-{name}"]}}
    return _closed(name, about, {**named, **kind.keys, **_SHARED, **_WHEN}, ("type", *kind.required))


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
