"""`sensecheck runs trend`: how each metric went from run to run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sensecheck.cli.console import Console, cut, safe, show_table, sparkline, write_json
from sensecheck.cli.options import Json, Store, option, settings_with
from sensecheck.cli.runs.select import Project, TestName, kind_meant, why_none
from sensecheck.cli.store import no_store_yet, opened_store
from sensecheck.core.errors import SpecError
from sensecheck.text.escaping import NA, interval, number, p_value, with_encoder

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.trend import TrendPoint

# ruff: noqa: PLC0415 - trends bring numpy along, which `--help` does without

_SURE = 0.05


def trend(
    context: typer.Context,
    metric: Annotated[
        list[str] | None,
        option("--metric NAME", "Show this metric run by run; all in brief unless given. Repeat for more."),
    ] = None,
    last: Annotated[
        int, option("--last N", "As many runs, counted from the latest.", default=True, min=1)
    ] = 30,
    store: Store = None,
    project: Project = None,
    test: TestName = None,
    as_json: Json = False,
) -> None:
    """Show how the metrics of a test went over its runs, each change with its chance."""
    from sensecheck.runs.shift import is_headline
    from sensecheck.runs.trend import changes_tested, trend_of

    with opened_store(store or _suites_alone(context)) as place:
        runs = _runs(place, project, test)[-last:]
        points = trend_of(place, runs, metric)
    if as_json:
        write_json([point.to_data() for point in points])
        return
    console, ordered = Console(), sorted(points, key=lambda point: not is_headline(point.metric))
    if metric:
        _show_course(console, ordered)
    else:
        _show_brief(console, ordered)
    if correction := changes_tested(points).describe(of="change"):
        console.line((correction, "dim"))


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
        command = f"sensecheck runs list{store_option(store.address)}"
        others = [(run.test.project, run.test.name) for run in store.runs() if run.done]
        if others:
            raise SpecError(f"{why_none(others, project, test)}; `{command}` shows what there is")
        raise SpecError(f"no run is stored that has begun; `{command}` shows what there is")
    for flag, names in (
        ("--project", {run.test.project for run in runs}),
        ("--test", {run.test.name for run in runs}),
    ):
        if len(names) > 1:
            raise SpecError(f"there are several; say which with `{flag}`: {', '.join(sorted(names))}")
    return sorted(runs, key=lambda run: (run.started_at, run.key))


def _show_brief(console: Console, points: "Sequence[TrendPoint]") -> None:
    """A line a metric: where it began, where it is, and its latest change."""
    courses = _courses(points)
    several = len({encoder for _, encoder in courses if encoder}) > 1
    rows = [_brief(console, course, several=several) for course in courses.values()]
    head = ("metric", "runs", "", "first", "latest", "95 %", "change", "p (Holm)")
    show_table(console, head, rows, spare=("first", "runs"))
    runs = sorted({point.run for point in points})
    console.line((f"runs {runs[0]} to {runs[-1]}; changes are those since the run before", "dim"))


def _show_course(console: Console, points: "Sequence[TrendPoint]") -> None:
    """A line a run, for each metric."""
    courses = _courses(points)
    several = len({encoder for _, encoder in courses if encoder}) > 1
    for (metric, encoder), course in courses.items():
        line = sparkline(console, [point.mean for point in course])
        console.line(
            (safe(with_encoder(metric, encoder, several=several)), "bold"), f"  {line}" if line else ""
        )
        show_table(
            console,
            ("run", "name", "began", "n", "mean", "95 %", "n/a", "change", "p (Holm)"),
            [_row(point) for point in course],
            left=3,
            spare=("name", "began"),
        )


def _courses(points: "Sequence[TrendPoint]") -> "dict[tuple[str, str], list[TrendPoint]]":
    courses: dict[tuple[str, str], list[TrendPoint]] = {}
    for point in points:
        courses.setdefault((point.metric, point.encoder), []).append(point)
    return courses


def _brief(console: Console, course: "list[TrendPoint]", *, several: bool) -> list[str | Text]:
    first, latest = course[0], course[-1]
    return [
        safe(with_encoder(latest.metric, latest.encoder, several=several)),
        str(len(course)),
        sparkline(console, [point.mean for point in course]),
        number(first.mean),
        Text(number(latest.mean), "bold"),
        interval(latest.low, latest.high),
        _change(latest),
        _p(latest),
    ]


def _row(point: "TrendPoint") -> list[str | Text]:
    return [
        str(point.run),
        cut(point.name),
        point.at[:16].replace("T", " "),
        f"{point.n:,}",
        Text(number(point.mean), "bold"),
        interval(point.low, point.high),
        f"{point.na:,}" if point.na else "",
        _change(point),
        _p(point),
    ]


def _change(point: "TrendPoint") -> Text:
    """In colour where it is more than chance, among all changes that are shown."""
    if point.previous is None:
        return Text("")
    if point.unchanged:
        return Text("unchanged", "dim")
    if point.change is None or point.adjusted is None:
        return Text(NA)
    style = ("bold green" if point.change > 0 else "bold red") if point.adjusted < _SURE else ""
    return Text(number(point.change, sign=True), style)


def _p(point: "TrendPoint") -> str:
    return "" if point.previous is None or point.unchanged else p_value(point.adjusted)
