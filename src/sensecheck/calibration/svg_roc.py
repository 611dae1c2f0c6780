"""A picture of what every other line would do, and where the card's own lies among them."""

from collections.abc import Iterator, Sequence

from sensecheck.calibration.card import Card
from sensecheck.calibration.curves import Point, Roc
from sensecheck.calibration.page_words import percent
from sensecheck.calibration.svg import dot, stroke, words
from sensecheck.calibration.svg_axes import Panel, square_of_shares
from sensecheck.calibration.svg_picture import Picture
from sensecheck.core.markup import Markup, tag, together

TITLE = "Every line that could be drawn (ROC)"
_PANEL = Panel(54, 14, 288, 288)


def draw_roc(card: Card, roc: Roc) -> Picture:
    """The curve, the point of the card's line, and the limits that were promised."""
    inside = together((*_curve(roc), *_limits(card), *_points(roc), *_legend(card, roc)))
    about = f"Area under the curve {roc.auc:.3f}. {told(roc.passes)}."
    return Picture(364, 346, TITLE, about, inside)


def told(point: Point) -> str:
    """`98% of good and 3% of bad answers pass`."""
    return f"{percent(point.good)} of good and {percent(point.bad)} of bad answers pass"


def _curve(roc: Roc) -> Iterator[Markup]:
    yield from square_of_shares(_PANEL, across="bad answers that pass", upwards="good answers that pass")
    yield stroke(_PANEL.x(0), _PANEL.y(0), _PANEL.x(1), _PANEL.y(1), "even")
    yield tag("polygon", points=f"{_places(roc.points)} {_places([Point(1, 0)])}", class_="under")
    yield tag("polyline", points=_places(roc.points), class_="curve")


def _places(points: Sequence[Point]) -> str:
    return " ".join(f"{_PANEL.x(point.bad):.1f},{_PANEL.y(point.good):.1f}" for point in points)


def _limits(card: Card) -> Iterator[Markup]:
    """How many bad answers may pass, and how many good ones must not fail."""
    for target in card.targets:
        if target.errors == "false_accepts":
            x = _PANEL.x(target.at_most)
            yield stroke(x, _PANEL.top, x, _PANEL.bottom, "limit")
        else:
            y = _PANEL.y(1 - target.at_most)
            yield stroke(_PANEL.left, y, _PANEL.right, y, "limit")


def _points(roc: Roc) -> Iterator[Markup]:
    if roc.not_failed is not None:
        x, y = _PANEL.x(roc.not_failed.bad), _PANEL.y(roc.not_failed.good)
        yield dot(x, y, 5, "open", "passes or unsure")
    yield dot(_PANEL.x(roc.passes.bad), _PANEL.y(roc.passes.good), 6, "mark", told(roc.passes))


def _legend(card: Card, roc: Roc) -> Iterator[Markup]:
    entries = ["mark"] + ["open"] * (roc.not_failed is not None) + ["limit"] * bool(card.targets)
    texts = {"mark": "passes this line", "open": "passes, or unsure", "limit": "promised limit"}
    y = _PANEL.bottom - 14
    for kind in reversed(entries):
        x = _PANEL.right - 126
        yield dot(x, y - 4, 5, kind) if kind != "limit" else stroke(x - 7, y - 4, x + 7, y - 4, kind)
        yield words(texts[kind], x + 14, y)
        y -= 20
    about = "" if roc.whole else "about "
    yield words(f"AUC {about}{roc.auc:.3f}", _PANEL.right - 133, y, "strong")
