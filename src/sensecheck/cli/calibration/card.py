"""`sensecheck card`: cards listed, shown, and held against new answers."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, safe, show_table, write_json
from sensecheck.cli.exit_codes import FAILED, NOT_CERTIFIABLE, PASSED
from sensecheck.cli.options import (
    CardsGroup,
    CardsLabel,
    Encoder,
    Ignored,
    Json,
    LeaveOutUnread,
    Parts,
    Slices,
    settings_with,
)
from sensecheck.cli.progress import must_be_able_to_fit, read_with_bar
from sensecheck.core.errors import SampleError
from sensecheck.datasets.labelled import LabelledColumns, labelled
from sensecheck.datasets.rows import LoadedRows
from sensecheck.datasets.streams import Texts
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.calibration.card import Bin, Card
    from sensecheck.calibration.recheck import Recheck
    from sensecheck.calibration.summary import Histogram, Roc
    from sensecheck.config import Settings
    from sensecheck.core.cutoff import Rate

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

CARD_CHECK_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  the promise holds on the new rows",
        "1  the promise is broken, or the readings have moved",
        "2  the command is wrong, or a file cannot be read",
        "3  a row could not be judged",
        "4  too few rows to say",
    )
)
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
CardArgument = Annotated[
    str, typer.Argument(help="A card by its name, or its file.", metavar="NAME|FILE.json", show_default=False)
]
app = typer.Typer(help="List, show or check calibration cards.", no_args_is_help=True)


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List your cards and ours, with what they promise."""
    from sensecheck.config import shelf

    cards = list(shelf(settings_with(None)).cards())
    if as_json:
        write_json([_brief_data(card) for card in cards])
        return
    paper = Paper()
    for card in cards:
        _show_brief(paper, card)
    if not cards:
        paper.say("there are no cards; make one: ", ("sensecheck calibrate --help", "bold cyan"))


@app.command()
def show(
    card: CardArgument,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT.html", help="Write a page to show to others instead."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a card promises, what it was made of, and how its readings lie."""
    found = _card_named(card, settings_with(None))
    if html is not None:
        _write_page(found, html, as_json=as_json)
    elif as_json:
        write_json(card_data(found))
    else:
        show_card(Paper(), found)


@app.command(epilog=CARD_CHECK_EXIT_CODES)
def check(
    card: CardArgument,
    data: Annotated[
        str, typer.Option("--data", metavar="NEW.jsonl", help="New rows; those without a label serve too.")
    ],
    label: CardsLabel = None,
    parts: Parts = None,
    group: CardsGroup = None,
    slices: Slices = None,
    ignored: Ignored = None,
    leave_out_unread: LeaveOutUnread = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Hold a card against new rows: does its promise hold, and have the readings moved?

    Rows without a label say nothing of the promise, but something of the readings.
    """
    from sensecheck.checks.calibrate import recheck_card
    from sensecheck.checks.thresholds import open_again
    from sensecheck.config import shelf
    from sensecheck.core.registry import measure_from_data

    settings = settings_with(encoder)
    known = _card_named(card, settings)
    decider = None if known.decides is None else open_again(known.decides, shelf=shelf(settings))
    measure = (
        measure_from_data(known.measure, at=f"{known.name}.measure") if decider is None else decider.measure
    )
    must_be_able_to_fit()
    new = _rows_new_to(known, data)
    columns = LabelledColumns.of(
        label or _label_of(known, new),
        group or _group_of(known, new),
        parts=parts,
        slices=slices,
        ignored=ignored,
    )
    rows = labelled(new, columns, must_be_labelled=False)
    read = read_with_bar(rows, decider or measure, settings, as_json=as_json)
    found = recheck_card(known, read, check=decider, leave_out_unread=leave_out_unread)
    if as_json:
        write_json(found.to_data())
    else:
        show_recheck(Paper(), found)
    raise typer.Exit(_CODES[found.outcome])


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
        _show_claims(paper, card)
    for warning in card.warnings:
        paper.say(safe(warning), label=("warning: ", "yellow"), indent=STEP)


def show_card(paper: Paper, card: "Card") -> None:
    """Everything about a card, in words and in tables."""
    from sensecheck.calibration.summary import NOTHING_HELD_OUT, histogram_of, roc_of

    show_short(paper, card)
    for what, fact in _provenance(card):
        paper.say(safe(fact), label=(f"{what}: ", "dim"), indent=STEP)
    for column in card.slices:
        _show_slices(paper, card, column)
    histogram, roc = histogram_of(card), roc_of(card)
    paper.say("")
    if histogram is None:
        paper.say(NOTHING_HELD_OUT)
        return
    _show_histogram(paper, card, histogram)
    if roc is not None:
        _show_roc(paper, roc)
    if card.reliability:
        _show_reliability(paper, card.reliability)


def show_recheck(paper: Paper, found: "Recheck") -> None:
    """The verdict, each promise with its figures, and how far the readings have moved."""
    from sensecheck.calibration.summary import WHAT, in_full

    paper.say((safe(found.verdict), _COLOURS[found.outcome]))
    for kept in found.promises:
        seen = "no such rows" if kept.errors is None else in_full(kept.errors)
        paper.say(
            f"{kept.target.in_words()}: ",
            (kept.outcome, _COLOURS[kept.outcome]),
            f"; {WHAT[kept.target.errors]}: {seen}",
            indent=STEP,
        )
    for shift in found.shifts:
        paper.say(
            f"{shift.part} readings: ",
            (shift.degree, _DEGREES[shift.degree]),
            f"; {shift.n} rows, PSI {shift.psi:.3f}, KS {shift.ks:.3f} (p {shift.p:.3g})",
            indent=STEP,
        )


def _card_named(given: str, settings: "Settings") -> "Card":
    """The card in a file, or the one of this name in the library."""
    from sensecheck.calibration.card import Card
    from sensecheck.config import shelf

    if given.endswith(".json"):
        return Card.from_json(Texts().read(f"@{given}"), at=given)
    return shelf(settings).card(given)


def _rows_new_to(card: "Card", path: str) -> LoadedRows:
    """The rows of a file that the card was not fitted on."""
    rows = LoadedRows.of(path)
    if rows.sha256 == card.data.sha256:
        raise SampleError(
            f"`{rows.name}` is the very file that the card `{card.name}` was made from; its line was chosen "
            "on these rows, and only rows that it has not seen can say whether its promise holds"
        )
    return rows


def _label_of(card: "Card", rows: LoadedRows) -> str:
    """The card's own column; or the usual one, since new rows may be without a label."""
    return card.data.label if card.data.label in rows.columns() else "label"


def _group_of(card: "Card", rows: LoadedRows) -> str | None:
    """The card's own column: a promise about groups says nothing of rows that are counted one by one."""
    group = card.data.group
    if group is not None and group not in rows.columns():
        raise SampleError(
            f"the card `{card.name}` counts rows of one `{group}` once, and no row of `{rows.name}` has that "
            "column; name the one that says which rows belong together with `--group`"
        )
    return group


def _brief_data(card: "Card") -> dict[str, object]:
    from sensecheck.calibration.summary import measured

    keys = ("name", "promise", "method", "targets", "good", "line", "doubt", "encoder", "date")
    data = card_data(card)
    return {**{key: data[key] for key in keys}, "measure": measured(card), "speaks_of": card.speaks_of()}


def _show_brief(paper: Paper, card: "Card") -> None:
    from sensecheck.calibration.summary import line_in_words, measured

    promised = " and ".join(target.in_words() for target in card.targets) or "promises nothing"
    average = ", on average" if card.method == "conformal" else ""
    paper.say((safe(card.name), "bold"), f"  {promised}{average}")
    if card.broken:
        paper.say(("broken on the rows that were held out", "bold red"), indent=STEP)
    paper.say(f"{safe(measured(card))}: {line_in_words(card)}", indent=STEP)
    paper.say((f"speaks of {safe(card.speaks_of())}", "dim"), indent=STEP)
    paper.say((f"encoder {safe(card.encoder or 'none')}; {safe(card.date)}", "dim"), indent=STEP)


def _write_page(card: "Card", path: Path, *, as_json: bool) -> None:
    from sensecheck.calibration.page import page_of

    write_whole(path, page_of(card))
    if as_json:
        write_json({"html": str(path)})
    else:
        Paper().say("written to ", (safe(str(path)), "bold"))


def _provenance(card: "Card") -> Iterator[tuple[str, str]]:
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


def _show_claims(paper: Paper, card: "Card") -> None:
    """The lines and their rates by the number of claims, and for which of them nothing is promised."""
    from sensecheck.calibration.summary import in_words_of, told

    heads = ["answers of", "passes", "promised", *(each.what for each in told(card, card.rates))]
    rows = [
        [
            one.claims.in_words(),
            in_words_of(card.good, one.line, one.doubt),
            ("for " + one.scope.in_words()) if one.promised else "no",
            *(_rate_cell(each.rate) for each in told(card, one.rates)),
        ]
        for one in card.claims
    ]
    show_table(paper, heads, rows, indent=STEP, left=len(heads))
    for said in dict.fromkeys(one.promise for one in card.claims if not one.promised and card.targets):
        paper.say(safe(said), label=("note: ", "yellow"), indent=STEP)


def _show_slices(paper: Paper, card: "Card", column: str) -> None:
    """The rates by one column."""
    from sensecheck.calibration.summary import told

    heads = [safe(column), *(each.what for each in told(card, card.rates))]
    rows = [
        [safe(value), *(_rate_cell(each.rate) for each in told(card, rates))]
        for value, rates in card.slices[column].items()
    ]
    paper.say("")
    show_table(paper, heads, rows, left=len(heads))


def _show_histogram(paper: Paper, card: "Card", histogram: "Histogram") -> None:
    """The share of good and of bad answers by reading; readings that nobody had are left out."""
    from sensecheck.calibration.summary import measured, percent

    paper.say((f"readings of {safe(measured(card))}, held-out answers", "bold"))
    rows = [
        [f"{low:.3g} to {high:.3g}", percent(good), percent(bad)]
        for low, high, good, bad in histogram.bins()
        if good > 0 or bad > 0
    ]
    show_table(paper, ["reading", "good", "bad"], rows, indent=STEP)


def _show_roc(paper: Paper, roc: "Roc") -> None:
    """How well readings separate good answers from bad ones, and what the card's line does."""
    from sensecheck.calibration.summary import percent

    about = f"AUC {'' if roc.whole else 'about '}{roc.auc:.3f}"
    paper.say("")
    paper.say((f"ROC: good answers that pass, by bad answers that pass; {about}", "bold"))
    points = {"passes": roc.passes, "passes, or unsure": roc.not_failed}
    rows = [[what, percent(at.good), percent(at.bad)] for what, at in points.items() if at is not None]
    show_table(paper, ["", "good", "bad"], rows, indent=STEP)


def _show_reliability(paper: Paper, bins: "Sequence[Bin]") -> None:
    """The share of good answers by reading: expected, and seen."""
    from sensecheck.calibration.summary import percent

    rows = [
        [f"{one.low:.3g} to {one.high:.3g}", percent(one.expected), _rate_cell(one.observed)] for one in bins
    ]
    paper.say("")
    paper.say(("reliability: share of good answers by reading", "bold"))
    show_table(paper, ["reading", "expected", "observed (95% interval)"], rows, indent=STEP)


def _rate_cell(rate: "Rate | None") -> str:
    from sensecheck.calibration.summary import hits, interval, percent

    return "-" if rate is None else f"{percent(rate.value)} ({hits(rate)}; {interval(rate)})"
