"""How metrics went from run to run, as people read it."""

from collections.abc import Sequence

from rich.text import Text

from sensecheck.cli.console import Console, cut, safe, show_table, sparkline
from sensecheck.runs.trend import TrendPoint
from sensecheck.text.escaping import NA, interval, number, p_value, with_encoder

_SURE = 0.05
_Courses = dict[tuple[str, str], list[TrendPoint]]


def show_brief(console: Console, points: Sequence[TrendPoint]) -> None:
    """A line a metric: where it began, where it is, and its latest change."""
    courses = _courses(points)
    several = len({encoder for _, encoder in courses if encoder}) > 1
    rows = [_brief(console, course, several=several) for course in courses.values()]
    head = ("metric", "runs", "", "first", "latest", "95 %", "change", "p (Holm)")
    show_table(console, head, rows, spare=("first", "runs"))
    runs = sorted({point.run for point in points})
    console.line((f"runs {runs[0]} to {runs[-1]}; changes are those since the run before", "dim"))


def show_course(console: Console, points: Sequence[TrendPoint]) -> None:
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


def _courses(points: Sequence[TrendPoint]) -> _Courses:
    courses: _Courses = {}
    for point in points:
        courses.setdefault((point.metric, point.encoder), []).append(point)
    return courses


def _brief(console: Console, course: list[TrendPoint], *, several: bool) -> list[str | Text]:
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


def _row(point: TrendPoint) -> list[str | Text]:
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


def _change(point: TrendPoint) -> Text:
    """In colour where it is more than chance, among all changes that are shown."""
    if point.previous is None:
        return Text("")
    if point.unchanged:
        return Text("unchanged", "dim")
    if point.change is None or point.adjusted is None:
        return Text(NA)
    style = ("bold green" if point.change > 0 else "bold red") if point.adjusted < _SURE else ""
    return Text(number(point.change, sign=True), style)


def _p(point: TrendPoint) -> str:
    return "" if point.previous is None or point.unchanged else p_value(point.adjusted)
