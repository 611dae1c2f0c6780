"""References as rows of the table in PostgreSQL, on their way in and out."""

from typing import Any

from sensecheck.retrieval.indexes.index import Entry
from sensecheck.retrieval.indexes.pgvector_forms import metadata_form, metadata_of, text_form, text_of
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import closeness_from

COPY = (
    "COPY pg_temp.sensecheck_incoming (id, text, source, metadata, reference_score, embedding) "
    "FROM STDIN (FORMAT BINARY)"
)
TYPES = ("text", "text", "text", "text", "float8", "vector")


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
    _, text, source, metadata, score, vector, distance = row
    closeness = closeness_from(distance, "cosine-distance")
    known = metadata_of(metadata)
    return Match(text_of(text), closeness, text_of(source), known, score, encoder, vector.to_numpy())
