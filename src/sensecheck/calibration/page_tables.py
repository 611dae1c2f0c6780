"""Tables of a card's page: rates, slices, and the pictures once more in numbers."""

from collections.abc import Iterable, Sequence

from sensecheck.calibration.card import Bin, Card
from sensecheck.calibration.curves import Point, Roc
from sensecheck.calibration.histogram import Histogram
from sensecheck.calibration.page_words import hits, interval, percent, told
from sensecheck.core.cutoff import Rate
from sensecheck.core.markup import Markup, said, tag, together

_MOST_POINTS = 21


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[Markup]]) -> Markup:
    """Rows under their headings; the first cell of each is its name."""
    head = tag("tr", *(tag("th", said(one), scope="col") for one in heads))
    body = (tag("tr", tag("th", row[0], scope="row"), *(tag("td", one) for one in row[1:])) for row in rows)
    parts = tag("caption", said(caption)), tag("thead", head), tag("tbody", together(body))
    return tag("div", tag("table", *parts), class_="scroll")


def slices_table(card: Card, column: str) -> Markup:
    """The rates of every value of a column."""
    heads = [column, *(each.what for each in told(card, card.rates))]
    rows = (
        [said(value), *(_cell(each.rate) for each in told(card, rates))]
        for value, rates in card.slices[column].items()
    )
    return table(f"By {column}", heads, rows)


def histogram_table(histogram: Histogram) -> Markup:
    """The bars; bins without any answer are left out."""
    rows = (
        [said(f"{low:.4g} to {high:.4g}"), said(percent(good)), said(percent(bad))]
        for low, high, good, bad in histogram.bins()
        if good > 0 or bad > 0
    )
    return table("Share of each label by reading", ["reading", "good answers", "bad answers"], rows)


def roc_table(roc: Roc) -> Markup:
    """Some points of the curve, evenly spaced, the first and the last among them."""
    last, count = len(roc.points) - 1, min(len(roc.points), _MOST_POINTS)
    some = dict.fromkeys(roc.points[last * i // max(count - 1, 1)] for i in range(count))
    heads = ["bad answers that pass", "good answers that pass"]
    return table("Points of the curve", heads, map(_point, some))


def reliability_table(bins: Sequence[Bin]) -> Markup:
    """The bins."""
    rows = (
        [said(f"{one.low:.4g} to {one.high:.4g}"), said(percent(one.expected)), _cell(one.observed)]
        for one in bins
    )
    heads = ["reading", "expected to be good", "observed to be good"]
    return table("Held-out answers of similar readings", heads, rows)


def _point(point: Point) -> list[Markup]:
    return [said(percent(point.bad)), said(percent(point.good))]


def _cell(rate: Rate | None) -> Markup:
    """A rate, and under it what it was counted on."""
    if rate is None:
        return said("–")
    about = tag("small", said(f"{hits(rate)}; {interval(rate)}"))
    return Markup(f"{said(percent(rate.value))}{about}")
