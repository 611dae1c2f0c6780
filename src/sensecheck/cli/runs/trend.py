"""`sensecheck runs trend`: how each metric went from run to run."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, write_json
from sensecheck.cli.options import Json, Store, option, settings_with
from sensecheck.cli.runs.select import Project, TestName, kind_meant
from sensecheck.cli.store import no_store_yet, opened_store
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.pairing import QuestionWordings
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.trend import TrendPoint

# ruff: noqa: PLC0415 - trends bring numpy along, which `--help` does without


def trend(
    context: typer.Context,
    metric: Annotated[
        list[str] | None,
        option(
            "--metric", "Show this metric run by run; all in brief unless given. Repeat for more.", "NAME"
        ),
    ] = None,
    last: Annotated[
        int, option("--last", "As many runs, counted from the latest.", "N", default=True, min=1)
    ] = 30,
    store: Store = None,
    project: Project = None,
    test: TestName = None,
    as_json: Json = False,
) -> None:
    """Show how the metrics of a test went over its runs, each change with its chance."""
    with opened_store(store or _suites_alone(context)) as place:
        runs = _runs(place, project, test)[-last:]
        points = trend_of(place, runs, metric)
    if as_json:
        write_json([point.to_data() for point in points])
        return
    _show(Console(), points, in_full=bool(metric))


def trend_of(store: "RunPlace", runs: "list[Run]", metrics: list[str] | None) -> "tuple[TrendPoint, ...]":
    """The trend over these runs; where their sets differ, questions are matched by their words too."""
    from sensecheck.runs.trend import trend as points_of

    tables = (store.table(run) for run in runs)
    one_set = len({run.set.key for run in runs}) == 1
    return points_of(tables, metrics=metrics, asked=None if one_set else list(_wordings(store, runs)))


def _show(console: Console, points: "Sequence[TrendPoint]", *, in_full: bool) -> None:
    """The trend, headline metrics first, and below it over how many changes p was corrected."""
    from sensecheck.cli.runs.trend_view import show_brief, show_course
    from sensecheck.runs.shift import is_headline
    from sensecheck.runs.trend import changes_tested

    shown = sorted(points, key=lambda point: not is_headline(point.metric))
    (show_course if in_full else show_brief)(console, shown)
    if correction := changes_tested(points).describe(of="change"):
        console.line((correction, "dim"))


def _wordings(store: "RunPlace", runs: "list[Run]") -> "Iterator[QuestionWordings]":
    from sensecheck.runs.pairing import QuestionWordings

    known: dict[int, QuestionWordings] = {}
    for run in runs:
        if run.set.key not in known:
            known[run.set.key] = QuestionWordings.in_run(store, run)
        yield known[run.set.key]


def _suites_alone(context: typer.Context) -> str | None:
    """The runs of suites, where there is no store yet."""
    from sensecheck.runs.jsonl import RunFolder

    if kind_meant(context) is not None or not no_store_yet():
        return None
    folder = settings_with(None).runs_folder()
    return f"suites:{folder}" if RunFolder(folder).numbers() else None


def _runs(store: "RunPlace", project: str | None, test: str | None) -> "list[Run]":
    """The runs of one test: those of several are no trend."""
    from sensecheck.store.address import store_option

    runs = [run for run in store.runs(project=project, test=test) if run.done]
    if not runs:
        listed = f"sensecheck runs list{store_option(store.address)}"
        raise SpecError(f"no run is stored that has begun; `{listed}` shows what there is")
    for flag, names in (
        ("--project", {run.test.project for run in runs}),
        ("--test", {run.test.name for run in runs}),
    ):
        if len(names) > 1:
            raise SpecError(f"there are several; say which with `{flag}`: {', '.join(sorted(names))}")
    return sorted(runs, key=lambda run: (run.started_at, run.key))
