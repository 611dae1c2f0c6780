"""`sensecheck lint`: what is wrong with a battery, or not to be trusted, before anything is run."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import FAILED, PASSED
from sensecheck.cli.options import Json

if TYPE_CHECKING:
    from sensecheck.batteries.battery import Battery
    from sensecheck.batteries.lint import LintFinding


# ruff: noqa: PLC0415 - the parts that read a battery bring numpy along, which `--help` does without

LINT_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  nothing was found",
        "1  there is something to look at",
        "2  a battery is wrong, or cannot be read",
    )
)


def lint(
    batteries: Annotated[list[Path], typer.Argument(help="Test files.", metavar="BATTERY…")],
    labelled: Annotated[
        list[Path] | None,
        typer.Option(
            "--labelled",
            metavar="FILE",
            help="The labelled answers that a card was fitted on, if they lie elsewhere. Repeat for more.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look for tests that can never fail, lines that nobody fitted, leaks and duplicates."""
    from sensecheck.batteries.reader import read_battery
    from sensecheck.config import Settings, shelf, variables

    cards = shelf(Settings.from_environment())
    read = [read_battery(path, environment=variables(), shelf=cards) for path in batteries]
    found = [finding for battery in read for finding in _findings(battery, labelled or [])]
    if as_json:
        write_json({"findings": [finding.to_data() for finding in found]})
    else:
        _show(found, len(read))
    raise typer.Exit(FAILED if found else PASSED)


def _findings(battery: "Battery", labelled: list[Path]) -> "Iterator[LintFinding]":
    from sensecheck.batteries.lint import answers_behind
    from sensecheck.batteries.lint import lint as look_at

    answers, missing = answers_behind(battery, labelled)
    yield from missing
    yield from look_at(battery, answers)


def _show(found: "list[LintFinding]", batteries: int) -> None:
    paper = Paper()
    for finding in found:
        paper.say((safe(finding.place), "bold"), ": ", safe(finding.says), (f"  [{finding.rule}]", "dim"))
    what = "1 battery" if batteries == 1 else f"{batteries} batteries"
    if found:
        things = "1 thing" if len(found) == 1 else f"{len(found)} things"
        paper.say((f"{things} to look at", "bold yellow"), f" in {what}")
    else:
        paper.say(("nothing found", "bold green"), f" in {what}")
