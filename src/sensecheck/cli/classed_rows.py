"""Answers that somebody has sorted into classes, from a file; the label is any text."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from sensecheck.cli.labelled_rows import Columns, labelled
from sensecheck.cli.rows import Row, Rows
from sensecheck.core.errors import SampleError

if TYPE_CHECKING:
    from sensecheck.checks.train import Example

# ruff: noqa: PLC0415 - what trains brings numpy along, which `--help` does without


def examples_in(rows: Rows, columns: Columns) -> "list[Example]":
    """Each row as a sample with the name of its class."""
    from sensecheck.checks.train import Example

    _must_be_explained(rows, columns)
    labels = [_label(row, columns.label) for row in rows.rows]
    samples = labelled(_without_labels(rows, columns.label), columns, must_be_labelled=False)
    return [
        Example(read.sample, label, group=read.group) for read, label in zip(samples, labels, strict=True)
    ]


def _must_be_explained(rows: Rows, columns: Columns) -> None:
    """Raise for a label that is not there, and for columns that nobody named."""
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
            "or `--ignore`"
        )


def _label(row: Row, column: str) -> str:
    found = row.values.get(column)
    if isinstance(found, bool | int):
        return json.dumps(found)
    if found is not None and not isinstance(found, str):
        kind = type(found).__name__
        raise SampleError(f"{row.where}: the label in `{column}` wants a text; found {kind}")
    if not (found or "").strip():
        raise SampleError(f"{row.where} has no label in `{column}`; wanted the name of a class")
    return str(found).strip()


def _without_labels(rows: Rows, column: str) -> Rows:
    """The same rows, of which nobody says whether they are good."""
    return replace(rows, rows=tuple(replace(row, values={**row.values, column: None}) for row in rows.rows))
