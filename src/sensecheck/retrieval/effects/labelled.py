"""Retrievals that somebody has labelled: for each query, which references are relevant."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, SampleError
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.retrieved import must_be_read


@dataclass(frozen=True, slots=True)
class LabelledReference:
    """A reference as it was retrieved, and whether it helps with the query."""

    text: str
    relevant: bool | None = None
    """None where nobody said."""
    closeness: float | None = None
    """None where the encoder is to measure it."""
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    reference_score: float | None = None
    encoder: str | None = None
    """The fingerprint of the encoder whose closeness it is; None where nobody said."""
    id: str | None = None
    """What the store calls it."""

    def __post_init__(self) -> None:
        if self.closeness is not None:
            self.match(self.closeness)  # which refuses what is no cosine
        elif self.encoder is not None:
            raise SampleError("`encoder` says whose closeness it is, and this reference has none")

    def match(self, closeness: float) -> Match:
        """The reference as a chain takes it."""
        more = self.source, self.metadata, self.reference_score, self.encoder, self.id
        return Match(self.text, closeness, *more)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """What was retrieved for one query of an item."""

    item: str
    """What the query is about; items stand in the prompt in the order in which rows first name them."""
    query: str
    references: tuple[LabelledReference, ...]
    id: str | int | None = None

    def __post_init__(self) -> None:
        given = sum(one.closeness is not None for one in self.references)
        if 0 < given < len(self.references):
            raise SampleError(
                f"the references of a query want a `closeness` each, or none of them; {given} of "
                f"{len(self.references)} have one"
            )

    @property
    def is_measured(self) -> bool:
        """Whether closeness came with the references."""
        return all(one.closeness is not None for one in self.references)


@dataclass(frozen=True, slots=True)
class LabelledMatches:
    """The same with every closeness known, as a chain takes it."""

    item: str
    query: str
    matches: tuple[Match, ...]
    relevant: tuple[bool | None, ...]
    """For each match."""
    id: str | int | None = None
    """What the file calls the query."""

    def __post_init__(self) -> None:
        if len(self.matches) != len(self.relevant):
            raise SampleError(
                f"each match wants a label, which may be none; found {len(self.matches)} matches and "
                f"{len(self.relevant)} labels"
            )


def measured_rows(rows: Sequence[LabelledRow], encoder: Encoder | None) -> Iterator[LabelledMatches]:
    """Each row with its matches; where closeness did not come along, the encoder measures it."""
    missing = [row for row in rows if not row.is_measured]
    if missing and encoder is None:
        raise EncoderError(f"{len(missing)} queries came without closeness, and there is no encoder")
    asked = ((row.query, [one.text for one in row.references]) for row in missing)
    found = iter(()) if encoder is None else matched_each(asked, encoder)
    for row in rows:
        matches = _given(row.references) if row.is_measured else _described(row, must_be_read(next(found)))
        labels = tuple(one.relevant for one in row.references)
        yield LabelledMatches(row.item, row.query, matches, labels, row.id)


def _given(references: Iterable[LabelledReference]) -> tuple[Match, ...]:
    return tuple(one.match(one.closeness) for one in references if one.closeness is not None)


def _described(row: LabelledRow, measured: Sequence[Match]) -> tuple[Match, ...]:
    return tuple(
        replace(
            match,
            source=one.source,
            metadata=one.metadata,
            reference_score=one.reference_score,
            id=one.id,
        )
        for one, match in zip(row.references, measured, strict=True)
    )
