"""Meaning against words: every answer as a mark in one of four fields."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from sensecheck.calibration.svg import box, stroke, words
from sensecheck.calibration.svg_axes import Panel
from sensecheck.core.errors import SpecError
from sensecheck.core.markup import Markup, tag, together
from sensecheck.evals.qa.pictures.sheet import EDGE, TOP, Sheet, named, notes
from sensecheck.evals.qa.report.axes import Axes
from sensecheck.evals.qa.report.chosen import MOST, chosen
from sensecheck.evals.qa.report.kinds import (
    BAD,
    CHANGED,
    CLOSE,
    GOOD,
    KINDS,
    NOT_READ,
    PARAPHRASE,
    Kinds,
    kinds_of,
)
from sensecheck.store.run_reading import RunTable

TITLE = "Meaning against words"
_WIDTH, _HEIGHT = 760, 848
_PANEL = Panel(82, TOP + 36, _WIDTH - 82 - EDGE, 500)
_CLASSES = {GOOD: "good", PARAPHRASE: "paraphrase", CLOSE: "close", CHANGED: "changed", BAD: "bad"}
_CORNERS = {
    PARAPHRASE: ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    CLOSE: ((0, 1.25), (1.15, -0.85), (-1.15, -0.85)),
    CHANGED: ((0, -1.25), (1.15, 0.85), (-1.15, 0.85)),
    BAD: ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
}
"""Of every mark but the circle."""
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

Place = tuple[int, bool, float, float]
"""The kind, whether a fact differs, and where on the picture."""


def draw_quadrant(table: RunTable) -> Sheet:
    """The picture of a run; `SpecError` where it has not two metrics to hold against each other."""
    axes = Axes.of(table)
    if axes is None:
        raise SpecError(
            f"the run {table.run.key} has {len(table.metrics)} metrics; a quadrant wants one of meaning and "
            "one of words, such as `semantic_similarity` and `lexical_aggregate`"
        )
    kinds = kinds_of(table, axes)
    counts = [int((kinds == kind).sum()) for kind in range(len(KINDS))]
    marks = _marks(_places(table, axes, kinds))
    inside = together((*_ground(table, axes), *marks, *_names(), *_legend(counts, axes)))
    told = ", ".join(f"{count} {name}" for count, name in zip(counts, KINDS, strict=True))
    about = f"{_label(table, axes.across)} across, {_label(table, axes.upwards)} upwards: {told}."
    return Sheet(_WIDTH, _HEIGHT, TITLE, f"{named(table.run)}: {_drawn(table, counts)}", about, inside)


def _drawn(table: RunTable, counts: list[int]) -> str:
    total = len(table.names)
    read = f"{total:,} answers" if total <= MOST else f"{MOST:,} of {total:,} answers are drawn"
    return f"{read}, {counts[NOT_READ]:,} n/a" if counts[NOT_READ] else read


def _label(table: RunTable, at: int) -> str:
    return table.metrics[at].name


def _places(table: RunTable, axes: Axes, every: Kinds) -> Counter[Place]:
    """How many answers lie under each mark."""
    shown = chosen(table, axes).positions
    kinds, differs = every[shown], axes.differs(table)[shown]
    x, y = table.values[shown, axes.across], table.values[shown, axes.upwards]
    return Counter(
        (int(kinds[at]), bool(differs[at]), round(_PANEL.x(x[at])), round(_PANEL.y(y[at])))
        for at in np.flatnonzero(kinds != NOT_READ)
    )


def _ground(table: RunTable, axes: Axes) -> Iterator[Markup]:
    x, y = _PANEL.x(axes.lines[0]), _PANEL.y(axes.lines[1])
    left, right, top, bottom = _PANEL.left, _PANEL.right, _PANEL.top, _PANEL.bottom
    yield box(left, top, x - left, y - top, "field words")
    yield box(x, top, right - x, y - top, "field both")
    yield box(left, y, x - left, bottom - y, "field neither")
    yield box(x, y, right - x, bottom - y, "field meaning")
    for tick in _TICKS:
        yield words(f"{tick:g}", _PANEL.x(tick), bottom + 22, "soft", anchor="middle")
        yield words(f"{tick:g}", left - 8, _PANEL.y(tick) + 4, "soft", anchor="end")
    yield stroke(x, top, x, bottom, "cut")
    yield stroke(left, y, right, y, "cut")
    yield words(f"{_label(table, axes.across)} →", (left + right) / 2, bottom + 64, anchor="middle")
    turned = f"translate({left - 42:g} {(top + bottom) / 2:g}) rotate(-90)"
    yield tag("g", words(f"{_label(table, axes.upwards)} →", 0, 0, anchor="middle"), transform=turned)


def _marks(places: Counter[Place]) -> Iterator[Markup]:
    """A mark for each place, the larger the more answers lie there."""
    size = 2.6 if len(places) > 2000 else 3.4 if len(places) > 400 else 4.4
    for (kind, differs, x, y), count in sorted(places.items()):
        yield mark(kind, x, y, size * (1 + 0.22 * np.log2(count)), hollow=differs)


def mark(kind: int, x: float, y: float, size: float, *, hollow: bool) -> Markup:
    """The shape of a kind: each has its own, so that no colour has to be seen."""
    name = _CLASSES[kind]
    look = f"hollow hollow-{name}" if hollow else f"full {name}"
    if kind == GOOD:
        return tag("circle", cx=x, cy=y, r=size, class_=look)
    points = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in _CORNERS[kind])
    return tag("polygon", points=points, class_=look)


def _names() -> Iterator[Markup]:
    """The names of the fields, outside of them, so that they lie on no mark."""
    left, right, above, below = _PANEL.left, _PANEL.right, _PANEL.top - 18, _PANEL.bottom + 42
    yield words("same words, other meaning", left, above, "strong")
    yield words("same words, same meaning", right, above, "strong", anchor="end")
    yield words("other words, other meaning", left, below, "strong")
    yield words("other words, same meaning", right, below, "strong", anchor="end")


def _legend(counts: list[int], axes: Axes) -> Iterator[Markup]:
    y = _PANEL.bottom + 98
    for at, kind in enumerate(_CLASSES):
        x = EDGE + 8 + at % 2 * 340
        line = y + at // 2 * 24
        yield mark(kind, x, line - 4, 4.6, hollow=False)
        yield words(f"{counts[kind]:,} {KINDS[kind]}", x + 14, line)
    line = y + 2 * 24
    told = f"Lines are hand-picked: {axes.lines[0]:g} across, {axes.lines[1]:g} upwards."
    if axes.facts is not None:
        yield mark(GOOD, EDGE + 348, line - 4, 4.6, hollow=True)
        yield words("hollow: a fact differs or is missing", EDGE + 362, line)
    told += (
        " An answer is wrong where people said so, else where its correctness is below 0.5, else where a "
        "fact differs: then it is copied with a changed fact, if its words are high, or close, but wrong."
    )
    yield notes(told, EDGE, line + 28, _WIDTH - 2 * EDGE)
