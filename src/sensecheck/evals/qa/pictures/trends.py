"""How every metric went from run to run, with the intervals of its means."""

from collections.abc import Iterator, Sequence

from sensecheck.calibration.curves_scale import SHARES, Scale
from sensecheck.calibration.svg import dot, stroke, words
from sensecheck.calibration.svg_axes import Panel
from sensecheck.core.errors import SpecError
from sensecheck.core.markup import Markup, tag, together
from sensecheck.evals.qa.pictures.grid import WIDTH, Cell, cells, height_of
from sensecheck.evals.qa.pictures.sheet import Sheet
from sensecheck.evals.qa.trend import TrendPoint

TITLE = "From run to run"
_LABELS, _TICKS = 34, 5
"""How much room the numbers beside a picture want, and how many there are at most."""
_LETTER, _LEAST = 6.6, 4
"""How wide a letter is, and of how few of them no name can be made."""


def draw_trend(points: Sequence[TrendPoint], *, of: str) -> Sheet:
    """A line for each metric; `SpecError` where there is no run."""
    series = _series(points)
    if not series:
        raise SpecError("there is no run with a metric; there is no trend to draw")
    each = list(zip(cells(len(series)), series.items(), strict=True))
    titles = (words(name, cell.left, cell.top - 12, "title") for cell, (name, _) in each)
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
    """Where a run read nothing there is a gap, and `n/a` in it."""
    panel = _panel(cell, held)
    yield from _ground(panel, held)
    for stretch in _stretches(held):
        yield from _reach(panel, [held[at] for at, _ in stretch], stretch[0][0])
        places = " ".join(f"{panel.x(at):.1f},{panel.y(mean):.1f}" for at, mean in stretch)
        yield tag("polyline", points=places)
        for at, mean in stretch:
            yield dot(panel.x(at), panel.y(mean), 3.2, "point", f"run {held[at].run}: {mean:.3f}")


def _ground(panel: Panel, held: Sequence[TrendPoint]) -> Iterator[Markup]:
    for tick in panel.upwards.ticks(_TICKS):
        yield stroke(panel.left, panel.y(tick), panel.right, panel.y(tick), "grid")
        yield words(f"{tick:.3g}", panel.left - 6, panel.y(tick) + 4, "soft", anchor="end")
    every = -(-len(held) // 8)
    room = int(panel.width / len(held) * every / _LETTER)
    for at, point in enumerate(held):
        if at % every == 0:
            yield words(_short(point, room), panel.x(at), panel.bottom + 20, "soft", anchor="middle")
        if point.mean is None:
            yield words("n/a", panel.x(at), panel.bottom - 6, "soft", anchor="middle")


def _short(point: TrendPoint, room: int) -> str:
    """What a run is called, as far as there is room for it; its number, where there is none."""
    if not point.name or room < _LEAST:
        return str(point.run)
    return point.name if len(point.name) <= room else point.name[: room - 1] + "…"


def _reach(panel: Panel, held: Sequence[TrendPoint], first: int) -> Iterator[Markup]:
    """The intervals of runs beside each other: a stroke each, and what lies between them."""
    spans = [(first + at, one.low, one.high) for at, one in enumerate(held)]
    known = [(panel.x(at), low, high) for at, low, high in spans if low is not None and high is not None]
    upper = [f"{x:.1f},{panel.y(high):.1f}" for x, _, high in known]
    lower = [f"{x:.1f},{panel.y(low):.1f}" for x, low, _ in known]
    if len(known) > 1:
        yield tag("polygon", points=" ".join((*upper, *reversed(lower))), class_="area")
    for x, low, high in known:
        yield stroke(x, panel.y(low), x, panel.y(high), "span")


def _panel(cell: Cell, held: Sequence[TrendPoint]) -> Panel:
    """From 0 to 1 in every picture, so that they can be held against each other."""
    known = [value for one in held for value in (one.mean, one.low, one.high) if value is not None]
    upwards = Scale(min(0.0, *known), max(1.0, *known)) if known else SHARES
    return Panel(
        cell.left + _LABELS,
        cell.top,
        cell.width - _LABELS,
        cell.height,
        Scale(-0.5, len(held) - 0.5),
        upwards,
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
