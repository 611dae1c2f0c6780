"""A card on one sheet: its promise and three pictures in a single SVG file."""

import textwrap

from sensecheck.calibration.card import Card
from sensecheck.calibration.curves import roc_of
from sensecheck.calibration.histogram import histogram_of
from sensecheck.calibration.page_words import (
    NOTHING_HELD_OUT,
    in_full,
    line_in_words,
    measured,
    promise_in_words,
    told,
)
from sensecheck.calibration.svg import box, words
from sensecheck.calibration.svg_histogram import draw_histogram
from sensecheck.calibration.svg_picture import Picture
from sensecheck.calibration.svg_reliability import draw_reliability
from sensecheck.calibration.svg_roc import draw_roc
from sensecheck.calibration.svg_style import picture_style
from sensecheck.core.markup import Markup, said, tag, together

_WIDTH, _EDGE = 800, 30
_CHARS = 96
"""As many letters as stand beside each other on a sheet, however wide they are."""


def sheet_of(card: Card) -> str:
    """A whole SVG file, with everything in it that it needs."""
    head, y = _head(card)
    body, y = _pictures(card, y)
    ground = box(0, 0, _WIDTH, y, "ground")
    about = f"{card.promise}. Passes: {line_in_words(card)} of {measured(card)}."
    drawn = tag(
        "svg",
        tag("title", said(f"Calibration card {card.name}")),
        tag("desc", said(about)),
        tag("style", picture_style()),
        ground,
        head,
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {y:g}",
        width=_WIDTH,
        height=y,
        class_="picture",
        role="img",
    )
    return f"{drawn}\n"


def _head(card: Card) -> tuple[Markup, float]:
    """Name, promise, line and rates, line under line; and where the next thing may begin."""
    parts, y = [words(card.name, _EDGE, 46, "head")], 72.0
    rates = [f"{each.what}: {in_full(each.rate)}" for each in told(card, card.rates)]
    passes = f"Passes: {line_in_words(card)} of {measured(card)}"
    for text, kind in ((promise_in_words(card), "strong"), (passes, ""), *((rate, "") for rate in rates)):
        for piece in textwrap.wrap(text, _CHARS) or [""]:
            parts.append(words(piece, _EDGE, y, kind))
            y += 18
    born = f"{card.data.name}, {card.data.rows} rows; fitted {card.date} with sensecheck {card.version}"
    parts.append(words(born, _EDGE, y, "soft"))
    return together(parts), y + 34


def _pictures(card: Card, y: float) -> tuple[Markup, float]:
    histogram, roc = histogram_of(card), roc_of(card)
    if histogram is None:
        return words(NOTHING_HELD_OUT, _EDGE, y), y + _EDGE
    wide = draw_histogram(card, histogram, width=_WIDTH - 2 * _EDGE)
    parts = [_titled(wide, _EDGE, y)]
    y += wide.height + 34
    small = [draw_roc(card, roc)] if roc is not None else []
    small += [draw_reliability(card.reliability)] if card.reliability else []
    for i, one in enumerate(small):
        parts.append(_titled(one, _EDGE + i * (_WIDTH / 2 - 10), y))
    return together(parts), y + max((one.height for one in small), default=0) + _EDGE


def _titled(one: Picture, x: float, y: float) -> Markup:
    return together((words(one.title, x, y, "title"), one.at(x, y + 10)))
