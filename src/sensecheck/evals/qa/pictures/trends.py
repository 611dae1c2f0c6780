"""How every metric went from run to run, with the intervals of its means."""

from collections.abc import Iterator, Sequence

from sensecheck.calibration.curves_scale import Scale
from sensecheck.calibration.svg import dot, stroke, words
from sensecheck.calibration.svg_axes import Panel
from sensecheck.core.errors import SpecError
from sensecheck.core.markup import Markup, tag, together
from sensecheck.evals.qa.pictures.grid import WIDTH, Cell, cells, height_of
from sensecheck.evals.qa.pictures.sheet import Sheet
from sensecheck.evals.qa.trend import TrendPoint

TITLE = "From run to run"
_LABELS = 34
"""How much room the numbers beside a picture want."""


def draw_trend(points: Sequence[TrendPoint], *, of: str) -> Sheet:
    """A line for each metric; `SpecError` where there is no run."""
    series = _series(points)
    if not series:
        raise SpecError("there is no run with a metric; there is no trend to draw")
    each = list(zip(cells(len(series)), series.items(), strict=True))
    titles = (words(name, cell.left, cell.top - 8, "title") for cell, (name, _) in each)
    lines = (mark for cell, (_, held) in each for mark in _line(cell, held))
    runs = sorted({point.run for point in points})
    below = f"{of}: {len(runs)} {'run' if len(runs) == 1 else 'runs'}; means with their 95% intervals"
    about = "; ".join(f"{name}: {_told(held)}" for name, held in series.items())
    return Sheet(WIDTH, height_of(len(series)), TITLE, below, about, together((*titles, *lines)))


def _series(points: Sequence[TrendPoint]) -> dict[str, list[TrendPoint]]:
    encoders: dict[str, set[str]] = {}
    for point in points:
        encoders.setdefault(point.metric, set()).add(point.encoder)
    held: dict[str, list[TrendPoint]] = {}
    for point in points:
        several = len(encoders[point.metric]) > 1
        held.setdefault(f"{point.metric} by {point.encoder}" if several else point.metric, []).append(point)
    return held


def _told(held: Sequence[TrendPoint]) -> str:
    return ", ".join(f"run {one.run} {'n/a' if one.mean is None else f'{one.mean:.3f}'}" for one in held)


def _line(cell: Cell, held: Sequence[TrendPoint]) -> Iterator[Markup]:
    """Where a run read nothing there is a gap, and `n/a` below it."""
    panel = _panel(cell, held)
    for tick in panel.upwards.ticks(4):
        yield stroke(panel.left, panel.y(tick), panel.right, panel.y(tick), "grid")
        yield words(f"{tick:.3g}", panel.left - 6, panel.y(tick) + 4, "soft", anchor="end")
    every = -(-len(held) // 8)
    for at, point in enumerate(held):
        if at % every == 0:
            label = f"{point.run}" if point.mean is not None else "n/a"
            yield words(label, panel.x(at), panel.bottom + 20, "soft", anchor="middle")
        if point.low is not None and point.high is not None:
            yield stroke(panel.x(at), panel.y(point.low), panel.x(at), panel.y(point.high), "span")
    for stretch in _stretches(held):
        places = " ".join(f"{panel.x(at):.1f},{panel.y(mean):.1f}" for at, mean in stretch)
        yield tag("polyline", points=places)
        for at, mean in stretch:
            yield dot(panel.x(at), panel.y(mean), 3.6, "point", f"run {held[at].run}: {mean:.3f}")


def _panel(cell: Cell, held: Sequence[TrendPoint]) -> Panel:
    known = [value for one in held for value in (one.mean, one.low, one.high) if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    room = max((high - low) * 0.15, 0.01)
    across = Scale(-0.4, len(held) - 0.6)
    return Panel(
        cell.left + _LABELS,
        cell.top,
        cell.width - _LABELS,
        cell.height,
        across,
        Scale(low - room, high + room),
    )


def _stretches(held: Sequence[TrendPoint]) -> Iterator[list[tuple[int, float]]]:
    """Runs beside each other that have a mean."""
    stretch: list[tuple[int, float]] = []
    for at, point in enumerate(held):
        if point.mean is not None:
            stretch.append((at, point.mean))
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch
