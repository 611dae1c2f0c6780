"""`sensecheck history export`: an evaluation as a file, for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from sensecheck.cli.history_options import Project, RunArgument, opened
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

# ruff: noqa: PLC0415 - the store brings numpy along, which `--help` does without

_FORMS = (".jsonl", ".csv", ".parquet")


def export(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to: .jsonl, .csv or .parquet.", show_default=False
        ),
    ],
    run: RunArgument = "latest",
    readings: Annotated[
        bool,
        typer.Option(
            "--readings", metavar="", help="A row a reading, with its reason; a row an answer unless given."
        ),
    ] = False,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Write a run to a file: a row an answer, with all metrics as columns."""
    from sensecheck.cli.history_written import write_rows

    with extra("store"):
        from sensecheck.cli.history_records import READING, AnswerRows, reading_rows

    if output.suffix not in _FORMS:
        raise SpecError(f"`{output}` names no form of export by its ending; known: {_known()}")
    with opened(store) as held:
        found = held.run(run, project=project)
        if readings:
            count = write_rows(output, READING, reading_rows(held, found))
        else:
            answers = AnswerRows.of(held, found)
            count = write_rows(output, answers.columns, answers.rows())
    if as_json:
        write_json({"run": found.key, "rows": count, "file": str(output)})
    else:
        Paper().say(f"{count:,} rows written to ", (safe(str(output)), "bold"))


def _known() -> str:
    return ", ".join(f"`{form}`" for form in _FORMS)
