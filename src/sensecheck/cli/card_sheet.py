"""A card as people read it in a terminal."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sensecheck.cli.paint import Paper, safe, show_table

if TYPE_CHECKING:
    from sensecheck.calibration.card import Bin, Card
    from sensecheck.calibration.summary import Histogram, Roc
    from sensecheck.core.cutoff import Rate

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

STEP = 2


def card_data(card: "Card") -> Any:
    """The card as plain data, as it stands in its file."""
    return json.loads(card.to_json())


def show_short(paper: Paper, card: "Card") -> None:
    """Name, promise, line, rates and warnings."""
    from sensecheck.calibration.summary import in_full, line_in_words, measured, told

    paper.say((safe(card.name), "bold"))
    for broken in card.broken:
        paper.say(safe(broken), label=("broken: ", "bold red"), indent=STEP)
    paper.say((safe(card.promise), "bold" if card.targets and not card.broken else "yellow"), indent=STEP)
    paper.say(f"speaks of {safe(card.speaks_of())}", indent=STEP)
    by = ", by the number of claims" if len({one.line for one in card.claims}) > 1 else ""
    paper.say(f"passes: {line_in_words(card)} of {safe(measured(card))}{by}", indent=STEP)
    fitted, aside = card.fitted, card.held_out
    counted = f"counted on {aside.good} good and {aside.bad} bad ones that were held out:"
    if not aside.good and not aside.bad:
        counted = "its errors were not counted, since none were held out"
    paper.say(f"fitted on {fitted.good} good and {fitted.bad} bad answers; {counted}", indent=STEP)
    for each in told(card, card.rates) if aside.good or aside.bad else ():
        promised = f", {each.promised}" if each.promised else ""
        paper.say(f"{each.what}: ", (in_full(each.rate), "bold"), promised, indent=2 * STEP)
    if card.claims:
        _claims(paper, card)
    for warning in card.warnings:
        paper.say(safe(warning), label=("warning: ", "yellow"), indent=STEP)


def show_card(paper: Paper, card: "Card") -> None:
    """Everything about a card, in words and in tables."""
    from sensecheck.calibration.summary import NOTHING_HELD_OUT, histogram_of, roc_of

    show_short(paper, card)
    for what, fact in _birth(card):
        paper.say(safe(fact), label=(f"{what}: ", "dim"), indent=STEP)
    for column in card.slices:
        _slices(paper, card, column)
    histogram, roc = histogram_of(card), roc_of(card)
    paper.say("")
    if histogram is None:
        paper.say(NOTHING_HELD_OUT)
        return
    _histogram(paper, card, histogram)
    if roc is not None:
        _roc(paper, roc)
    if card.reliability:
        _reliability(paper, card.reliability)


def _birth(card: "Card") -> Iterator[tuple[str, str]]:
    """Who made the card, when, and of what."""
    from sensecheck.calibration.summary import METHODS, percent, precision

    data = card.data
    grouped = f", rows of one `{data.group}` count once" if data.group else ""
    yield "encoder", card.encoder or "none"
    if card.encoder:
        yield "precision", precision(card)
    yield "data", f"{data.name}, {data.rows} rows, labels from `{data.label}`{grouped}; SHA-256 {data.sha256}"
    aside = f"{percent(card.share_held_out)} held out with the seed {card.seed}"
    yield "made", f"{card.date} by sensecheck {card.version}, method {METHODS[card.method]}, {aside}"
    if card.licence:
        yield "licence", card.licence


def _claims(paper: Paper, card: "Card") -> None:
    """The lines and their rates by the number of claims, and for which of them nothing is promised."""
    from sensecheck.calibration.summary import in_words_of, told

    heads = ["answers of", "passes", "promised", *(each.what for each in told(card, card.rates))]
    rows = [
        [
            one.claims.in_words(),
            in_words_of(card.good, one.line, one.doubt),
            ("for " + one.scope.in_words()) if one.promised else "no",
            *(_cell(each.rate) for each in told(card, one.rates)),
        ]
        for one in card.claims
    ]
    show_table(paper, heads, rows, indent=STEP, left=len(heads))
    for said in dict.fromkeys(one.promise for one in card.claims if not one.promised and card.targets):
        paper.say(safe(said), label=("note: ", "yellow"), indent=STEP)


def _slices(paper: Paper, card: "Card", column: str) -> None:
    """The rates by one column."""
    from sensecheck.calibration.summary import told

    heads = [safe(column), *(each.what for each in told(card, card.rates))]
    rows = [
        [safe(value), *(_cell(each.rate) for each in told(card, rates))]
        for value, rates in card.slices[column].items()
    ]
    paper.say("")
    show_table(paper, heads, rows, left=len(heads))


def _histogram(paper: Paper, card: "Card", histogram: "Histogram") -> None:
    """The share of good and of bad answers by reading; readings that nobody had are left out."""
    from sensecheck.calibration.summary import measured, percent

    paper.say((f"readings of {safe(measured(card))}, held-out answers", "bold"))
    rows = [
        [f"{low:.3g} to {high:.3g}", percent(good), percent(bad)]
        for low, high, good, bad in histogram.bins()
        if good > 0 or bad > 0
    ]
    show_table(paper, ["reading", "good", "bad"], rows, indent=STEP)


def _roc(paper: Paper, roc: "Roc") -> None:
    """How well readings separate good answers from bad ones, and what the card's line does."""
    from sensecheck.calibration.summary import percent

    about = f"AUC {'' if roc.whole else 'about '}{roc.auc:.3f}"
    paper.say("")
    paper.say((f"ROC: good answers that pass, by bad answers that pass; {about}", "bold"))
    points = {"passes": roc.passes, "passes, or unsure": roc.not_failed}
    rows = [[what, percent(at.good), percent(at.bad)] for what, at in points.items() if at is not None]
    show_table(paper, ["", "good", "bad"], rows, indent=STEP)


def _reliability(paper: Paper, bins: "Sequence[Bin]") -> None:
    """The share of good answers by reading: expected, and seen."""
    from sensecheck.calibration.summary import percent

    rows = [[f"{one.low:.3g} to {one.high:.3g}", percent(one.expected), _cell(one.observed)] for one in bins]
    paper.say("")
    paper.say(("reliability: share of good answers by reading", "bold"))
    show_table(paper, ["reading", "expected", "observed (95% interval)"], rows, indent=STEP)


def _cell(rate: "Rate | None") -> str:
    from sensecheck.calibration.summary import hits, interval, percent

    return "-" if rate is None else f"{percent(rate.value)} ({hits(rate)}; {interval(rate)})"
