"""References as rows in PostgreSQL: they come back as they were, and filters hold exactly."""

import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.indexes.index import Entry
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import closeness_from
from sensecheck.retrieval.wanted import Scalar, Wanted, alternatives

COPY = (
    "COPY pg_temp.sensecheck_incoming (id, text, source, metadata, reference_score, embedding) "
    "FROM STDIN (FORMAT BINARY)"
)
TYPES = ("text", "text", "text", "text", "float8", "vector")
_MARK = "\ufdd0"
"""A character that Unicode keeps for uses like this one: what follows it stands for another."""
_MARKED = re.compile(f"{_MARK}([0{_MARK}])")
_EXACT = 1e16
"""From here on a float is written with an exponent, which PostgreSQL would give back as an integer."""


def row_of(entry: Entry) -> tuple[Any, ...]:
    """The entry in the order of `COPY`."""
    reference = entry.reference
    return (
        text_form(reference.id),
        text_form(reference.text),
        text_form(reference.source),
        metadata_form(reference.metadata),
        reference.reference_score,
        entry.vector,
    )


def match_of_row(row: tuple[Any, ...], encoder: str) -> Match:
    """The row as a match; its last column is the distance."""
    named, text, source, metadata, score, vector, distance = row
    return Match(
        text_of(text),
        closeness_from(distance, "cosine-distance"),
        text_of(source),
        metadata_of(metadata),
        score,
        encoder,
        id=text_of(named),
        vector=vector.to_numpy(),
    )


def text_form(text: str) -> str:
    """The text with NUL, which no column holds, as two characters that it can."""
    if not text.isascii() or "\0" in text:
        text = text.replace(_MARK, _MARK + _MARK).replace("\0", f"{_MARK}0")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise SpecError("a text has half of a character (a lone surrogate), which PostgreSQL cannot keep")
    return text


def text_of(form: str) -> str:
    """The text that was written so."""
    return _MARKED.sub(lambda found: "\0" if found[1] == "0" else _MARK, form) if _MARK in form else form


def metadata_form(metadata: Mapping[str, Scalar]) -> str:
    """Metadata as JSON; whole floats keep their point, so that they come back as floats."""
    return "{" + ",".join(f"{_quoted(key)}:{_number_or_text(metadata[key])}" for key in metadata) + "}"


def metadata_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that was written so."""
    return {text_of(key): text_of(value) if isinstance(value, str) else value for key, value in form.items()}


def conditions(wanted: Wanted | None) -> list[list[str]]:
    """What the metadata must contain: of each list one, as JSON; an empty list is met by nothing."""
    return [
        [
            metadata_form({key: value})
            for value in values
            if not isinstance(value, float) or math.isfinite(value)
        ]
        for key, values in alternatives(wanted or {}).items()
    ]


def _number_or_text(value: Scalar) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    whole = value.is_integer() and abs(value) >= _EXACT
    return f"{Decimal(value):f}.0" if whole else float.__repr__(value)


def _quoted(text: str) -> str:
    return json.dumps(text_form(text), ensure_ascii=False)
