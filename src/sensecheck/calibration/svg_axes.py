"""A stretch of a picture with numbers at its edges."""

from collections.abc import Iterator
from dataclasses import dataclass

from sensecheck.calibration.curves_scale import SHARES, Scale
from sensecheck.calibration.page_words import percent
from sensecheck.calibration.svg import stroke, words
from sensecheck.core.markup import Markup, tag

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Panel:
    """Where something is drawn, in the picture's own units; values grow to the right and upwards."""

    left: float
    top: float
    width: float
    height: float
    across: Scale = SHARES
    upwards: Scale = SHARES

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    def x(self, value: float) -> float:
        """Where a value lies across."""
        return self.left + self.across.place(value) * self.width

    def y(self, value: float) -> float:
        """How high a value lies."""
        return self.bottom - self.upwards.place(value) * self.height


def below(panel: Panel, label: str) -> Markup:
    """What the numbers across mean, under them."""
    return words(label, (panel.left + panel.right) / 2, panel.bottom + 36, "soft", anchor="middle")


def beside(panel: Panel, label: str) -> Markup:
    """What the numbers upwards mean, left of them."""
    x, y = panel.left - 40, (panel.top + panel.bottom) / 2
    turned = f"translate({x:g} {y:g}) rotate(-90)"
    return tag("g", words(label, 0, 0, "soft", anchor="middle"), transform=turned)


def square_of_shares(panel: Panel, *, across: str, upwards: str) -> Iterator[Markup]:
    """Grid and numbers of a square from 0% to 100% on both sides."""
    for share in QUARTERS:
        x, y = panel.x(share), panel.y(share)
        yield stroke(x, panel.top, x, panel.bottom, "grid")
        yield stroke(panel.left, y, panel.right, y, "grid")
        yield words(percent(share), x, panel.bottom + 17, "soft", anchor="middle")
        yield words(percent(share), panel.left - 7, y + 4, "soft", anchor="end")
    yield below(panel, across)
    yield beside(panel, upwards)
