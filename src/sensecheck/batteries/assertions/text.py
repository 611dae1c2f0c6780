"""Assertions on what the answer says word for word, and on JSON in it."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from sensecheck.batteries.assertions.base import (
    ANY,
    SEVERAL,
    TEXT,
    WRITTEN,
    YES,
    AssertionInput,
    AssertionType,
)
from sensecheck.checks.gate import Gate
from sensecheck.core.protocols import Check
from sensecheck.documents.reading import read_inline
from sensecheck.measures.wording.json import ContainsJson, IsJson
from sensecheck.measures.wording.text import Contains, Equals, Pattern, StartsWith

_SCHEMA = {
    "value": {"type": ["object", "string"], "description": "A JSON Schema, or the file that holds it."}
}


def _contains(*, ignore_case: bool) -> Callable[[AssertionInput], Check]:
    def build(assertion: AssertionInput) -> Check:
        return Gate(Contains((assertion.text(),), ignore_case=ignore_case), YES, assertion.type)

    return build


def _several(want: Literal["all", "any"], *, ignore_case: bool) -> Callable[[AssertionInput], Check]:
    def build(assertion: AssertionInput) -> Check:
        return Gate(Contains(assertion.texts(), want, ignore_case), YES, assertion.type)

    return build


def _equals(assertion: AssertionInput) -> Check:
    value = assertion.value().plain()
    if value is None:
        raise assertion.error("`value` is empty; for the text `null`, write it in quotes")
    if isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, int | float):
        value = assertion.text()
    return Gate(Equals(value), YES, assertion.type)


def _regex(assertion: AssertionInput) -> Check:
    return Gate(Pattern(assertion.value().text("`value` of `regex`")), YES, assertion.type)


def _starts_with(assertion: AssertionInput) -> Check:
    return Gate(StartsWith(assertion.value().text("`value` of `starts-with`")), YES, assertion.type)


def _schema(assertion: AssertionInput) -> Mapping[str, Any] | None:
    """The JSON Schema: written out, as a text of JSON or YAML, or in a file; None without one."""
    if "value" not in assertion.entries:
        return None
    value = assertion.value()
    document = read_inline(value.value, value) if isinstance(value.value, str) else value
    if not isinstance(document.value, Mapping):
        raise value.error(
            f"`value` of `{assertion.type}` must be a JSON Schema as a mapping; got {document.kind}"
        )
    schema: dict[str, Any] = document.plain()
    return schema


def _json(measure: type[IsJson] | type[ContainsJson]) -> Callable[[AssertionInput], Check]:
    def build(assertion: AssertionInput) -> Check:
        return Gate(measure(_schema(assertion)), YES, assertion.type)

    return build


KINDS: Mapping[str, AssertionType] = {
    "contains": AssertionType(
        "The answer holds this text.", _contains(ignore_case=False), {"value": WRITTEN}, ("value",)
    ),
    "icontains": AssertionType(
        "The answer holds this text, in capitals or not.",
        _contains(ignore_case=True),
        {"value": WRITTEN},
        ("value",),
    ),
    "contains-all": AssertionType(
        "The answer holds each of these texts.",
        _several("all", ignore_case=False),
        {"value": SEVERAL},
        ("value",),
    ),
    "contains-any": AssertionType(
        "The answer holds one of these texts or more.",
        _several("any", ignore_case=False),
        {"value": SEVERAL},
        ("value",),
    ),
    "icontains-all": AssertionType(
        "The answer holds each of these texts, in capitals or not.",
        _several("all", ignore_case=True),
        {"value": SEVERAL},
        ("value",),
    ),
    "icontains-any": AssertionType(
        "The answer holds one of these texts or more, in capitals or not.",
        _several("any", ignore_case=True),
        {"value": SEVERAL},
        ("value",),
    ),
    "equals": AssertionType(
        "The answer is exactly this text, or JSON for this value.", _equals, {"value": ANY}, ("value",)
    ),
    "regex": AssertionType(
        "This regular expression of Python matches in the answer.", _regex, {"value": TEXT}, ("value",)
    ),
    "starts-with": AssertionType(
        "The answer begins with this text.", _starts_with, {"value": TEXT}, ("value",)
    ),
    "is-json": AssertionType("The whole answer is JSON, and conforms to the schema.", _json(IsJson), _SCHEMA),
    "contains-json": AssertionType(
        "The answer holds an object of JSON that conforms to the schema.", _json(ContainsJson), _SCHEMA
    ),
}
