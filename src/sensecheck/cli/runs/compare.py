"""`sensecheck runs compare` with its earlier names, and `history encoders`.

They say what differs between two runs, or two encoders of a run, and whether it is significant.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import FAILED, NOT_JUDGED, PASSED
from sensecheck.cli.options import Json, Store, argument, option
from sensecheck.cli.runs.select import (
    Alpha,
    FoundRun,
    Memory,
    Project,
    RunArgument,
    Threads,
    find_run,
    kind_meant,
    limits_of,
)
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.io.atomic import whole_file

if TYPE_CHECKING:
    from sensecheck.runs.comparison_result import Comparison, FailOn
    from sensecheck.runs.run_list import RunKind

# ruff: noqa: PLC0415 - comparisons bring numpy, and large runs DuckDB and Arrow along, which `--help` does without

_FORMS = (".json", ".md", ".html")
_RUN = "its number, `latest`, `previous`, its name, its file, folder or URL"


def compare_runs(
    context: typer.Context,
    runs: Annotated[
        list[str] | None,
        argument(
            "BEFORE AFTER [RUN…]",
            f"The earlier run, and the later one: {_RUN}; `previous latest` unless given. Three or more "
            "make a leaderboard, in which each is compared with the first.",
        ),
    ] = None,
    metric: Annotated[
        str | None, option("--metric NAME", "Show the slices and the items that moved most by this metric.")
    ] = None,
    by: Annotated[
        list[str] | None,
        option(
            "--by NAME",
            "Also for each value of this slice, or column of a large run. Repeat for more; all slices unless "
            "given, and no columns.",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        option(
            "--fail-on regression|significant|worse",
            "Exit with 1, whatever could not be judged, when any item that passed no longer does "
            "(`regression`); when what decides first fell significantly (`significant`): labels of people, "
            "else checks, else headline metrics; or when any label or metric fell significantly on 20 items "
            "or more (`worse`).",
        ),
    ] = None,
    alpha: Alpha = 0.05,
    key: Annotated[
        str | None,
        option(
            "--key COLUMN",
            "Pair the rows of large runs by this column; by their id, or by their place in the same inputs, "
            "unless given.",
        ),
    ] = None,
    question: Annotated[
        list[str] | None,
        option(
            "--question ID",
            "Show the answers of both runs to this question side by side instead. Repeat for more.",
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        option("--output -o FILE", "Write it to a file: .json, .md, .html. Repeat for more."),
    ] = None,
    store: Store = None,
    project: Project = None,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Compare a run with an earlier one: labels, metrics, slices, what flipped, and what moved most."""
    from sensecheck.cli.runs.compare_view import show_answers, show_comparison, show_leaderboard
    from sensecheck.runs.comparison import compare
    from sensecheck.runs.leaderboard import leaderboard, side_by_side

    gate, outputs, kind = _gate(fail_on), output or [], kind_meant(context)
    for path in outputs:
        if path.suffix not in _FORMS:
            forms = ", ".join(f"`{form}`" for form in _FORMS)
            raise SpecError(f"`{path}` names no form of comparison by its ending; known: {forms}")
    before, after, *others = [*(runs or ["previous"]), *(["latest"] if len(runs or []) < 2 else [])]
    if others:
        with ExitStack() as places:
            every = [
                places.enter_context(find_run(run, store, project, kind=kind))
                for run in (before, after, *others)
            ]
            ranking = leaderboard(every, metric=metric, alpha=alpha)
        if as_json:
            write_json(ranking.to_data())
        else:
            show_leaderboard(Console(), ranking)
        return
    with _both_runs(before, after, kind, store, project) as (old, new):
        if question:
            pairs = list(side_by_side(old, new, question))
            if as_json:
                write_json([pair.to_data() for pair in pairs])
            else:
                show_answers(Console(), pairs)
            return
        limits = limits_of(memory, threads) if old.kind == new.kind == "large" else None
        comparison = compare(old, new, alpha=alpha, metric=metric, by=by or None, key=key, limits=limits)
    for path in outputs:
        _write(comparison, path)
    if as_json:
        write_json(comparison.to_data())
    else:
        show_comparison(Console(), comparison)
        for path in outputs:
            Console().line("written to ", (safe(str(path)), "bold"))
    raise typer.Exit(_exit_code(comparison, gate))


def encoders(
    context: typer.Context,
    run: RunArgument = "latest",
    metric: Annotated[
        str, option("--metric NAME", "The metric that they are compared by.", default=True)
    ] = "semantic_similarity",
    alpha: Alpha = 0.05,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Compare the encoders of one run: how far they agree, and where they do not."""
    from sensecheck.cli.runs.compare_view import show_encoders
    from sensecheck.runs.encoders import compare_encoders

    with find_run(run, store, project, kind=kind_meant(context)) as found_run:
        compared = compare_encoders(found_run.place.table(found_run.run), metric, alpha=alpha)
    if as_json:
        write_json([pair.to_data() for pair in compared])
    else:
        show_encoders(Console(), compared)


def _gate(fail_on: str | None) -> "FailOn | None":
    from sensecheck.runs.comparison_result import FAIL_ON

    for choice in FAIL_ON:
        if fail_on == choice:
            return choice
    if fail_on is not None:
        raise SpecError(did_you_mean("`--fail-on`", fail_on, FAIL_ON))
    return None


@contextmanager
def _both_runs(
    before: str, after: str, kind: "RunKind | None", store: str | None, project: str | None
) -> "Iterator[tuple[FoundRun, FoundRun]]":
    """The two runs; `previous` is that of the place of the later run, where both have one."""
    with ExitStack() as places:
        old = places.enter_context(find_run(before, store, project, kind=kind))
        new = places.enter_context(find_run(after, store, project, kind=kind))
        if old.kind != new.kind and before in ("latest", "previous"):
            old = FoundRun(new.place, new.place.run(before, project=project))
        yield old, new


def _exit_code(comparison: "Comparison", gate: "FailOn | None") -> int:
    """The exit code: 1 where the gate found something, whatever is missing; the last line explains a 3."""
    failed = gate is not None and comparison.fails(gate)
    missing = comparison.not_known if gate == "worse" else comparison.not_judged
    console = Console(stderr=True)
    for reason in missing:
        console.line(safe(reason), label=("not judged: ", "bold magenta"))
    if failed or not missing:
        return FAILED if failed else PASSED
    console.line(f"exit code {NOT_JUDGED}: {safe(missing[0])}" + (", and more" if len(missing) > 1 else ""))
    return NOT_JUDGED


def _write(comparison: "Comparison", path: Path) -> None:
    from sensecheck.runs.comparison_text import comparison_html, comparison_markdown

    if path.suffix == ".json":
        text = json.dumps(comparison.to_data(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    else:
        text = comparison_markdown(comparison) if path.suffix == ".md" else comparison_html(comparison)
    with whole_file(path, errors="backslashreplace") as file:
        file.write(text)
