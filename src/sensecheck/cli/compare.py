"""`sensecheck compare`: what has changed from one run to the next."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.compare_sheet import show_comparison
from sensecheck.cli.options import Json, settings_with
from sensecheck.cli.outcomes import FAILED, NOT_JUDGED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.io.atomic import whole_file

if TYPE_CHECKING:
    from sensecheck.evals.compare.comparison import Comparison

# ruff: noqa: PLC0415 - comparisons bring numpy along, which `--help` does without

EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  compared; and, with --fail-on, not worse",
        "1  worse, in the sense of --fail-on",
        "2  the command is wrong, or the runs have no test in common",
        "3  a test of the new run could not be judged, or the run was interrupted",
    )
)
_KINDS = ("regression", "significant")
_FORMS = (".json", ".md")


def compare(
    before: Annotated[
        str, typer.Argument(metavar="BEFORE", help="The earlier run: its number, `previous`, or its file.")
    ] = "previous",
    after: Annotated[
        str, typer.Argument(metavar="AFTER", help="The later run: its number, `latest`, or its file.")
    ] = "latest",
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="regression|significant",
            help="Exit with 1 when any test that passed no longer does (`regression`), or when the pass rate "
            "fell by more than chance (`significant`: p below --alpha).",
            show_default=False,
        ),
    ] = None,
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha", metavar="P", help="Below this p, a difference is more than chance; 1 - P of intervals."
        ),
    ] = 0.05,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write it to a file: .json, .md. Repeat for more."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Hold a run against an earlier one: what flipped, and whether it is more than chance."""
    from sensecheck.evals.compare.comparison import compare_runs
    from sensecheck.evals.run_file import RunFile
    from sensecheck.evals.run_folder import RunFolder

    _must_be_sensible(fail_on, output or [])
    folder = RunFolder(settings_with(None).runs_folder())
    runs = (RunFile.open(folder.find(named)) for named in (before, after))
    found = compare_runs(*runs, alpha=alpha)
    for path in output or []:
        _write(found, path)
    if as_json:
        write_json(found.to_data())
    else:
        show_comparison(Paper(), found)
        for path in output or []:
            Paper().say("written to ", (safe(str(path)), "bold"))
    raise typer.Exit(_code(found, fail_on))


def _must_be_sensible(fail_on: str | None, outputs: list[Path]) -> None:
    if fail_on is not None and fail_on not in _KINDS:
        raise SpecError(unknown("`--fail-on`", fail_on, _KINDS))
    for path in outputs:
        if path.suffix not in _FORMS:
            raise SpecError(f"`{path}` names no form of comparison by its ending; known: `.json`, `.md`")


def _write(found: "Comparison", path: Path) -> None:
    from sensecheck.evals.compare.markdown import comparison_markdown

    if path.suffix == ".md":
        text = comparison_markdown(found)
    else:
        text = json.dumps(found.to_data(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    with whole_file(path, errors="backslashreplace") as file:
        file.write(text)


def _code(found: "Comparison", fail_on: str | None) -> int:
    """An error comes first: of what could not be judged, nobody knows whether it got worse."""
    if found.errors or found.passes is None:
        return NOT_JUDGED
    worse = {"regression": found.regressed, "significant": found.significantly_worse}
    return FAILED if fail_on is not None and worse[fail_on] else PASSED
