"""A picture of the readings: good answers above, bad ones below, and the line between pass and fail."""

from collections.abc import Iterator

from sensecheck.calibration.card import Card
from sensecheck.calibration.curves_scale import Scale
from sensecheck.calibration.histogram import Histogram
from sensecheck.calibration.page_words import line_in_words, measured, number, percent
from sensecheck.calibration.svg import box, stroke, words
from sensecheck.calibration.svg_axes import Panel, below, beside
from sensecheck.calibration.svg_picture import Picture
from sensecheck.core.markup import Markup, together

TITLE = "Readings of the held-out answers"
_HEIGHT = 320
_TOP, _BOTTOM, _LEFT, _RIGHT = 56, 46, 54, 14


def draw_histogram(card: Card, histogram: Histogram, *, width: float) -> Picture:
    """The bars of both labels, back to back, in the same units."""
    tallest = histogram.tallest * 1.04
    panel = Panel(
        _LEFT,
        _TOP,
        width - _LEFT - _RIGHT,
        _HEIGHT - _TOP - _BOTTOM,
        Scale(histogram.edges[0], histogram.edges[-1]),
        Scale(-tallest, tallest),
    )
    inside = together((*_ground(panel, card), *_bars(panel, histogram), *_cut(panel, card), *_legend(card)))
    about = f"Passes: {line_in_words(card)}. Shares of {card.held_out.good} good and {card.held_out.bad} bad."
    return Picture(width, _HEIGHT, TITLE, about, inside)


def _ground(panel: Panel, card: Card) -> Iterator[Markup]:
    """Grid, numbers and the band of doubt."""
    for share in panel.upwards.ticks(7):
        y = panel.y(share)
        yield stroke(panel.left, y, panel.right, y, "grid")
        yield words(percent(abs(share)), panel.left - 7, y + 4, "soft", anchor="end")
    for tick in panel.across.ticks(9 if panel.width > 400 else 5):
        yield words(f"{tick:.6g}", panel.x(tick), panel.bottom + 17, "soft", anchor="middle")
    if card.doubt is not None:
        low, high = (panel.x(edge) for edge in card.doubt)
        yield box(low, panel.top, max(high - low, 1), panel.height, "band", "unsure")
    yield below(panel, f"reading of {measured(card)}")
    yield beside(panel, "share of each label")


def _bars(panel: Panel, histogram: Histogram) -> Iterator[Markup]:
    middle = panel.y(0)
    for low, high, good, bad in histogram.bins():
        x, width = panel.x(low), panel.x(high) - panel.x(low)
        gap = min(width / 8, 1)
        for share, kind, y in ((good, "good", panel.y(good)), (bad, "bad", panel.y(-bad))):
            if share > 0:
                about = f"{percent(share)} of the {kind} answers, from {low:.4g} to {high:.4g}"
                yield box(x + gap, min(y, middle), width - 2 * gap, abs(y - middle), kind, about)
    yield stroke(panel.left, middle, panel.right, middle, "axis")


def _cut(panel: Panel, card: Card) -> Iterator[Markup]:
    """The line, and to which side of it answers pass."""
    x = panel.x(card.line)
    line = number(card.line)
    text = f"passes from {line} →" if card.good == "above" else f"← passes up to {line}"
    yield stroke(x, panel.top - 22, x, panel.bottom, "cut")
    room = 7.5 * len(text)
    after = x + room < panel.right if card.good == "above" else x - room < panel.left
    yield words(text, x + (7 if after else -7), panel.top - 12, "strong", anchor="start" if after else "end")


def _legend(card: Card) -> Iterator[Markup]:
    texts = {"good": f"good ({card.held_out.good})", "bad": f"bad ({card.held_out.bad})"}
    texts |= {"band": "unsure"} if card.doubt is not None else {}
    x = float(_LEFT)
    for kind, text in texts.items():
        yield box(x, 4, 11, 11, kind)
        yield words(text, x + 17, 14)
        x += 37 + 7 * len(text)
