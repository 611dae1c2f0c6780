"""Words and JSON.

Assertions on what the answer says word for word.

Assertions on JSON in the answer.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from sensecheck.batteries.assertions.base import ANY, SEVERAL, TEXT, WRITTEN, YES, Asked, Kind
from sensecheck.checks.gate import Gate
from sensecheck.core.protocols import Check
from sensecheck.documents.reading import read_inline
from sensecheck.measures.wording.json import ContainsJson, IsJson
from sensecheck.measures.wording.text import Contains, Equals, Pattern, StartsWith


def _contains(*, ignore_case: bool) -> Callable[[Asked], Check]:
    def build(asked: Asked) -> Check:
        return Gate(Contains((asked.text(),), ignore_case=ignore_case), YES, asked.type)

    return build


def _several(want: Literal["all", "any"], *, ignore_case: bool) -> Callable[[Asked], Check]:
    def build(asked: Asked) -> Check:
        return Gate(Contains(asked.texts(), want, ignore_case), YES, asked.type)

    return build


def _equals(asked: Asked) -> Check:
    value = asked.value().plain()
    if value is None:
        raise asked.wrong("`value` is empty; for the text `null`, write it in quotes")
    if isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, int | float):
        value = asked.text()
    return Gate(Equals(value), YES, asked.type)


def _regex(asked: Asked) -> Check:
    return Gate(Pattern(asked.value().text("`value` of `regex`")), YES, asked.type)


def _starts_with(asked: Asked) -> Check:
    return Gate(StartsWith(asked.value().text("`value` of `starts-with`")), YES, asked.type)


WORDING_KINDS: Mapping[str, Kind] = {
    "contains": Kind(
        "The answer holds this text.", _contains(ignore_case=False), {"value": WRITTEN}, ("value",)
    ),
    "icontains": Kind(
        "The answer holds this text, in capitals or not.",
        _contains(ignore_case=True),
        {"value": WRITTEN},
        ("value",),
    ),
    "contains-all": Kind(
        "The answer holds each of these texts.",
        _several("all", ignore_case=False),
        {"value": SEVERAL},
        ("value",),
    ),
    "contains-any": Kind(
        "The answer holds one of these texts or more.",
        _several("any", ignore_case=False),
        {"value": SEVERAL},
        ("value",),
    ),
    "icontains-all": Kind(
        "The answer holds each of these texts, in capitals or not.",
        _several("all", ignore_case=True),
        {"value": SEVERAL},
        ("value",),
    ),
    "icontains-any": Kind(
        "The answer holds one of these texts or more, in capitals or not.",
        _several("any", ignore_case=True),
        {"value": SEVERAL},
        ("value",),
    ),
    "equals": Kind(
        "The answer is exactly this text, or JSON for this value.", _equals, {"value": ANY}, ("value",)
    ),
    "regex": Kind(
        "This regular expression of Python matches in the answer.", _regex, {"value": TEXT}, ("value",)
    ),
    "starts-with": Kind("The answer begins with this text.", _starts_with, {"value": TEXT}, ("value",)),
}


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


JSON_KINDS: Mapping[str, Kind] = {
    "is-json": Kind("The whole answer is JSON, and conforms to the schema.", _json(IsJson), _SCHEMA),
    "contains-json": Kind(
        "The answer holds an object of JSON that conforms to the schema.", _json(ContainsJson), _SCHEMA
    ),
}
