"""A picture of whether readings mean what the fitted curve makes of them."""

from collections.abc import Iterator, Sequence

from sensecheck.calibration.card import Bin
from sensecheck.calibration.page_words import hits, interval, percent
from sensecheck.calibration.svg import dot, stroke, words
from sensecheck.calibration.svg_axes import Panel, square_of_shares
from sensecheck.calibration.svg_picture import Picture
from sensecheck.core.markup import Markup, together

TITLE = "Expected and observed (reliability)"
_PANEL = Panel(54, 14, 288, 288)


def draw_reliability(bins: Sequence[Bin]) -> Picture:
    """Each bin of similar readings: as many good answers as expected lie on the dashed line."""
    about = "; ".join(f"expected {percent(b.expected)}, observed {percent(b.observed.value)}" for b in bins)
    inside = together((*_ground(), *(mark for one in bins for mark in _bin(one)), *_legend()))
    return Picture(364, 346, TITLE, f"{about}.", inside)


def _ground() -> Iterator[Markup]:
    yield from square_of_shares(_PANEL, across="expected to be good", upwards="observed to be good")
    yield stroke(_PANEL.x(0), _PANEL.y(0), _PANEL.x(1), _PANEL.y(1), "even")


def _bin(one: Bin) -> Iterator[Markup]:
    x = _PANEL.x(one.expected)
    yield stroke(x, _PANEL.y(one.observed.low), x, _PANEL.y(one.observed.high), "span")
    about = f"expected {percent(one.expected)}, observed {percent(one.observed.value)} ({hits(one.observed)})"
    yield dot(x, _PANEL.y(one.observed.value), 5, "point mark", f"{about}; {interval(one.observed)}")


def _legend() -> Iterator[Markup]:
    x, y = _PANEL.right - 126, _PANEL.bottom - 14
    yield stroke(x - 7, y - 4, x + 7, y - 4, "even")
    yield words("as expected", x + 14, y)
    yield stroke(x, y - 33, x, y - 17, "span")
    yield dot(x, y - 25, 4, "point mark")
    yield words("with its interval", x + 14, y - 20)
