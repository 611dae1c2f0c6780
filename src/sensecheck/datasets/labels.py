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
            named = (*alone, *shared)
            for column in named:
                if named.count(column) > 1:
                    raise SpecError(f"the column `{column}` was named for two things")

    def explained(self) -> set[str]:
        """Every column of which it is known what it means."""
        others = (*filter(None, [self.group]), *self.slices, *self.ignored, *self.parts.values())
        return {*_SAMPLE, self.label, *others}

    def read(self) -> dict[str, str]:
        """By part of the sample, the column that it is read from; a column is read as one part."""
        taken = {*self.ignored, *self.parts.values()}
        return {part: part for part in _SAMPLE if part not in taken} | dict(self.parts)


def sample_columns(pairs: Iterable[str]) -> dict[str, str]:
    """By part of the sample, the column that `PART=COLUMN` names for it."""
    return named_columns(pairs, _SAMPLE, of="sample")


def labelled(rows: LoadedRows, columns: LabelledColumns, *, require_label: bool) -> "list[LabelledSample]":
    """Each row as a sample with its label; where none must have one, some may be without."""
    _require_explained(rows, columns, require_label=require_label)
    return list(_each(rows, columns, require_label=require_label))


def examples_in(rows: LoadedRows, columns: LabelledColumns) -> "list[Example]":
    """Each row as a sample with the name of its class."""
    from sensecheck.checks.train import Example

    _classes_must_be_explained(rows, columns)
    labels = [_classed(row, columns.label) for row in rows.rows]
    samples = labelled(_without_labels(rows, columns.label), columns, require_label=False)
    return [
        Example(read.sample, label, group=read.group) for read, label in zip(samples, labels, strict=True)
    ]


def label_of(found: object) -> bool | None:
    """Which label this is, in whatever case it is written; None for what is none of `WORDS`."""
    word = str(int(found) if isinstance(found, float) and found.is_integer() else found)
    return _LABELS.get(word.strip().casefold())


def _each(rows: LoadedRows, columns: LabelledColumns, *, require_label: bool) -> "Iterator[LabelledSample]":
    from sensecheck.checks.calibrate import LabelledSample

    met: dict[str, str] = {}
    for row in rows.rows:
        good = _labelled(row, columns.label)
        if good is None and require_label:
            raise SampleError(f"{row.where} has no label in `{columns.label}`; wanted {WORDS}")
        group = None if columns.group is None else _value(row, columns.group)
        values = {column: _value(row, column) for column in columns.slices}
        slices = {column: value for column, value in values.items() if value is not None}
        sample = _sample(row, columns, is_cells=bool(rows.header))
        if sample.id is not None and met.setdefault(sample.id, row.where) is not row.where:
            unread = "`--ignore-column id`" if "id" not in columns.parts else "name no column for the `id`"
            raise SampleError(
                f"{row.where} has the `id` of {met[sample.id]}; leave one of them out, or {unread}"
            )
        yield LabelledSample(sample, good, group, slices)


def _require_explained(rows: LoadedRows, columns: LabelledColumns, *, require_label: bool) -> None:
    """Raise for columns that were not named, all at once, and for named ones that are not there."""
    found = rows.columns()
    strange = [column for column in found if column not in columns.explained()]
    lost = columns.label not in found and require_label
    if strange:
        listed = ", ".join(f"`{column}`" for column in strange)
        hint = f", or `--label` the one that holds the labels: there is no `{columns.label}`" if lost else ""
        raise SampleError(
            f"`{rows.name}` has columns that mean nothing to us: {listed}; name each of them with "
            f"`--group`, `--slice`, `--ignore-column` or, as a part of the "
            f"sample, `--column question={strange[0]}`{hint}"
        )
    _require_one_column_each(rows, columns)
    wanted = [
        *filter(None, [columns.group]),
        *columns.slices,
        *(c for c in columns.parts.values() if c not in rows.header),
        *(c for c in columns.ignored if c not in rows.header),
    ]
    for column in [*wanted, columns.label] if lost or columns.label != _LABEL else wanted:
        if column not in found:
            listed = ", ".join(f"`{name}`" for name in found)
            raise SampleError(f"no row of `{rows.name}` has the column `{column}`; there are: {listed}")


def _require_one_column_each(rows: LoadedRows, columns: LabelledColumns) -> None:
    """Raise where a part of the sample was given a column, and the file has one of its own name too."""
    taken = {*columns.ignored, *columns.parts.values()}
    for part, column in columns.parts.items():
        if part not in taken and part in rows.columns():
            raise SampleError(
                f"`{rows.name}` has a column `{part}`, and `--column` says that `{column}` is the `{part}`; "
                f"leave one of them unread: take that option away, or `--ignore-column {part}`"
            )


def _classes_must_be_explained(rows: LoadedRows, columns: LabelledColumns) -> None:
    """Raise for a label that is not there, and for columns that were not named."""
    found = rows.columns()
    if columns.label not in found:
        listed = ", ".join(f"`{name}`" for name in found)
        raise SampleError(
            f"no row of `{rows.name}` has the column `{columns.label}`; there are: {listed}; `--label` names "
            "the one that holds the classes"
        )
    if strange := [column for column in found if column not in columns.explained()]:
        listed = ", ".join(f"`{column}`" for column in strange)
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
    one = values.get("passages")
    return empty | values | ({"passages": [one]} if isinstance(one, str) else {})


def _labelled(row: FileRow, column: str) -> bool | None:
    found = row.values.get(column)
    if found is None:
        return None
    good = label_of(found)
    if good is None:
        raise SampleError(f"{row.where} has the label {_short(found)}; wanted {WORDS}")
    return good


def _classed(row: FileRow, column: str) -> str:
    found = row.values.get(column)
    if isinstance(found, bool | int):
        return json.dumps(found)
    if found is not None and not isinstance(found, str):
        kind = type(found).__name__
        raise SampleError(f"{row.where}: the label in `{column}` must be a string; got {kind}")
    if not (found or "").strip():
        raise SampleError(f"{row.where} has no label in `{column}`; wanted the name of a class")
    return str(found).strip()


def _without_labels(rows: LoadedRows, column: str) -> LoadedRows:
    """The same rows, of which no one says whether they are good."""
    return replace(rows, rows=tuple(row._replace(values={**row.values, column: None}) for row in rows.rows))


def _value(row: FileRow, column: str) -> str | None:
    """What a column holds, as text; None for nothing."""
    found = row.values.get(column)
    if found is None or isinstance(found, str):
        return found
    if isinstance(found, dict | list):
        raise SampleError(f"{row.where}: `{column}` must be a string or a number; got {type(found).__name__}")
    return json.dumps(found)


def _short(found: Any) -> str:
    text = json.dumps(found, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}…`"
