"""`sensecheck history label`: what people said of the answers of a run, added later."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.history_options import Project, opened
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SampleError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.cli.rows import Row, Rows
    from sensecheck.store.labelling import Label

# ruff: noqa: PLC0415 - the store brings numpy along, which `--help` does without

_COLUMNS = ("id", "label", "value", "rater")


def label(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="The run: its number, `latest`, `previous`, its name, or its id."),
    ],
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Rows with the columns id (of the question), label (its name), value (0/1, true/false, a "
            "number) and, where there are several, rater: .csv, or one JSON object a line.",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--label",
            metavar="NAME",
            help="The name of the label, for a file without that column.",
            show_default=False,
        ),
    ] = None,
    rater: Annotated[
        str,
        typer.Option(
            "--rater",
            metavar="NAME",
            help="Who gave the labels, for a file without that column.",
            show_default=False,
        ),
    ] = "",
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Add what people said of the answers of a run; what is there already is skipped, and never changed."""
    from sensecheck.cli.rows import Rows

    with extra("store"):
        from sensecheck.store.labelling import add_labels

    given = labels_in(Rows.of(file), name, rater)
    with opened(store) as held:
        found = held.run(run, project=project)
        count = add_labels(held.engine, found, given)
    names, skipped = sorted({one.name for one in given}), len(given) - count
    if as_json:
        write_json({"run": found.key, "added": count, "skipped": skipped, "labels": names})
    else:
        there = f"; {skipped:,} {'was' if skipped == 1 else 'were'} there already" if skipped else ""
        Paper().say(f"{count:,} added to run {found.key}: {', '.join(map(safe, names))}{there}")


def labels_in(rows: "Rows", name: str | None, rater: str) -> "list[Label]":
    """The labels of a file; a column that is not known is an error, and so is one that is missing."""
    columns = rows.columns()
    for column in columns:
        if column not in _COLUMNS:
            raise SampleError(f"`{rows.name}`: {unknown('column', column, _COLUMNS)}")
    for column, given, option in (("label", name, "--label"), ("rater", rater, "--rater")):
        if column in columns and given:
            raise SampleError(f"`{rows.name}` has a column `{column}`; leave out `{option}`")
    return [_label(row, name, rater) for row in rows.rows]


def _label(row: "Row", name: str | None, rater: str) -> "Label":
    from sensecheck.evals.qa.files.values import label_in, word_in
    from sensecheck.store.labelling import Label

    held = row.values
    question = word_in(held.get("id"), row.where, "id")
    named = word_in(held.get("label", name), row.where, "label")
    value = label_in(held.get("value"), row.where, "value")
    by = word_in(held.get("rater", rater), row.where, "rater")
    if question is None or named is None or value is None:
        lacking = "id" if question is None else "value" if value is None else "label"
        hint = "; or name it with `--label`" if lacking == "label" else ""
        raise SampleError(f"{row.where} lacks the column `{lacking}`{hint}")
    return Label(question, named, value, by or "")
