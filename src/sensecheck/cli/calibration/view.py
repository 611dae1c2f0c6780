"""Cards, heads, and how they were fitted, as people read them."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from sensecheck.calibration.card import Bin, Card
from sensecheck.calibration.recheck import Recheck
from sensecheck.calibration.summary import (
    METHODS,
    NOTHING_HELD_OUT,
    WHAT,
    Histogram,
    Roc,
    cutoff_in_words,
    describe_cutoff,
    histogram_of,
    hits,
    in_full,
    interval,
    measured,
    named_rates,
    percent,
    precision,
    roc_of,
)
from sensecheck.checks.train import Table
from sensecheck.cli.console import Console, safe, show_table, write_json
from sensecheck.core.cutoff import Rate
from sensecheck.core.serialization import encode
from sensecheck.training import Calibration, CalibrationRequest, TrainedHead

STEP = 2
_COLOURS = {
    "holds": "bold green",
    "broken": "bold red",
    "moved": "bold red",
    "above": "bold yellow",
    "too few": "bold yellow",
}
_DEGREES = {"stable": "green", "somewhat": "yellow", "moved": "red", "too few": "yellow"}


def write_calibration(calibration: Calibration) -> None:
    """The card and its file, or why there is none, as JSON."""
    if calibration.card is not None:
        path = None if calibration.path is None else str(calibration.path)
        write_json(
            {"path": path, "card": card_data(calibration.card), "broken": list(calibration.card.broken)}
        )
    elif (refusal := calibration.not_certifiable) is not None:
        write_json({"not_certifiable": encode(refusal), "because": refusal.describe()})


def show_calibration(card: Card, calibration: Calibration, request: CalibrationRequest) -> None:
    """The card in short, where it was written, and how to use it."""
    console, roc = Console(), roc_of(card)
    show_short(console, card)
    if roc is not None and roc.auc < 0.5:
        hint = f"bad answers read better than good ones (AUC {roc.auc:.3f}): is {card.good} the good side?"
        console.line(hint, label=("warning: ", "yellow"), indent=2)
    if calibration.path is None:
        console.line(
            "not written: label more rows, or fit again; ", ("--keep-broken", "bold"), " writes it anyway"
        )
        return
    console.line("written to ", (safe(str(calibration.path)), "bold"))
    console.line("look at it: ", (f"sensecheck card show {safe(str(calibration.path))}", "bold cyan"))
    if calibration.check["kind"] == "relevant":
        chain, command = f"- above: {card.name}", f"sensecheck guard … --min-similarity {card.name}"
        console.line("use it in a chain: ", (chain, "bold cyan"), ", or: ", (command, "bold cyan"))
    else:
        check = json.dumps(calibration.check, ensure_ascii=False)
        console.line("use it in a check: ", (safe(check), "bold cyan"))
    if calibration.path.parent.resolve() != request.settings.cards_folder().resolve():
        console.line("with ", (f"SENSECHECK_CARDS={safe(str(calibration.path.parent))}", "bold cyan"))


def card_data(card: Card) -> Any:
    """The card as plain data, as it stands in its file."""
    return json.loads(card.to_json())


def show_short(console: Console, card: Card) -> None:
    """Name, promise, cutoff, rates and warnings."""
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


def show_card(console: Console, card: Card) -> None:
    """Everything about a card, in words and in tables."""
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


def show_recheck(console: Console, found: Recheck) -> None:
    """The verdict, each promise with its figures, and how far the readings have moved."""
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


def brief_data(card: Card) -> dict[str, object]:
    """A card of the list as plain data."""
    keys = ("name", "promise", "method", "targets", "good", "line", "doubt", "encoder", "date")
    data = card_data(card)
    return {**{key: data[key] for key in keys}, "measure": measured(card), "speaks_of": card.speaks_of()}


def show_brief(console: Console, card: Card) -> None:
    """A card of the list: what it promises, and of what it speaks."""
    promised = " and ".join(target.describe() for target in card.targets) or "promises nothing"
    average = ", on average" if card.method == "conformal" else ""
    console.line((safe(card.name), "bold"), f"  {promised}{average}")
    if card.broken:
        console.line(("broken on the rows that were held out", "bold red"), indent=STEP)
    console.line(f"{safe(measured(card))}: {cutoff_in_words(card)}", indent=STEP)
    console.line((f"speaks of {safe(card.speaks_of())}", "dim"), indent=STEP)
    console.line((f"encoder {safe(card.encoder or 'none')}; {safe(card.date)}", "dim"), indent=STEP)


def _provenance(card: Card) -> Iterator[tuple[str, str]]:
    """Who made the card, when, and of what."""
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


def _show_claims(console: Console, card: Card) -> None:
    """The cutoffs and their rates by the number of claims, and for which of them nothing is promised."""
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


def _show_slices(console: Console, card: Card, column: str) -> None:
    """The rates by one column."""
    heads = [safe(column), *(named_rate.what for named_rate in named_rates(card, card.rates))]
    rows = [
        [safe(value), *(_rate_cell(named_rate.rate) for named_rate in named_rates(card, rates))]
        for value, rates in card.slices[column].items()
    ]
    console.line("")
    show_table(console, heads, rows, left=len(heads))


def _show_histogram(console: Console, card: Card, histogram: Histogram) -> None:
    """The share of good and of bad answers by reading, as far as readings reach; empty bins are left out."""
    console.line((f"readings of {safe(measured(card))}, held-out answers", "bold"))
    readings = (*card.held_out_scores.good, *card.held_out_scores.bad)
    lowest, highest = min(readings), max(readings)
    rows = [
        [f"{max(low, lowest):.3g} to {min(high, highest):.3g}", percent(good), percent(bad)]
        for low, high, good, bad in histogram.bins()
        if good > 0 or bad > 0
    ]
    show_table(console, ["reading", "good", "bad"], rows, indent=STEP)


def _show_roc(console: Console, roc: Roc) -> None:
    """How well readings separate good answers from bad ones, and what the card's cutoff does."""
    about = f"AUC {'' if roc.whole else 'about '}{roc.auc:.3f}"
    console.line("")
    console.line((f"ROC: good answers that pass, by bad answers that pass; {about}", "bold"))
    points = {"passes": roc.passes, "passes, or unsure": roc.not_failed}
    rows = [[what, percent(at.good), percent(at.bad)] for what, at in points.items() if at is not None]
    show_table(console, ["", "good", "bad"], rows, indent=STEP)


def _show_reliability(console: Console, bins: Sequence[Bin]) -> None:
    """The share of good answers by reading: expected, and seen."""
    rows = [
        [f"{bin_.low:.3g} to {bin_.high:.3g}", percent(bin_.expected), _rate_cell(bin_.observed)]
        for bin_ in bins
    ]
    console.line("")
    console.line(("reliability: share of good answers by reading", "bold"))
    show_table(console, ["reading", "expected", "observed (95% interval)"], rows, indent=STEP)


def _rate_cell(rate: Rate | None) -> str:
    return "-" if rate is None else f"{percent(rate.value)} ({hits(rate)}; {interval(rate)})"


def head_data(trained: TrainedHead) -> dict[str, Any]:
    """What was trained, how it was tested, and its file, as plain data."""
    table = trained.table
    label, share = table.commonest()
    return {
        "path": str(trained.path),
        "name": trained.model.name,
        "digest": trained.model.digest,
        "encoder": trained.model.encoder,
        "rows": trained.rows,
        "left_out": len(trained.left_out),
        "cross_validation": {
            "classes": list(table.classes),
            "counts": [list(row) for row in table.counts],
            "accuracy": encode(table.accuracy),
            "recall": {name: encode(table.recall(name)) for name in table.classes},
            "commonest": {"label": label, "share": share},
        },
        "measure": trained.measure,
    }


def show_head(console: Console, trained: TrainedHead) -> None:
    """How the head did, its file, and what to do next."""
    console.line((safe(trained.model.name), "bold"), f": trained on {trained.rows} answers")
    _show_left_out(console, trained)
    console.line("on answers that were held out from training, a fifth at a time:", indent=STEP)
    _show_confusion(console, trained.table)
    _show_accuracy(console, trained.table)
    console.line("written to ", (safe(str(trained.path)), "bold"))
    measure = json.dumps(trained.measure, ensure_ascii=False)
    console.line("a measure that reads it, with what you look for in `of`: ", (safe(measure), "bold cyan"))
    command = "sensecheck calibrate OTHER.jsonl --measure MEASURE.json --fpr 0.05 --name NAME"
    console.line("fit its cutoff on other answers: ", (command, "bold cyan"))


def _show_left_out(console: Console, trained: TrainedHead) -> None:
    if trained.left_out:
        total = trained.rows + len(trained.left_out)
        first = f"(the first because {safe(trained.left_out[0])})"
        message = f"{len(trained.left_out)} of {total} rows could not be read {first}; they were left out"
        console.line(message, label=("warning: ", "yellow"), indent=STEP)


def _show_confusion(console: Console, table: Table) -> None:
    """What was predicted for each label."""
    recalls = [table.recall(label) for label in table.classes]
    names = [safe(label) for label in table.classes]
    rows = [
        [name, *map(str, counts), f"{percent(recall.value)} ({interval(recall)})"]
        for name, counts, recall in zip(names, table.counts, recalls, strict=True)
    ]
    heads = ["label", *(f"said {name}" for name in names), "recognised"]
    show_table(console, heads, rows, indent=2 * STEP)


def _show_accuracy(console: Console, table: Table) -> None:
    label, share = table.commonest()
    console.line("right: ", (in_full(table.accuracy), "bold"), indent=STEP)
    if table.accuracy.low <= share:
        hint = f"to say `{safe(label)}` of every answer would be right in {percent(share)}, perhaps as often"
        console.line(hint, label=("warning: ", "yellow"), indent=STEP)
