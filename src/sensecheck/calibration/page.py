"""A card as a page to show to others: one file, no script, nothing fetched from anywhere."""

from collections.abc import Iterator

from sensecheck.calibration.card import Card
from sensecheck.calibration.curves import roc_of
from sensecheck.calibration.page_figures import figures_of
from sensecheck.calibration.page_style import page_style
from sensecheck.calibration.page_tables import slices_table
from sensecheck.calibration.page_words import (
    METHODS,
    Told,
    hits,
    interval,
    line_in_words,
    measure_in_full,
    measured,
    percent,
    precision,
    promise_in_words,
    told,
)
from sensecheck.core.markup import Markup, said, tag, together

_HEAD = (
    '<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    '<meta name="color-scheme" content="light dark">\n'
)


def page_of(card: Card) -> str:
    """A whole HTML file."""
    title = tag("title", said(f"{card.name} · calibration card"))
    head = tag("head", Markup(_HEAD), title, tag("style", page_style()))
    body = tag("body", tag("main", together(_parts(card))))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _parts(card: Card) -> Iterator[Markup]:
    yield _header(card)
    yield tag("div", *_tiles(card), class_="tiles")
    if card.warnings:
        items = (tag("li", said(warning)) for warning in card.warnings)
        heading = tag("h2", said("To be aware of"))
        yield tag("section", heading, tag("ul", together(items)), class_="card warning")
    yield figures_of(card)
    if card.slices:
        tables = (slices_table(card, column) for column in card.slices)
        heading = tag("h2", said("The same line by kind of answer"))
        yield tag("section", heading, together(tables), class_="card")
    yield _birth(card)
    yield tag("footer", tag("p", said(f"Written by sensecheck {card.version}.")))


def _header(card: Card) -> Markup:
    passes = said(f"Passes: {line_in_words(card)} of "), tag("code", said(measured(card)))
    return tag(
        "header",
        tag("p", said("Calibration card"), class_="over"),
        tag("h1", said(card.name)),
        tag("p", said(promise_in_words(card)), class_="promise"),
        tag("p", *passes, class_="passes"),
    )


def _tiles(card: Card) -> Iterator[Markup]:
    """The figures that are looked for first."""
    for each in told(card, card.rates):
        yield _tile(each)
    roc = roc_of(card)
    if roc is not None:
        about = "good and bad answers told apart: 1 is always, 0.5 is by chance"
        figure = f"{'' if roc.whole else '≈ '}{roc.auc:.3f}"
        yield _boxed("area under the curve", figure, about)


def _tile(each: Told) -> Markup:
    if each.rate is None:
        return _boxed(each.what, "–", "no such answers were held out", each.promised)
    about = f"{hits(each.rate)} held out; 95% interval {interval(each.rate)}"
    return _boxed(each.what, percent(each.rate.value), about, each.promised)


def _boxed(what: str, figure: str, *about: str) -> Markup:
    lines = (tag("p", said(line)) for line in about if line)
    return tag("div", tag("p", said(what), class_="what"), tag("b", said(figure)), *lines, class_="card tile")


def _birth(card: Card) -> Markup:
    """Where the line comes from, in full."""
    facts = (together((tag("dt", said(what)), tag("dd", said(fact)))) for what, fact in _facts(card))
    return tag(
        "section",
        tag("h2", said("Where the line comes from")),
        tag("dl", together(facts)),
        tag("details", tag("summary", said("The measure in full")), _code(measure_in_full(card))),
        tag("h3", said("To use it in a check")),
        _code(f'threshold: "{card.name}"  # of a preset\ncutoff: "{card.name}"  # of a gate'),
        class_="card",
    )


def _code(text: str) -> Markup:
    return tag("pre", tag("code", said(text)))


def _facts(card: Card) -> Iterator[tuple[str, str]]:
    data = card.data
    yield "measure", measured(card)
    yield "passes", line_in_words(card)
    yield "method", METHODS[card.method]
    yield "encoder", card.encoder or "none; the measure reads no vectors"
    if card.encoder:
        yield "precision", precision(card)
    yield "data", f"{data.name}, {data.rows} rows"
    yield "SHA-256 of the data", data.sha256
    grouped = f"; rows of one “{data.group}” count once" if data.group else ""
    yield "columns", f"labels from “{data.label}”{grouped}"
    yield "fitted on", f"{card.fitted.good} good and {card.fitted.bad} bad answers"
    aside = f"{percent(card.share_held_out)}, chosen with the seed {card.seed}"
    yield "held out", f"{card.held_out.good} good and {card.held_out.bad} bad answers ({aside})"
    yield "fitted", f"{card.date}, with sensecheck {card.version}"
    yield "licence of the data", card.licence or "not stated"
