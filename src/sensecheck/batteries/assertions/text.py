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
_CASES = {"": "", "i": ", in capitals or not"}


def _contains(want: Literal["all", "any"], prefix: str) -> AssertionType:
    """One of several texts, or all of them; with an `i` before the type, whatever their case."""

    def build(assertion: AssertionInput) -> Check:
        return Gate(Contains(assertion.texts(), want, bool(prefix)), YES, assertion.type)

    texts = "each of these texts" if want == "all" else "one of these texts or more"
    return AssertionType(f"The answer holds {texts}{_CASES[prefix]}.", build, {"value": SEVERAL}, ("value",))


def _contains_one(prefix: str) -> AssertionType:
    def build(assertion: AssertionInput) -> Check:
        return Gate(Contains((assertion.text(),), ignore_case=bool(prefix)), YES, assertion.type)

    about = f"The answer holds this text{_CASES[prefix]}."
    return AssertionType(about, build, {"value": WRITTEN}, ("value",))


def _equals(assertion: AssertionInput) -> Check:
    value = assertion.value().plain()
    if value is None:
        raise assertion.error("`value` is empty; for the text `null`, write it in quotes")
    if isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, int | float):
        value = assertion.text()
    return Gate(Equals(value), YES, assertion.type)


def _text(measure: type[Pattern] | type[StartsWith]) -> Callable[[AssertionInput], Check]:
    def build(assertion: AssertionInput) -> Check:
        text = assertion.value().text(f"`value` of `{assertion.type}`")
        return Gate(measure(text), YES, assertion.type)

    return build


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
    "contains": _contains_one(""),
    "icontains": _contains_one("i"),
    "contains-all": _contains("all", ""),
    "contains-any": _contains("any", ""),
    "icontains-all": _contains("all", "i"),
    "icontains-any": _contains("any", "i"),
    "equals": AssertionType(
        "The answer is exactly this text, or JSON for this value.", _equals, {"value": ANY}, ("value",)
    ),
    "regex": AssertionType(
        "This regular expression of Python matches in the answer.",
        _text(Pattern),
        {"value": TEXT},
        ("value",),
    ),
    "starts-with": AssertionType(
        "The answer begins with this text.", _text(StartsWith), {"value": TEXT}, ("value",)
    ),
    "is-json": AssertionType("The whole answer is JSON, and conforms to the schema.", _json(IsJson), _SCHEMA),
    "contains-json": AssertionType(
        "The answer holds an object of JSON that conforms to the schema.", _json(ContainsJson), _SCHEMA
    ),
}
