"""`sensecheck compare`, `history compare`, `history encoders` and `results compare`.

They say what differs between two runs, or two encoders of a run, and whether it is more than chance.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import FAILED, NOT_JUDGED, PASSED
from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.cli.runs.select import (
    Alpha,
    By,
    Memory,
    Project,
    RunArgument,
    Threads,
    limits_of,
    opened_results,
)
from sensecheck.cli.store import opened_store
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import unknown
from sensecheck.io.atomic import whole_file

if TYPE_CHECKING:
    from sensecheck.runs.comparison import BatteryComparison

# ruff: noqa: PLC0415 - comparisons bring numpy, and results DuckDB and Arrow along, which `--help` does without

COMPARE_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  compared; and, with --fail-on, not worse",
        "1  worse, in the sense of --fail-on",
        "2  the command is wrong, or the runs have no test in common",
        "3  a test of the new run could not be judged, or the run was interrupted",
    )
)
HISTORY_COMPARE_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  compared; and, with --fail-on worse, neither a label nor a metric fell by more than chance",
        "1  a label or a metric fell by more than chance, under --fail-on worse",
        "2  the command is wrong, or the runs have nothing in common",
        "3  under --fail-on worse: nothing fell, but what there was before is not there now (a metric, a "
        "question, a number), or AFTER is not whole",
    )
)
RESULTS_COMPARE_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  compared; and, with --fail-on worse, no metric and no check fell by more than chance",
        "1  a metric or a check fell by more than chance, under --fail-on worse",
        "2  the command is wrong, or the runs have nothing in common",
        "3  under --fail-on worse: nothing fell, but what there was before is not there now (a metric, a "
        "row, a number)",
    )
)
WORSE = "worse"
_FAIL_ON = ("regression", "significant")
_FORMS = (".json", ".md")


def compare_batteries(
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
    from sensecheck.cli.runs.compare_view import show_battery_comparison
    from sensecheck.runs.comparison import compare_runs
    from sensecheck.runs.jsonl import RunFile, RunFolder

    _must_be_possible(fail_on, output or [])
    folder = RunFolder(settings_with(None).runs_folder())
    runs = (RunFile.open(folder.find(named)) for named in (before, after))
    found = compare_runs(*runs, alpha=alpha)
    for path in output or []:
        _write(found, path)
    if as_json:
        write_json(found.to_data())
    else:
        show_battery_comparison(Paper(), found)
        for path in output or []:
            Paper().say("written to ", (safe(str(path)), "bold"))
    raise typer.Exit(_battery_exit_code(found, fail_on))


def compare_evaluations(
    before: Annotated[
        str, typer.Argument(metavar="BEFORE", help="The earlier run: its number, `previous`, or its id.")
    ] = "previous",
    after: Annotated[
        str, typer.Argument(metavar="AFTER", help="The later run: its number, `latest`, or its id.")
    ] = "latest",
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show the questions that moved most by this metric.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar=WORSE,
            help="Exit with 1 when a label or a metric fell by more than chance.",
            show_default=False,
        ),
    ] = None,
    alpha: Alpha = 0.05,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Hold a run against an earlier one: every metric, every slice, and the questions that moved."""
    with extra("store"):
        from sensecheck.runs.comparison import compare_evaluations as compare_runs

    _must_be_worse_or_none(fail_on)
    with opened_store(store) as evaluations:
        old, new = (evaluations.run(named, project=project) for named in (before, after))
        found = compare_runs(evaluations, old, new, alpha=alpha, metric=metric)
    if as_json:
        write_json(found.to_data())
    else:
        from sensecheck.cli.runs.compare_view import show_evaluation_comparison

        show_evaluation_comparison(Paper(), found)
    raise typer.Exit(_exit_code(found, fail_on))


def compare_large_runs(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The earlier run: its folder or URL.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The later run: its folder or URL.")],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="COLUMN",
            help="Rows with the same value here are pairs; by their id, or by their place in the same "
            "inputs, unless given.",
            show_default=False,
        ),
    ] = None,
    by: By = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show the rows that moved most by this metric.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar=WORSE,
            help="Exit with 1 when a metric or a check fell by more than chance.",
            show_default=False,
        ),
    ] = None,
    alpha: Alpha = 0.05,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Hold a run against an earlier one: every metric and check, every slice, and the rows that moved."""
    _must_be_worse_or_none(fail_on)
    old, new, limits = opened_results(before), opened_results(after), limits_of(memory, threads)
    with extra("scale"):
        from sensecheck.runs.comparison_large import compare_results

    found = compare_results(old, new, key=key, by=by or (), metric=metric, alpha=alpha, limits=limits)
    if as_json:
        write_json(found.to_data())
    else:
        from sensecheck.cli.runs.compare_view import show_large_comparison

        show_large_comparison(Paper(), found)
    raise typer.Exit(_exit_code(found, fail_on))


def encoders(
    run: RunArgument = "latest",
    metric: Annotated[
        str, typer.Option("--metric", metavar="NAME", help="The metric that they are compared by.")
    ] = "semantic_similarity",
    alpha: Alpha = 0.05,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Hold the encoders of one run against each other: how far they agree, and where they do not."""
    with extra("store"):
        from sensecheck.runs.encoders import compare_encoders

    with opened_store(store) as evaluations:
        found = compare_encoders(
            evaluations.table(evaluations.run(run, project=project)), metric, alpha=alpha
        )
    if as_json:
        write_json([one.to_data() for one in found])
        return
    from sensecheck.cli.runs.compare_view import show_encoders

    show_encoders(Paper(), found)


class ComparedRuns(Protocol):
    """Two runs, held against each other."""

    @property
    def worse(self) -> Sequence[object]:
        """What fell by more than chance."""
        ...

    @property
    def not_known(self) -> Sequence[str]:
        """Why nobody knows whether it got worse, in words."""
        ...


def _must_be_possible(fail_on: str | None, outputs: list[Path]) -> None:
    if fail_on is not None and fail_on not in _FAIL_ON:
        raise SpecError(unknown("`--fail-on`", fail_on, _FAIL_ON))
    for path in outputs:
        if path.suffix not in _FORMS:
            raise SpecError(f"`{path}` names no form of comparison by its ending; known: `.json`, `.md`")


def _must_be_worse_or_none(fail_on: str | None) -> None:
    """Raise for anything but `worse`, or nothing."""
    if fail_on not in (None, WORSE):
        raise SpecError(unknown("`--fail-on`", fail_on, [WORSE]))


def _battery_exit_code(found: "BatteryComparison", fail_on: str | None) -> int:
    """An error comes first: of what could not be judged, nobody knows whether it got worse."""
    if found.errors or found.passes is None:
        return NOT_JUDGED
    worse = {"regression": found.regressed, "significant": found.significantly_worse}
    return FAILED if fail_on is not None and worse[fail_on] else PASSED


def _exit_code(found: ComparedRuns, fail_on: str | None) -> int:
    """The exit code. A fall is one whatever else is missing; without any, nobody knows of what is gone."""
    if fail_on is None:
        return PASSED
    for reason in found.not_known:
        Paper(stderr=True).say(safe(reason), label=("not judged: ", "bold magenta"))
    if found.worse:
        return FAILED
    return NOT_JUDGED if found.not_known else PASSED


def _write(found: "BatteryComparison", path: Path) -> None:
    from sensecheck.runs.comparison_text import comparison_markdown

    if path.suffix == ".md":
        text = comparison_markdown(found)
    else:
        text = json.dumps(found.to_data(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    with whole_file(path, errors="backslashreplace") as file:
        file.write(text)
