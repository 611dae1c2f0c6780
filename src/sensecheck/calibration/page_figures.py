"""The pictures on a card's page, each with a caption and with its numbers in a table."""

from collections.abc import Iterator

from sensecheck.calibration.card import Card
from sensecheck.calibration.curves import Roc, roc_of
from sensecheck.calibration.histogram import histogram_of
from sensecheck.calibration.page_tables import histogram_table, reliability_table, roc_table
from sensecheck.calibration.page_words import NOTHING_HELD_OUT
from sensecheck.calibration.svg_histogram import TITLE, draw_histogram
from sensecheck.calibration.svg_picture import Picture
from sensecheck.calibration.svg_reliability import draw_reliability
from sensecheck.calibration.svg_roc import draw_roc, told
from sensecheck.core.markup import Markup, said, tag, together

_WIDE, _NARROW = 960, 360
"""The same drawing twice, so that its letters are as large on a telephone."""

_READINGS = (
    "Good answers stand above, bad ones below, each as a share of its label. What lies on the arrow's side "
    "of the line passes"
)
_RELIABILITY = (
    "Answers of similar readings together. A curve through the fitted rows says how many of them should be "
    "good; the held-out rows say how many are. On the dashed line both agree."
)


def figures_of(card: Card) -> Markup:
    """All pictures that the held-out rows give."""
    histogram = histogram_of(card)
    if histogram is None:
        return tag("section", tag("p", said(NOTHING_HELD_OUT)), class_="card")
    wide = draw_histogram(card, histogram, width=_WIDE).alone()
    narrow = draw_histogram(card, histogram, width=_NARROW).alone()
    both = together((tag("div", wide, class_="wide"), tag("div", narrow, class_="narrow")))
    caption = f"{_READINGS}{'; what lies in the grey band is unsure' if card.doubt else ''}."
    first = _figure(TITLE, both, caption, histogram_table(histogram))
    return together((first, tag("div", *_small(card), class_="pair")))


def _small(card: Card) -> Iterator[Markup]:
    roc = roc_of(card)
    if roc is not None:
        yield _drawn(draw_roc(card, roc), _about(roc), roc_table(roc))
    if card.reliability:
        drawn = draw_reliability(card.reliability)
        yield _drawn(drawn, _RELIABILITY, reliability_table(card.reliability))


def _about(roc: Roc) -> str:
    area = f"A good answer reads better than a bad one in {100 * roc.auc:.1f}% of all pairs (AUC)."
    whole = "" if roc.whole else " The card keeps a hundred readings of each label, from which this is drawn."
    return f"By this line {told(roc.passes)}. {area}{whole}"


def _drawn(picture: Picture, caption: str, numbers: Markup) -> Markup:
    return _figure(picture.title, picture.alone(), caption, numbers)


def _figure(title: str, drawn: Markup, caption: str, numbers: Markup) -> Markup:
    summary = tag("summary", said("The same in numbers"))
    parts = drawn, tag("figcaption", said(caption)), tag("details", summary, numbers)
    return tag("section", tag("h2", said(title)), tag("figure", *parts), class_="card")
