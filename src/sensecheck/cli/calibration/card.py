"""`sensecheck card`: cards listed, shown, and checked against new answers."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Console, safe, show_table, write_json
from sensecheck.cli.exit_codes import FAILED, NOT_CERTIFIABLE, PASSED, codes_of
from sensecheck.cli.options import (
    CardsGroup,
    CardsLabel,
    Encoder,
    Ignored,
    Json,
    Parts,
    SkipUnreadable,
    Slices,
    argument,
    option,
    settings_with,
)
from sensecheck.cli.progress import stage_progress
from sensecheck.datasets.labels import sample_columns
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.calibration.card import Bin, Card
    from sensecheck.calibration.recheck import Recheck
    from sensecheck.calibration.summary import Histogram, Roc
    from sensecheck.core.cutoff import Rate

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

STEP = 2
_CODES = {"holds": PASSED, "broken": FAILED, "moved": FAILED, "too few": NOT_CERTIFIABLE}
_COLOURS = {
    "holds": "bold green",
    "broken": "bold red",
    "moved": "bold red",
    "above": "bold yellow",
    "too few": "bold yellow",
}
_DEGREES = {"stable": "green", "somewhat": "yellow", "moved": "red", "too few": "yellow"}
CardArgument = Annotated[str, argument("NAME|FILE.json", "A card by its name, or its file.")]
app = typer.Typer(help="List, show or check calibration cards.", no_args_is_help=True)


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List your cards and ours, with what they promise."""
    from sensecheck.training import list_cards

    cards = list_cards()
    if as_json:
        write_json([_brief_data(card) for card in cards])
        return
    console = Console()
    for card in cards:
        _show_brief(console, card)
    if not cards:
        console.line("there are no cards; make one: ", ("sensecheck calibrate --help", "bold cyan"))


@app.command()
def show(
    card: CardArgument,
    html: Annotated[Path | None, option("--html OUT.html", "Write a page to show to others instead.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a card promises, what it was made of, and how its readings lie."""
    from sensecheck.training import find_card

    loaded_card = find_card(card)
    if html is not None:
        _write_page(loaded_card, html, as_json=as_json)
    elif as_json:
        write_json(card_data(loaded_card))
    else:
        show_card(Console(), loaded_card)


@app.command(epilog=codes_of("card check"))
def check(
    card: CardArgument,
    data: Annotated[
        str, option("--data NEW.jsonl", "New rows; those without a label serve too.", default=True)
    ],
    label: CardsLabel = None,
    parts: Parts = None,
    group: CardsGroup = None,
    slices: Slices = None,
    ignored: Ignored = None,
    skip_unreadable: SkipUnreadable = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Check a card against new rows: does its promise hold, and have the readings moved?

    Rows without a label show nothing of the promise, but something of the readings.
    """
    from sensecheck.training import CardCheckRequest, check_card

    request = CardCheckRequest(
        card=card,
        data=data,
        label=label,
        group=group,
        slices=slices or (),
        ignored=ignored or (),
        parts=sample_columns(parts or ()),
        skip_unreadable=skip_unreadable,
        settings=settings_with(encoder),
    )
    with stage_progress(as_json=as_json) as report:
        recheck = check_card(request, on_progress=report)
    if as_json:
        write_json(recheck.to_data())
    else:
        show_recheck(Console(), recheck)
    raise typer.Exit(_CODES[recheck.outcome])


def card_data(card: "Card") -> Any:
    """The card as plain data, as it stands in its file."""
    return json.loads(card.to_json())


def show_short(console: Console, card: "Card") -> None:
    """Name, promise, cutoff, rates and warnings."""
    from sensecheck.calibration.summary import cutoff_in_words, in_full, measured, named_rates

    console.line((safe(card.name), "bold"))
    for broken in card.broken:
        console.line(safe(broken), label=("broken: ", "bold red"), indent=STEP)
    console.line((safe(card.promise), "bold" if card.targets and not card.broken else "yellow"), indent=STEP)
    console.line(f"speaks of {safe(card.speaks_of())}", indent=STEP)
    by = ", by the number of claims" if len({one.line for one in card.claims}) > 1 else ""
    console.line(f"passes: {cutoff_in_words(card)} of {safe(measured(card))}{by}", indent=STEP)
    fitted, held_out = card.fitted, card.held_out
    counted = f"counted on {held_out.good} good and {held_out.bad} bad ones that were held out:"
    if not held_out.good and not held_out.bad:
        counted = "its errors were not counted, since none were held out"
    console.line(f"fitted on {fitted.good} good and {fitted.bad} bad answers; {counted}", indent=STEP)
    for named_rate in named_rates(card, card.rates) if held_out.good or held_out.bad else ():
        promised = f", {named_rate.promised}" if named_rate.promised else ""
        console.line(f"{named_rate.what}: ", (in_full(named_rate.rate), "bold"), promised, indent=2 * STEP)
    if card.claims:
        _show_claims(console, card)
    for warning in card.warnings:
        console.line(safe(warning), label=("warning: ", "yellow"), indent=STEP)


def show_card(console: Console, card: "Card") -> None:
    """Everything about a card, in words and in tables."""
    from sensecheck.calibration.summary import NOTHING_HELD_OUT, histogram_of, roc_of

    show_short(console, card)
    for what, fact in _provenance(card):
        console.line(safe(fact), label=(f"{what}: ", "dim"), indent=STEP)
    for column in card.slices:
        _show_slices(console, card, column)
    histogram, roc = histogram_of(card), roc_of(card)
    console.line("")
    if histogram is None:
        console.line(NOTHING_HELD_OUT)
        return
    _show_histogram(console, card, histogram)
    if roc is not None:
        _show_roc(console, roc)
    if card.reliability:
        _show_reliability(console, card.reliability)


def show_recheck(console: Console, found: "Recheck") -> None:
    """The verdict, each promise with its figures, and how far the readings have moved."""
    from sensecheck.calibration.summary import WHAT, in_full

    console.line((safe(found.verdict), _COLOURS[found.outcome]))
    for promise in found.promises:
        seen = "no such rows" if promise.errors is None else in_full(promise.errors)
        console.line(
            f"{promise.target.describe()}: ",
            (promise.outcome, _COLOURS[promise.outcome]),
            f"; {WHAT[promise.target.errors]}: {seen}",
            indent=STEP,
        )
    for shift in found.shifts:
        console.line(
            f"{shift.part} readings: ",
            (shift.degree, _DEGREES[shift.degree]),
            f"; {shift.n} rows, PSI {shift.psi:.3f}, KS {shift.ks:.3f} (p {shift.p:.3g})",
            indent=STEP,
        )


def _brief_data(card: "Card") -> dict[str, object]:
    from sensecheck.calibration.summary import measured

    keys = ("name", "promise", "method", "targets", "good", "line", "doubt", "encoder", "date")
    data = card_data(card)
    return {**{key: data[key] for key in keys}, "measure": measured(card), "speaks_of": card.speaks_of()}


def _show_brief(console: Console, card: "Card") -> None:
    from sensecheck.calibration.summary import cutoff_in_words, measured

    promised = " and ".join(target.describe() for target in card.targets) or "promises nothing"
    average = ", on average" if card.method == "conformal" else ""
    console.line((safe(card.name), "bold"), f"  {promised}{average}")
    if card.broken:
        console.line(("broken on the rows that were held out", "bold red"), indent=STEP)
    console.line(f"{safe(measured(card))}: {cutoff_in_words(card)}", indent=STEP)
    console.line((f"speaks of {safe(card.speaks_of())}", "dim"), indent=STEP)
    console.line((f"encoder {safe(card.encoder or 'none')}; {safe(card.date)}", "dim"), indent=STEP)


def _write_page(card: "Card", path: Path, *, as_json: bool) -> None:
    from sensecheck.calibration.page import page_of

    write_whole(path, page_of(card))
    if as_json:
        write_json({"html": str(path)})
    else:
        Console().line("written to ", (safe(str(path)), "bold"))


def _provenance(card: "Card") -> Iterator[tuple[str, str]]:
    """Who made the card, when, and of what."""
    from sensecheck.calibration.summary import METHODS, percent, precision

    data = card.data
    grouped = f", rows of one `{data.group}` count once" if data.group else ""
    yield "encoder", card.encoder or "none"
    if card.encoder:
        yield "precision", precision(card)
    yield "data", f"{data.name}, {data.rows} rows, labels from `{data.label}`{grouped}; SHA-256 {data.sha256}"
    held_out = f"{percent(card.share_held_out)} held out with the seed {card.seed}"
    yield "made", f"{card.date} by sensecheck {card.version}, method {METHODS[card.method]}, {held_out}"
    if card.licence:
        yield "licence", card.licence


def _show_claims(console: Console, card: "Card") -> None:
    """The cutoffs and their rates by the number of claims, and for which of them nothing is promised."""
    from sensecheck.calibration.summary import describe_cutoff, named_rates

    heads = [
        "answers of",
        "passes",
        "promised",
        *(named_rate.what for named_rate in named_rates(card, card.rates)),
    ]
    rows = [
        [
            group.claims.describe(),
            describe_cutoff(card.good, group.line, group.doubt),
            ("for " + group.scope.describe()) if group.promised else "no",
            *(_rate_cell(named_rate.rate) for named_rate in named_rates(card, group.rates)),
        ]
        for group in card.claims
    ]
    show_table(console, heads, rows, indent=STEP, left=len(heads))
    for promise in dict.fromkeys(
        group.promise for group in card.claims if not group.promised and card.targets
    ):
        console.line(safe(promise), label=("note: ", "yellow"), indent=STEP)


def _show_slices(console: Console, card: "Card", column: str) -> None:
    """The rates by one column."""
    from sensecheck.calibration.summary import named_rates

    heads = [safe(column), *(named_rate.what for named_rate in named_rates(card, card.rates))]
    rows = [
        [safe(value), *(_rate_cell(named_rate.rate) for named_rate in named_rates(card, rates))]
        for value, rates in card.slices[column].items()
    ]
    console.line("")
    show_table(console, heads, rows, left=len(heads))


def _show_histogram(console: Console, card: "Card", histogram: "Histogram") -> None:
    """The share of good and of bad answers by reading; empty bins are left out."""
    from sensecheck.calibration.summary import measured, percent

    console.line((f"readings of {safe(measured(card))}, held-out answers", "bold"))
    rows = [
        [f"{low:.3g} to {high:.3g}", percent(good), percent(bad)]
        for low, high, good, bad in histogram.bins()
        if good > 0 or bad > 0
    ]
    show_table(console, ["reading", "good", "bad"], rows, indent=STEP)


def _show_roc(console: Console, roc: "Roc") -> None:
    """How well readings separate good answers from bad ones, and what the card's cutoff does."""
    from sensecheck.calibration.summary import percent

    about = f"AUC {'' if roc.whole else 'about '}{roc.auc:.3f}"
    console.line("")
    console.line((f"ROC: good answers that pass, by bad answers that pass; {about}", "bold"))
    points = {"passes": roc.passes, "passes, or unsure": roc.not_failed}
    rows = [[what, percent(at.good), percent(at.bad)] for what, at in points.items() if at is not None]
    show_table(console, ["", "good", "bad"], rows, indent=STEP)


def _show_reliability(console: Console, bins: "Sequence[Bin]") -> None:
    """The share of good answers by reading: expected, and seen."""
    from sensecheck.calibration.summary import percent

    rows = [
        [f"{bin_.low:.3g} to {bin_.high:.3g}", percent(bin_.expected), _rate_cell(bin_.observed)]
        for bin_ in bins
    ]
    console.line("")
    console.line(("reliability: share of good answers by reading", "bold"))
    show_table(console, ["reading", "expected", "observed (95% interval)"], rows, indent=STEP)


def _rate_cell(rate: "Rate | None") -> str:
    from sensecheck.calibration.summary import hits, interval, percent

    return "-" if rate is None else f"{percent(rate.value)} ({hits(rate)}; {interval(rate)})"
