"""Whether the answer is JSON, or holds some; and of which shape."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import no_number
from sensecheck.core.space import Space
from sensecheck.measures.wording.json_schema import first_fault, must_be_schema

_BEGINS = re.compile(r'\{(?=\s*["}])')
_DECODER = json.JSONDecoder(parse_constant=no_number)


@dataclass(frozen=True, slots=True)
class IsJson:
    """1 when the whole answer is JSON and conforms to the schema, else 0."""

    schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.schema is not None:
            must_be_schema(self.schema)

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
            found = _DECODER.decode(sample.answer)
        except json.JSONDecodeError as broken:
            rest = Span.of("answer", sample.answer, broken.pos, min(broken.pos + 30, len(sample.answer)))
            return Reading(0.0, f"the answer is not JSON: {broken}", (Evidence("broken", rest),))
        except (SpecError, ValueError, RecursionError) as broken:
            return Reading(0.0, f"the answer is not JSON: {broken}")
        return _conforming(found, self.schema, ())


@dataclass(frozen=True, slots=True)
class ContainsJson:
    """1 when the answer holds an object of JSON, among other text maybe, that conforms to the schema."""

    schema: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.schema is not None:
            must_be_schema(self.schema)

    @property
    def name(self) -> str:
        """What people call it."""
        return "contains_json"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the object that conforms, or else the last one that does not."""
        reading = Reading(0.0, "the answer holds no object of JSON")
        for span, found in _objects(sample.answer):
            reading = _conforming(found, self.schema, (Evidence("found", span),))
            if reading.value == 1:
                break
        return reading


def _conforming(found: Any, schema: Mapping[str, Any] | None, evidence: tuple[Evidence, ...]) -> Reading:
    if schema is None:
        return Reading(1.0, "it is JSON", evidence)
    fault = first_fault(found, schema)
    if fault is None:
        return Reading(1.0, "the JSON conforms to the schema", evidence)
    return Reading(0.0, f"the JSON does not conform to the schema: {fault}", evidence)


def _objects(text: str) -> Iterator[tuple[Span, Any]]:
    """The outermost objects of JSON in a text, in their order."""
    begun = _BEGINS.search(text)
    while begun is not None:
        start, end = begun.start(), begun.start() + 1
        try:
            # A part of the text: an error in the whole would count its lines from the beginning, every time.
            found, length = _DECODER.raw_decode(text[start:])
            end = start + length
            yield Span.of("answer", text, start, end), found
        except (SpecError, ValueError, RecursionError):
            pass  # no object begins at this brace; another one may
        begun = _BEGINS.search(text, end)
