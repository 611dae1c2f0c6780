"""A card as people read it in a terminal."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sensecheck.cli.paint import Paper, safe

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.core.cutoff import Rate

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

STEP = 2


def card_data(card: "Card") -> Any:
    """The card as plain data, as it stands in its file."""
    return json.loads(card.to_json())


def show_short(paper: Paper, card: "Card") -> None:
    """Name, promise, line, rates and warnings."""
    from sensecheck.calibration.page_words import in_full, line_in_words, measured, told

    paper.say((safe(card.name), "bold"))
    paper.say((safe(card.promise), "bold" if card.targets else "yellow"), indent=STEP)
    paper.say(f"passes: {line_in_words(card)} of {safe(measured(card))}", indent=STEP)
    fitted, aside = card.fitted, card.held_out
    counted = f"counted on {aside.good} good and {aside.bad} bad ones that were held out:"
    if not aside.good and not aside.bad:
        counted = "its errors were not counted, since none were held out"
    paper.say(f"fitted on {fitted.good} good and {fitted.bad} bad answers; {counted}", indent=STEP)
    for each in told(card, card.rates) if aside.good or aside.bad else ():
        promised = f", {each.promised}" if each.promised else ""
        paper.say(f"{each.what}: ", (in_full(each.rate), "bold"), promised, indent=2 * STEP)
    for warning in card.warnings:
        paper.say(safe(warning), label=("warning: ", "yellow"), indent=STEP)


def show_card(paper: Paper, card: "Card") -> None:
    """Everything about a card: in words, in tables, in pictures."""
    from sensecheck.calibration.curves import roc_of
    from sensecheck.calibration.histogram import histogram_of
    from sensecheck.calibration.page_words import NOTHING_HELD_OUT
    from sensecheck.cli.card_pictures import Pictures

    show_short(paper, card)
    for what, fact in _birth(card):
        paper.say(safe(fact), label=(f"{what}: ", "dim"), indent=STEP)
    for column in card.slices:
        _slices(paper, card, column)
    pictures = Pictures(paper, card)
    histogram, roc = histogram_of(card), roc_of(card)
    paper.say("")
    if histogram is None:
        paper.say(NOTHING_HELD_OUT)
        return
    pictures.histogram(histogram)
    if roc is not None:
        paper.say("")
        pictures.roc(roc)
    if card.reliability:
        paper.say("")
        pictures.reliability(card.reliability)


def _birth(card: "Card") -> Iterator[tuple[str, str]]:
    """Who made the card, when, and of what."""
    from sensecheck.calibration.page_words import METHODS, percent, precision

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


def _slices(paper: Paper, card: "Card", column: str) -> None:
    """A table of the rates by one column; line under line where a terminal is too narrow for it."""
    from sensecheck.calibration.page_words import told

    heads = [safe(column), *(each.what for each in told(card, card.rates))]
    rows = [
        [safe(value), *(_cell(each.rate) for each in told(card, rates))]
        for value, rates in card.slices[column].items()
    ]
    paper.say("")
    lines = _aligned([heads, *rows])
    if not paper.is_terminal or max(map(len, lines)) <= paper.width:
        for i, line in enumerate(lines):
            paper.say((line, "" if i else "bold"))
        return
    for value, *rates in rows:
        paper.say((f"{heads[0]}: {value}", "bold"))
        for what, rate in zip(heads[1:], rates, strict=True):
            paper.say(f"{what}: {rate}", indent=STEP)


def _cell(rate: "Rate | None") -> str:
    from sensecheck.calibration.page_words import hits, interval, percent

    return "-" if rate is None else f"{percent(rate.value)} ({hits(rate)}; {interval(rate)})"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    padded = (
        [cell + " " * (w - cell_len(cell)) for cell, w in zip(row, widths, strict=True)] for row in rows
    )
    return ["  ".join(row).rstrip() for row in padded]
