"""Assertions on JSON in the answer."""

from collections.abc import Callable, Mapping
from typing import Any

from sensecheck.checks.gate import Gate
from sensecheck.core.protocols import Check
from sensecheck.evals.assertions.asked import Asked
from sensecheck.evals.assertions.kind import YES, Kind
from sensecheck.evals.documents.reading import read_inline
from sensecheck.measures.wording.json import ContainsJson, IsJson

_SCHEMA = {
    "value": {"type": ["object", "string"], "description": "A JSON Schema, or the file that holds it."}
}


def _schema(asked: Asked) -> Mapping[str, Any] | None:
    """The JSON Schema: written out, as a text of JSON or YAML, or in a file; None without one."""
    if "value" not in asked.held:
        return None
    value = asked.value()
    found = read_inline(value.held, value) if isinstance(value.held, str) else value
    if not isinstance(found.held, Mapping):
        raise value.wrong(f"`value` of `{asked.type}` wants a JSON Schema as a mapping; found {found.kind}")
    schema: dict[str, Any] = found.plain()
    return schema


def _json(measure: type[IsJson] | type[ContainsJson]) -> Callable[[Asked], Check]:
    def build(asked: Asked) -> Check:
        return Gate(measure(_schema(asked)), YES, asked.type)

    return build


KINDS: Mapping[str, Kind] = {
    "is-json": Kind("The whole answer is JSON, and conforms to the schema.", _json(IsJson), _SCHEMA),
    "contains-json": Kind(
        "The answer holds an object of JSON that conforms to the schema.", _json(ContainsJson), _SCHEMA
    ),
}
