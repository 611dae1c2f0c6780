"""Labelled samples from a file: good or bad, or sorted into classes.

A column that is not explained is an error.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.sample import Sample
from sensecheck.datasets.columns import named_columns
from sensecheck.datasets.rows import FileRow, LoadedRows
from sensecheck.datasets.values import shortened

if TYPE_CHECKING:
    from sensecheck.checks.calibrate import LabelledSample
    from sensecheck.checks.train import Example

# ruff: noqa: PLC0415 - what judges and trains brings numpy along, which `--help` does without

WORDS = "true/false, 1/0, good/bad, pass/fail or yes/no"
_GOOD = {"true": True, "1": True, "good": True, "pass": True, "yes": True}
_LABELS = _GOOD | {"false": False, "0": False, "bad": False, "fail": False, "no": False}
_LABEL = "label"
_SAMPLE = tuple(part.name for part in fields(Sample))


@dataclass(frozen=True, slots=True)
class LabelledColumns:
    """Which column means what; those of a sample need no explaining."""

    label: str = _LABEL
    group: str | None = None
    slices: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    """Parts of the sample whose column is called otherwise: `{"question": "query"}`."""

    def __post_init__(self) -> None:
        if self.label in _SAMPLE:
            raise SpecError(f"`{self.label}` is a part of the sample, and cannot be its label too")
        alone = (self.label, *self.ignored)
        for shared in ([self.group] if self.group is not None else [], self.slices, self.parts.values()):
            names = (*alone, *shared)
            for column in names:
                if names.count(column) > 1:
                    raise SpecError(f"the column `{column}` was named for two things")

    def explained(self) -> set[str]:
        """Every column of which it is known what it means."""
        others = (*filter(None, [self.group]), *self.slices, *self.ignored, *self.parts.values())
        return {*_SAMPLE, self.label, *others}

    def read(self) -> dict[str, str]:
        """By part of the sample, the column that it is read from; a column is read as one part."""
        used = {*self.ignored, *self.parts.values()}
        return {part: part for part in _SAMPLE if part not in used} | dict(self.parts)


def sample_columns(pairs: Iterable[str]) -> dict[str, str]:
    """By part of the sample, the column that `PART=COLUMN` names for it."""
    return named_columns(pairs, _SAMPLE, of="sample")


def labelled(rows: LoadedRows, columns: LabelledColumns, *, require_label: bool) -> "list[LabelledSample]":
    """Each row as a sample with its label; where none must have one, some may be without."""
    _require_explained(rows, columns, require_label=require_label)
    return list(_labelled_samples(rows, columns, require_label=require_label))


def examples_in(rows: LoadedRows, columns: LabelledColumns) -> "list[Example]":
    """Each row as a sample with the name of its class."""
    from sensecheck.checks.train import Example

    _require_explained_classes(rows, columns)
    labels = [_class_in(row, columns.label) for row in rows.rows]
    unlabelled = tuple(row._replace(values={**row.values, columns.label: None}) for row in rows.rows)
    samples = labelled(replace(rows, rows=unlabelled), columns, require_label=False)
    return [
        Example(sample.sample, label, group=sample.group)
        for sample, label in zip(samples, labels, strict=True)
    ]


def label_of(found: object) -> bool | None:
    """Which label this is, in whatever case it is written; None for what is none of `WORDS`."""
    word = str(int(found) if isinstance(found, float) and found.is_integer() else found)
    return _LABELS.get(word.strip().casefold())


def _labelled_samples(
    rows: LoadedRows, columns: LabelledColumns, *, require_label: bool
) -> "Iterator[LabelledSample]":
    from sensecheck.checks.calibrate import LabelledSample

    places_by_id: dict[str, str] = {}
    for row in rows.rows:
        good = _label_in(row, columns.label)
        if good is None and require_label:
            raise SampleError(f"{row.where} has no label in `{columns.label}`; wanted {WORDS}")
        group = None if columns.group is None else _value(row, columns.group)
        values = {column: _value(row, column) for column in columns.slices}
        slices = {column: value for column, value in values.items() if value is not None}
        sample = _sample(row, columns, is_cells=bool(rows.header))
        if sample.id is not None and places_by_id.setdefault(sample.id, row.where) is not row.where:
            remedy = "`--ignore-column id`" if "id" not in columns.parts else "name no column for the `id`"
            raise SampleError(
                f"{row.where} has the `id` of {places_by_id[sample.id]}; leave one of them out, or {remedy}"
            )
        yield LabelledSample(sample, good, group, slices)


def _require_explained(rows: LoadedRows, columns: LabelledColumns, *, require_label: bool) -> None:
    """Raise for columns without a meaning, all in one error, and for named ones that are missing."""
    present = rows.columns()
    unexplained = [column for column in present if column not in columns.explained()]
    lacks_label = columns.label not in present and require_label
    if unexplained:
        listed = ", ".join(f"`{column}`" for column in unexplained)
        hint = (
            f", or `--label` the one that holds the labels: there is no `{columns.label}`"
            if lacks_label
            else ""
        )
        raise SampleError(
            f"`{rows.name}` has columns that mean nothing to us: {listed}; name each of them with "
            f"`--group`, `--slice`, `--ignore-column` or, as a part of the "
            f"sample, `--column question={unexplained[0]}`{hint}"
        )
    _require_one_column_each(rows, columns)
    required = [
        *filter(None, [columns.group]),
        *columns.slices,
        *(c for c in columns.parts.values() if c not in rows.header),
        *(c for c in columns.ignored if c not in rows.header),
    ]
    for column in [*required, columns.label] if lacks_label or columns.label != _LABEL else required:
        if column not in present:
            listed = ", ".join(f"`{name}`" for name in present)
            raise SampleError(f"no row of `{rows.name}` has the column `{column}`; there are: {listed}")


def _require_one_column_each(rows: LoadedRows, columns: LabelledColumns) -> None:
    """Raise where `--column` names a part of the sample, and the file has a column of that name too."""
    used = {*columns.ignored, *columns.parts.values()}
    for part, column in columns.parts.items():
        if part not in used and part in rows.columns():
            raise SampleError(
                f"`{rows.name}` has a column `{part}`, and `--column` says that `{column}` is the `{part}`; "
                f"leave one of them unread: take that option away, or `--ignore-column {part}`"
            )


def _require_explained_classes(rows: LoadedRows, columns: LabelledColumns) -> None:
    """Raise for a missing label column, and for columns without a meaning."""
    present = rows.columns()
    if columns.label not in present:
        listed = ", ".join(f"`{name}`" for name in present)
        raise SampleError(
            f"no row of `{rows.name}` has the column `{columns.label}`; there are: {listed}; `--label` names "
            "the one that holds the classes"
        )
    if unexplained := [column for column in present if column not in columns.explained()]:
        listed = ", ".join(f"`{column}`" for column in unexplained)
        raise SampleError(
            f"`{rows.name}` has columns that mean nothing to us: {listed}; name each of them with `--group` "
            "or `--ignore-column`"
        )


def _sample(row: FileRow, columns: LabelledColumns, *, is_cells: bool) -> Sample:
    values = {part: row.values[column] for part, column in columns.read().items() if column in row.values}
    try:
        return Sample.from_data(_as_cells(values, columns) if is_cells else values)
    except SpecError as error:
        raise SampleError(f"{row.where}: {error}") from error


def _as_cells(values: dict[str, Any], columns: LabelledColumns) -> dict[str, Any]:
    """The same for a column of another name as `Rows` has done for `answer` and `passages`."""
    empty = {"answer": ""} if "answer" in columns.parts else {}
    passages = values.get("passages")
    return empty | values | ({"passages": [passages]} if isinstance(passages, str) else {})


def _label_in(row: FileRow, column: str) -> bool | None:
    value = row.values.get(column)
    if value is None:
        return None
    good = label_of(value)
    if good is None:
        written = json.dumps(value, ensure_ascii=False)
        raise SampleError(f"{row.where} has the label {shortened(written)}; wanted {WORDS}")
    return good


def _class_in(row: FileRow, column: str) -> str:
    value = row.values.get(column)
    if isinstance(value, bool | int):
        return json.dumps(value)
    if value is not None and not isinstance(value, str):
        kind = type(value).__name__
        raise SampleError(f"{row.where}: the label in `{column}` must be a string; got {kind}")
    if not (value or "").strip():
        raise SampleError(f"{row.where} has no label in `{column}`; wanted the name of a class")
    return str(value).strip()


def _value(row: FileRow, column: str) -> str | None:
    """The value of a column as text; None for no value."""
    value = row.values.get(column)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        raise SampleError(f"{row.where}: `{column}` must be a string or a number; got {type(value).__name__}")
    return json.dumps(value)
