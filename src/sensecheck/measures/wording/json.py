"""Whether the answer is JSON, or holds some, and whether that conforms to a JSON Schema.

No schema is ever fetched from elsewhere. A keyword that is unknown is refused: it would ask nothing, in
silence.
"""

# ruff: noqa: PLC0415 - a test without a schema needs none of this

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean, no_number
from sensecheck.core.space import Space

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

Schema = Mapping[str, Any]

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
_BEGINS = re.compile(r'\{(?=\s*["}])')
_DECODER = json.JSONDecoder(parse_constant=no_number)


@dataclass(frozen=True, slots=True)
class IsJson:
    """1 when the whole answer is JSON and conforms to the schema, else 0."""

    schema: Schema | None = None

    def __post_init__(self) -> None:
        if self.schema is not None:
            _validate_schema(self.schema)

    @property
    def name(self) -> str:
        """What people call it."""
        return "is_json"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0, and what is wrong with it first."""
        try:
            value = _DECODER.decode(sample.answer)
        except json.JSONDecodeError as broken:
            rest = Span.of("answer", sample.answer, broken.pos, min(broken.pos + 30, len(sample.answer)))
            return Reading(0.0, f"the answer is not JSON: {broken}", (Evidence("broken", rest),))
        except (SpecError, ValueError, RecursionError) as broken:
            return Reading(0.0, f"the answer is not JSON: {broken}")
        return _schema_reading(value, self.schema, ())


@dataclass(frozen=True, slots=True)
class ContainsJson:
    """1 when the answer holds an object of JSON, among other text maybe, that conforms to the schema."""

    schema: Schema | None = None

    def __post_init__(self) -> None:
        if self.schema is not None:
            _validate_schema(self.schema)

    @property
    def name(self) -> str:
        """What people call it."""
        return "contains_json"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the object that conforms, or else the last one that does not."""
        reading = Reading(0.0, "the answer contains no JSON object")
        for span, value in _objects(sample.answer):
            reading = _schema_reading(value, self.schema, (Evidence("found", span),))
            if reading.value == 1:
                break
        return reading


def _schema_reading(value: Any, schema: Schema | None, evidence: tuple[Evidence, ...]) -> Reading:
    if schema is None:
        return Reading(1.0, "it is JSON", evidence)
    fault = _first_fault(value, schema)
    if fault is None:
        return Reading(1.0, "the JSON conforms to the schema", evidence)
    return Reading(0.0, f"the JSON does not conform to the schema: {fault}", evidence)


def _objects(text: str) -> Iterator[tuple[Span, Any]]:
    """The outermost objects of JSON in a text, in their order."""
    opening = _BEGINS.search(text)
    while opening is not None:
        start, end = opening.start(), opening.start() + 1
        try:
            # A part of the text: an error in the whole would count its lines from the beginning, every time.
            value, length = _DECODER.raw_decode(text[start:])
            end = start + length
            yield Span.of("answer", text, start, end), value
        except (SpecError, ValueError, RecursionError):
            pass  # no object begins at this brace; another one may
        opening = _BEGINS.search(text, end)


def _validate_schema(schema: Schema) -> None:
    """Raise unless it is a JSON Schema that can be used."""
    _validator(schema)


def _first_fault(value: Any, schema: Schema) -> str | None:
    """What is wrong with a value first, and where in it; None when it conforms."""
    validator = _validator(schema)
    from jsonschema.exceptions import best_match
    from referencing.exceptions import Unresolvable

    try:
        fault = best_match(validator.iter_errors(value))
    except Unresolvable as lost:
        raise CannotJudge(f"the JSON Schema refers to `{lost.ref}`, which it does not hold") from lost
    return None if fault is None else f"at `{fault.json_path}`: {fault.message}"


def _validator(schema: Schema) -> "Validator":
    return _cached_validator(json.dumps(schema, sort_keys=True, default=dict))


@lru_cache(maxsize=256)
def _cached_validator(schema_json: str) -> "Validator":
    with extra("battery"):
        from jsonschema.exceptions import SchemaError
        from jsonschema.validators import Draft202012Validator, validator_for
        from referencing import Registry
    schema = json.loads(schema_json)
    validator_class = validator_for(schema, default=Draft202012Validator)
    try:
        validator_class.check_schema(schema)
    except SchemaError as error:
        raise SpecError(f"it is no JSON Schema: at `{error.json_path}`: {error.message}") from error
    _require_known_keywords(schema, validator_class)
    return validator_class(schema, registry=Registry(), format_checker=validator_class.FORMAT_CHECKER)


def _require_known_keywords(schema: Any, draft: type["Validator"]) -> None:
    """Raise for a keyword, in the schema or one within it, that its draft does not have."""
    from referencing.jsonschema import DRAFT202012, specification_with

    specification = specification_with(draft.META_SCHEMA["$schema"], default=DRAFT202012)
    allowed = (*draft.VALIDATORS, *_BESIDE, *_NOTES)
    pending = [schema]
    while pending:
        subschema = pending.pop()
        if isinstance(subschema, Mapping):
            for key in subschema:
                if key not in allowed and not key.startswith(_FREE):
                    raise SpecError(did_you_mean("keyword of a JSON Schema", key, allowed))
            pending += specification.subresources_of(subschema)
