"""`sensecheck runs`: the runs that are kept."""

from typing import TYPE_CHECKING, Any

from sensecheck.cli.options import Json, settings_with
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe

if TYPE_CHECKING:
    from sensecheck.evals.run_folder import RunFolder, State
    from sensecheck.evals.tally import Tally

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without


def runs(as_json: Json = False) -> None:
    """List the runs that are kept: their battery, how tests came out, and whether they are whole."""
    from sensecheck.evals.run_folder import RunFolder, State

    folder, paper = RunFolder(settings_with(None).runs_folder()), Paper()
    numbers = folder.numbers()
    if not numbers and not as_json:
        paper.say(f"no run is kept in {safe(str(folder.path))}; make one with `sensecheck run BATTERY`")
    for number in numbers:
        state = State.of(folder.file(number))
        tally = _tally(folder, number, state)
        if as_json:
            write_json(_told(number, state, tally))
        else:
            _show(paper, number, state, tally)


def _tally(folder: "RunFolder", number: int, state: "State") -> "Tally":
    from itertools import islice

    from sensecheck.evals.run_file import RunFile
    from sensecheck.evals.tally import Tally, tried

    tally = Tally()
    if state.header is not None:
        for one in tried(islice(RunFile(folder.file(number), state.header).results(), state.done)):
            tally.add(one)
    return tally


def _told(number: int, state: "State", tally: "Tally") -> dict[str, Any]:
    from sensecheck.cli.run_sheet import counts

    battery = None if state.header is None else state.header.battery
    return {"run": number, "battery": battery, **counts(tally), "whole": state.whole}


def _show(paper: Paper, number: int, state: "State", tally: "Tally") -> None:
    from sensecheck.cli.run_progress import counted

    header = state.header
    if header is None:
        paper.say(("interrupted before it began", "yellow"), label=(f"{number:>4}  ", "bold"))
        return
    left = "" if state.whole else f", interrupted after {state.done:,} of {header.cells:,} answers"
    tests = f"  {tally.total:,} test{'' if tally.total == 1 else 's'}: "
    paper.say(
        (safe(header.battery), "bold"),
        tests,
        counted(tally.outcomes),
        (left, "yellow"),
        label=(f"{number:>4}  ", "bold"),
    )
