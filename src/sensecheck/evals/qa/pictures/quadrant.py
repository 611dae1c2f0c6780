"""Meaning against words: every answer as a mark in one of four fields."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from sensecheck.calibration.svg import box, stroke, words
from sensecheck.calibration.svg_axes import Panel
from sensecheck.core.errors import SpecError
from sensecheck.core.markup import Markup, tag, together
from sensecheck.evals.qa.pictures.sheet import EDGE, TOP, Sheet, named, notes
from sensecheck.evals.qa.report.axes import BAD, CHANGED, GOOD, KINDS, NOT_READ, PARAPHRASE, Axes
from sensecheck.evals.qa.report.chosen import MOST, chosen
from sensecheck.store.run_reading import RunTable

TITLE = "Meaning against words"
_WIDTH, _HEIGHT = 760, 760
_PANEL = Panel(82, TOP + 8, _WIDTH - 82 - EDGE, 500)
_CLASSES = {GOOD: "good", PARAPHRASE: "paraphrase", CHANGED: "changed", BAD: "bad"}
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
    kinds = axes.kinds(table)
    counts = [int((kinds == kind).sum()) for kind in range(len(KINDS))]
    marks = _marks(_places(table, axes))
    inside = together((*_ground(table, axes), *marks, *_names(axes), *_legend(counts, axes)))
    told = ", ".join(f"{count} {name}" for count, name in zip(counts, KINDS, strict=True))
    about = f"{_label(table, axes.across)} across, {_label(table, axes.upwards)} upwards: {told}."
    return Sheet(_WIDTH, _HEIGHT, TITLE, f"{named(table.run)}: {_drawn(table, counts)}", about, inside)


def _drawn(table: RunTable, counts: list[int]) -> str:
    total = len(table.names)
    read = f"{total:,} answers" if total <= MOST else f"{MOST:,} of {total:,} answers are drawn"
    return f"{read}, {counts[NOT_READ]:,} n/a" if counts[NOT_READ] else read


def _label(table: RunTable, at: int) -> str:
    return table.metrics[at].name


def _places(table: RunTable, axes: Axes) -> Counter[Place]:
    """How many answers lie under each mark."""
    shown = chosen(table, axes).positions
    kinds, differs = axes.kinds(table)[shown], axes.differs(table)[shown]
    x, y = table.values[shown, axes.across], table.values[shown, axes.upwards]
    return Counter(
        (int(kinds[at]), bool(differs[at]), round(_PANEL.x(x[at])), round(_PANEL.y(y[at])))
        for at in np.flatnonzero(kinds != NOT_READ)
    )


def _ground(table: RunTable, axes: Axes) -> Iterator[Markup]:
    x, y = _PANEL.x(axes.lines[0]), _PANEL.y(axes.lines[1])
    left, right, top, bottom = _PANEL.left, _PANEL.right, _PANEL.top, _PANEL.bottom
    yield box(left, top, x - left, y - top, "field changed")
    yield box(x, top, right - x, y - top, "field good")
    yield box(left, y, x - left, bottom - y, "field bad")
    yield box(x, y, right - x, bottom - y, "field paraphrase")
    for tick in _TICKS:
        yield words(f"{tick:g}", _PANEL.x(tick), bottom + 22, "soft", anchor="middle")
        yield words(f"{tick:g}", left - 8, _PANEL.y(tick) + 4, "soft", anchor="end")
    yield stroke(x, top, x, bottom, "cut")
    yield stroke(left, y, right, y, "cut")
    yield words(f"{_label(table, axes.across)} →", (left + right) / 2, bottom + 44, anchor="middle")
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
    corners = {
        PARAPHRASE: ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
        CHANGED: ((0, -1.25), (1.15, 0.85), (-1.15, 0.85)),
        BAD: ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    }[kind]
    points = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in corners)
    return tag("polygon", points=points, class_=look)


def _names(axes: Axes) -> Iterator[Markup]:
    """The names of the fields in their corners, where there is room for them."""
    x, y = _PANEL.x(axes.lines[0]), _PANEL.y(axes.lines[1])
    wide, tall = (x - _PANEL.left, _PANEL.right - x), (y - _PANEL.top, _PANEL.bottom - y)
    corners = {CHANGED: (0, 0), GOOD: (1, 0), BAD: (0, 1), PARAPHRASE: (1, 1)}
    for kind, (column, row) in corners.items():
        if wide[column] > 8 * len(KINDS[kind]) and tall[row] > 28:
            across = _PANEL.right - 10 if column else _PANEL.left + 10
            upwards = _PANEL.bottom - 12 if row else _PANEL.top + 22
            look, anchor = f"title {_CLASSES[kind]}", "end" if column else "start"
            yield words(KINDS[kind], across, upwards, look, anchor=anchor)


def _legend(counts: list[int], axes: Axes) -> Iterator[Markup]:
    y = _PANEL.bottom + 76
    for at, kind in enumerate(_CLASSES):
        x = EDGE + 8 + at % 2 * 340
        line = y + at // 2 * 24
        yield mark(kind, x, line - 4, 4.6, hollow=False)
        yield words(f"{counts[kind]:,} {KINDS[kind]}", x + 14, line)
    line = y + 48
    told = f"Lines are hand-picked: {axes.lines[0]:g} across, {axes.lines[1]:g} upwards."
    if axes.facts is not None:
        yield mark(GOOD, EDGE + 8, line - 4, 4.6, hollow=True)
        yield words("hollow: a fact differs or is missing", EDGE + 22, line)
        line += 24
        told += " Where words are high and a differing fact makes an answer wrong, as far as the run can "
        told += "tell, it counts as copied with a changed fact."
    yield notes(told, EDGE, line + 2, _WIDTH - 2 * EDGE)
