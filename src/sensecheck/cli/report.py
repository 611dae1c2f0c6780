"""`sensecheck report`: a run that is kept, in another form."""

from pathlib import Path
from typing import Annotated

import typer

from sensecheck.cli.options import Json, settings_with
from sensecheck.cli.outcomes import NOT_JUDGED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Its number, `latest`, `previous`, or its file.")],
    output: Annotated[
        list[Path],
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to, and by its ending in which form: .html, .xml (JUnit), .json, .jsonl, .csv, .md, "
            ".promptfoo.json. Repeat for more.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Write reports of a run that is kept; nothing is asked and nothing is judged again."""
    from sensecheck.evals.reports.writing import suffix_of, write_report
    from sensecheck.evals.run_file import RunFile
    from sensecheck.evals.run_folder import RunFolder, State

    for path in output:
        suffix_of(path)
    found = RunFile.open(RunFolder(settings_with(None).runs_folder()).find(run))
    for path in output:
        write_report(found, path)
        if not as_json:
            Paper().say("written to ", (safe(str(path)), "bold"))
    state = State.of(found.path)
    if as_json:
        told = {"run": str(found.path), "written": [str(path) for path in output], "whole": state.whole}
        write_json(told)
    elif not state.whole:
        about = (
            f"interrupted after {state.done:,} of {found.header.cells:,} answers; the reports hold no more"
        )
        Paper().say(("note: ", "bold yellow"), f"the run was {about}")
    raise typer.Exit(PASSED if state.whole else NOT_JUDGED)
