"""The keywords of a JSON Schema: one that nobody knows would ask nothing, in silence."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

# ruff: noqa: PLC0415 - a test without a schema needs none of this

_FREE: Final = ("$", "x-")
_BESIDE: Final = ("minContains", "maxContains", "then", "else", "id", "definitions")
"""Keywords that work through others."""
_NOTES: Final = (
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "discriminator",
)
"""Keywords that ask nothing, as people and generators write them."""


def must_know_keywords(schema: Any, draft: type["Validator"]) -> None:
    """Raise for a keyword, in the schema or one within it, that its draft does not have."""
    from referencing.jsonschema import DRAFT202012, specification_with

    specification = specification_with(draft.META_SCHEMA["$schema"], default=DRAFT202012)
    known = (*draft.VALIDATORS, *_BESIDE, *_NOTES)
    inner = [schema]
    while inner:
        here = inner.pop()
        if isinstance(here, Mapping):
            _must_know(here, known)
            inner += specification.subresources_of(here)


def _must_know(schema: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in schema:
        if key not in known and not key.startswith(_FREE):
            raise SpecError(unknown("keyword of a JSON Schema", key, known))
