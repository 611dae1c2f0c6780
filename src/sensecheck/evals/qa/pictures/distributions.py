"""How the numbers of every metric lie: a histogram each, with n/a as a bar of its own."""

from collections.abc import Iterator, Sequence

from sensecheck.calibration.svg import box, stroke, words
from sensecheck.core.errors import SpecError
from sensecheck.core.markup import Markup, tag, together
from sensecheck.evals.qa.metric_order import ordered
from sensecheck.evals.qa.pictures.grid import WIDTH, Cell, cells, height_of
from sensecheck.evals.qa.pictures.sheet import Sheet, named
from sensecheck.evals.qa.report.spreads import Spread, spreads_of
from sensecheck.store.run_reading import RunTable

TITLE = "What was read"
_NOT_READ, _APART = 30, 8
"""How wide the bar of n/a is, and how far apart; its room is kept everywhere, so that axes are alike."""


def draw_distributions(table: RunTable) -> Sheet:
    """All metrics of a run; `SpecError` where it has none."""
    spreads = spreads_of(ordered(table))
    if not spreads:
        raise SpecError(f"the run {table.run.key} has no metric; there is nothing to draw")
    drawn = (_histogram(cell, one) for cell, one in zip(cells(len(spreads)), spreads, strict=True))
    about = "; ".join(f"{name_of(spreads, one)}: {_told(one)}" for one in spreads)
    titles = (words(name_of(spreads, one), c.left, c.top - 8, "title") for c, one in _each(spreads))
    inside = together((*titles, *(mark for each in drawn for mark in each)))
    below = f"{named(table.run)}: {len(table.names):,} answers"
    return Sheet(WIDTH, height_of(len(spreads)), TITLE, below, about, inside)


def name_of(spreads: Sequence[Spread], one: Spread) -> str:
    """The metric's name, with its encoder where there are several."""
    several = sum(other.summary.metric == one.summary.metric for other in spreads) > 1
    return f"{one.summary.metric} by {one.summary.encoder}" if several else one.summary.metric


def _each(spreads: Sequence[Spread]) -> Iterator[tuple[Cell, Spread]]:
    return zip(cells(len(spreads)), spreads, strict=True)


def _told(one: Spread) -> str:
    mean = "n/a" if one.summary.mean is None else f"mean {one.summary.mean:.3f}"
    return f"{mean} of {one.summary.n:,}, {one.summary.na:,} n/a"


def _histogram(cell: Cell, one: Spread) -> Iterator[Markup]:
    most = max(*one.counts, one.summary.na, 1)
    wide = cell.width - _NOT_READ - _APART
    step = wide / len(one.counts)
    for at, count in enumerate(one.counts):
        if count:
            tall = max(count / most * cell.height, 1.5)
            yield box(cell.left + at * step + 0.7, cell.bottom - tall, step - 1.4, tall, "bar", f"{count:,}")
    yield stroke(cell.left, cell.bottom, cell.left + wide, cell.bottom, "axis")
    if one.summary.na:
        yield from _hatched(cell, max(one.summary.na / most * cell.height, 1.5), one.summary.na)
    yield from _numbers(cell, one, wide, most)


def _numbers(cell: Cell, one: Spread, wide: float, most: int) -> Iterator[Markup]:
    """What the axis says, how many the highest bar counts, and where the mean lies."""
    if one.summary.mean is not None:
        x = cell.left + (one.summary.mean - one.low) / (one.high - one.low) * wide
        points = f"{x:.1f},{cell.bottom + 1} {x + 4:.1f},{cell.bottom + 7} {x - 4:.1f},{cell.bottom + 7}"
        yield tag("polygon", points=points, class_="mark")
    yield stroke(cell.left, cell.top, cell.left + wide, cell.top, "grid")
    yield words(f"highest {most:,}", cell.left + wide, cell.top - 8, "soft", anchor="end")
    yield words(f"{one.low:g}", cell.left, cell.bottom + 20, "soft")
    yield words(f"{one.high:g}", cell.left + wide, cell.bottom + 20, "soft", anchor="end")
    yield words(_told(one), cell.left + wide / 2, cell.bottom + 20, "soft", anchor="middle")


def _hatched(cell: Cell, tall: float, count: int) -> Iterator[Markup]:
    left, right = cell.left + cell.width - _NOT_READ, cell.left + cell.width
    yield words("n/a", (left + right) / 2, cell.bottom + 20, "soft", anchor="middle")
    yield tag(
        "rect",
        x=left,
        y=cell.bottom - tall,
        width=_NOT_READ,
        height=tall,
        class_="hatch",
        fill="none",
    )
    at = 4.0
    while at < _NOT_READ + tall:
        x1, y1 = left + max(0.0, at - tall), cell.bottom - min(at, tall)
        x2, y2 = left + min(at, _NOT_READ), cell.bottom - max(0.0, at - _NOT_READ)
        yield stroke(x1, y1, x2, y2, "hatch")
        at += 5
