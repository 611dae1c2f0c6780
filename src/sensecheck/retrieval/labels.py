"""Labelled retrievals, and outputs scored with and without guards, from files.

A row says for each query which references are relevant; a file for `sensecheck guard` will do.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, SampleError, SpecError
from sensecheck.core.serialization import from_data
from sensecheck.datasets.labels import WORDS, label_of
from sensecheck.datasets.rows import FileRow, LoadedRows
from sensecheck.retrieval.match import Match, Scale, closeness_from, require_matches
from sensecheck.retrieval.matching import matched_each
from sensecheck.stats.risk_coverage import ScoredOutput

_ALL = "all"
"""The item of every row, where none names one."""


@dataclass(frozen=True, slots=True)
class LabelledReference:
    """A reference as it was retrieved, and whether it helps with the query."""

    text: str
    relevant: bool | None = None
    """None if unknown."""
    closeness: float | None = None
    """None where the encoder is to measure it."""
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    reference_score: float | None = None
    encoder: str | None = None
    """The fingerprint of the encoder whose similarity it is; None if unknown."""
    id: str | None = None
    """What the store calls it."""

    def __post_init__(self) -> None:
        if self.closeness is not None:
            self.match(self.closeness)  # which refuses what is no cosine
        elif self.encoder is not None:
            raise SampleError("`encoder` says whose similarity it is, and this reference has none")

    def match(self, closeness: float) -> Match:
        """The reference as a chain takes it."""
        details = self.source, self.metadata, self.reference_score, self.encoder, self.id
        return Match(self.text, closeness, *details)


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """What was retrieved for one query of an item."""

    item: str
    """What the query is about; items stand in the prompt in the order in which rows first name them."""
    query: str
    references: tuple[LabelledReference, ...]
    id: str | int | None = None

    def __post_init__(self) -> None:
        measured = sum(reference.closeness is not None for reference in self.references)
        if 0 < measured < len(self.references):
            raise SampleError(
                f"the references of a query need a `closeness` each, or none of them; {measured} of "
                f"{len(self.references)} have one"
            )

    @property
    def is_measured(self) -> bool:
        """Whether similarity came with the references."""
        return all(reference.closeness is not None for reference in self.references)


@dataclass(frozen=True, slots=True)
class LabelledMatches:
    """The same with every similarity known, as a chain takes it."""

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
                f"each match must have a label, which may be none; got {len(self.matches)} matches and "
                f"{len(self.relevant)} labels"
            )


def labelled_rows(path: str, scale: Scale | None = None) -> tuple[str, list[LabelledRow]]:
    """What a file of labelled retrievals is called, and its rows; `scale` is that of a `score`."""
    rows = LoadedRows.of(path)
    labelled = [_labelled_row(row, scale) for row in rows.rows]
    named = [row.where for row in rows.rows if row.values.get("item") is not None]
    bare = [row.where for row in rows.rows if row.values.get("item") is None]
    if named and bare:
        raise SampleError(f"{bare[0]} has no `item`, and {named[0]} has one; wanted one in each row, or none")
    return rows.name, labelled


def measured_rows(rows: Sequence[LabelledRow], encoder: Encoder | None) -> Iterator[LabelledMatches]:
    """Each row with its matches; where similarity did not come along, the encoder measures it."""
    missing = [row for row in rows if not row.is_measured]
    if missing and encoder is None:
        raise EncoderError(f"{len(missing)} queries came without similarity, and there is no encoder")
    queries = ((row.query, [reference.text for reference in row.references]) for row in missing)
    measured = iter(()) if encoder is None else matched_each(queries, encoder)
    for row in rows:
        if row.is_measured:
            matches = tuple(reference.match(reference.closeness or 0.0) for reference in row.references)
        else:
            found = zip(row.references, require_matches(next(measured)), strict=True)
            matches = tuple(
                replace(reference.match(match.closeness), encoder=match.encoder, vector=match.vector)
                for reference, match in found
            )
        labels = tuple(reference.relevant for reference in row.references)
        yield LabelledMatches(row.item, row.query, matches, labels, row.id)


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A line of scored outputs."""

    id: str | int
    arm: Literal["bare", "guarded"]
    confidence: float | None
    """`null` for an abstention; it must be said."""
    loss: float | None = None
    correct: bool | None = None
    group: str | int | None = None

    def scored(self) -> ScoredOutput:
        """The output; right is a loss of 0, wrong is one of 1."""
        if self.loss is not None and self.correct is not None:
            raise SampleError("an output has both `loss` and `correct`; wanted one of them")
        loss = self.loss if self.correct is None else float(not self.correct)
        if self.confidence is not None and loss is None:
            raise SampleError("an output with a confidence needs `loss` or `correct`")
        return ScoredOutput(
            str(self.id), self.confidence, loss, None if self.group is None else str(self.group)
        )


def scored_arms(paths: Sequence[str]) -> tuple[list[ScoredOutput], list[ScoredOutput]]:
    """The outputs without guards and with them, from all files together."""
    if len(paths) != len(set(paths)):
        raise SpecError("`--scored` names a file twice; each output must stand there once")
    arms: dict[str, dict[str, ScoredOutput]] = {"bare": {}, "guarded": {}}
    for path in paths:
        for row in LoadedRows.of(path).rows:
            try:
                scored_row = from_data(ScoredRow, row.values, at="row")
                name, scored = scored_row.arm, scored_row.scored()
            except (SpecError, SampleError) as error:
                raise SampleError(f"{row.where}: {error}") from error
            if scored.id in arms[name]:
                raise SampleError(f"{row.where}: the arm `{name}` has this `id` already")
            arms[name][scored.id] = scored
    for arm, outputs in arms.items():
        if not outputs:
            raise SampleError(
                f"the scored outputs hold none of the arm `{arm}`; wanted `bare` and `guarded`, in one file "
                "or in two (repeat `--scored`)"
            )
    return list(arms["bare"].values()), list(arms["guarded"].values())


def _labelled_row(row: FileRow, scale: Scale | None) -> LabelledRow:
    """The row; an error in it is reported with its line."""
    try:
        values = _without_free_keys(row.values)
        if values.get("item") is None:
            values["item"] = _ALL
        if isinstance(values.get("references"), list):
            values["references"] = [
                _reference(reference, scale, f"row.references[{number}]")
                for number, reference in enumerate(values["references"])
            ]
        return from_data(LabelledRow, values, at="row")
    except (SpecError, SampleError) as error:
        raise SampleError(f"{row.where}: {error}") from error


def _without_free_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without the user's own keys, which begin with `x-`."""
    return {key: value for key, value in values.items() if not key.startswith("x-")}


def _reference(data: Any, scale: Scale | None, at: str) -> Any:
    """As a labelled reference is read; a text alone is one without per label."""
    if isinstance(data, str):
        data = {"text": data}
    if not isinstance(data, dict):
        return data
    values = _without_free_keys(data)
    if type(values.get("id")) is int:
        values["id"] = str(values["id"])
    values["relevant"] = _label(values.get("relevant"), at)
    for key in ("source", "metadata"):  # `null` is what is not there
        if values.get(key, "") is None:
            del values[key]
    return _on_scale(values, scale, at)


def _label(value: Any, at: str) -> bool | None:
    if value is None:
        return None
    label = label_of(value)
    if label is None:
        raise SampleError(f"`{at}.relevant` must be {WORDS}; got `{str(value)[:20]}`")
    return label


def _on_scale(values: dict[str, Any], scale: Scale | None, at: str) -> dict[str, Any]:
    """The values with the score turned into a similarity."""
    score, closeness = values.pop("score", None), values.get("closeness")
    if closeness is not None and (score is not None or scale is not None):
        other = "a `score` too" if score is not None else "`--scale` says what a `score` is"
        raise SampleError(f"`{at}` has a `closeness`, which is a cosine already, and {other}; wanted one")
    if score is None:
        if scale is not None:
            raise SampleError(f"`--scale` was given, and `{at}` has no `score`")
        return values
    if scale is None:
        raise SampleError(f"`{at}` has a `score`; `--scale` must say what the store means by it")
    return values | {"closeness": closeness_from(score, scale)}
