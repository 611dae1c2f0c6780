"""`sensecheck lint`: what is wrong with a battery, or not to be trusted, before anything is run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import FAILED, PASSED
from sensecheck.cli.options import Json, option

if TYPE_CHECKING:
    from sensecheck.batteries.lint import LintFinding


def lint(
    batteries: Annotated[list[Path], typer.Argument(help="Test files.", metavar="BATTERY…")],
    labelled: Annotated[
        list[Path] | None,
        option(
            "--labelled",
            "The labelled answers that a card was fitted on, if they lie elsewhere. Repeat for more.",
            "FILE",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look for tests that can never fail, thresholds that were not fitted, leaks and duplicates."""
    from sensecheck.batteries.lint import lint_battery  # noqa: PLC0415 - `--help` does without numpy

    found = [finding for path in batteries for finding in lint_battery(path, labelled=labelled or ())]
    if as_json:
        write_json({"findings": [finding.to_data() for finding in found]})
    else:
        _show(found, len(batteries))
    raise typer.Exit(FAILED if found else PASSED)


def _show(found: "list[LintFinding]", batteries: int) -> None:
    console = Console()
    for finding in found:
        console.line((safe(finding.place), "bold"), ": ", safe(finding.says), (f"  [{finding.rule}]", "dim"))
    what = "1 battery" if batteries == 1 else f"{batteries} batteries"
    if found:
        things = "1 thing" if len(found) == 1 else f"{len(found)} things"
        console.line((f"{things} to look at", "bold yellow"), f" in {what}")
    else:
        console.line(("nothing found", "bold green"), f" in {what}")
