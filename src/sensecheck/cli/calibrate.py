"""`sensecheck calibrate`: from labelled answers to a line that keeps a promise."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sensecheck.cli.card_sheet import card_data, show_short
from sensecheck.cli.column_options import Group, Ignored, Label, LeaveOutUnread, Parts, Slices
from sensecheck.cli.labelled_rows import Columns
from sensecheck.cli.measured import Measured
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.cli.order import Order
from sensecheck.cli.outcomes import FAILED, NOT_CERTIFIABLE
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import encode

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.calibration.sample_size import NotCertifiable
    from sensecheck.calibration.target import Target
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that judge and fit bring numpy along, which `--help` does without

_WHAT = "What is calibrated"
_PROMISE = "The promise"
_CARD = "The card"


def _option(flag: str, about: str, panel: str, metavar: str, *, default: bool = False) -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=default)


def calibrate(
    file: Annotated[
        str, typer.Argument(help="Labelled samples, one a line; or a .csv.", metavar="LABELLED.jsonl")
    ],
    name: Annotated[str, _option("--name", "What the card is called.", _CARD, "NAME")],
    preset: Annotated[
        str | None, _option("--preset", "One of our checks; its verdicts count.", _WHAT, "NAME")
    ] = None,
    policy: Annotated[
        str | None, _option("--policy", "How `grounded`, or `means`, decides.", _WHAT, "NAME")
    ] = None,
    measure: Annotated[
        str | None,
        _option(
            "--measure", "A measure, by its name or as data; its reading alone.", _WHAT, "NAME|FILE.json"
        ),
    ] = None,
    good: Annotated[
        Literal["above", "below"] | None,
        _option("--good", "Which readings of --measure are good; above unless given.", _WHAT, "SIDE"),
    ] = None,
    fpr: Annotated[
        float | None, _option("--fpr", "Of bad answers, at most this share passes.", _PROMISE, "SHARE")
    ] = None,
    fnr: Annotated[
        float | None, _option("--fnr", "Of good answers, at most this share fails.", _PROMISE, "SHARE")
    ] = None,
    confidence: Annotated[
        float | None, _option("--confidence", "How surely; 0.95 unless given.", _PROMISE, "SHARE")
    ] = None,
    method: Annotated[
        Literal["exact", "conformal", "best-f1"],
        _option(
            "--method", "exact, conformal (on average) or best-f1 (promises nothing).", _PROMISE, "METHOD"
        ),
    ] = "exact",
    out: Annotated[
        Path | None, _option("--out", "Its folder; that of SENSECHECK_CARDS unless given.", _CARD, "FOLDER")
    ] = None,
    held_out: Annotated[
        float,
        _option("--held-out", "The share of rows that errors are counted on.", _CARD, "SHARE", default=True),
    ] = 0.3,
    seed: Annotated[int, _option("--seed", "Which rows those are.", _CARD, "NUMBER", default=True)] = 0,
    licence: Annotated[
        str, _option("--licence", "Of the data, for a card that travels.", _CARD, "TEXT")
    ] = "",
    force: Annotated[bool, _option("--force", "Write over a card of this name.", _CARD, "")] = False,
    keep_broken: Annotated[
        bool, _option("--keep-broken", "Write the card even if held-out rows break its promise.", _CARD, "")
    ] = False,
    label: Label = "label",
    parts: Parts = None,
    group: Group = None,
    slices: Slices = None,
    ignored: Ignored = None,
    leave_out_unread: LeaveOutUnread = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Find the line under which a check keeps a promise, from labelled answers, and write it on a card.

    A row holds the sample: `answer`, and `question`, `expected`, `passages` or `id` where there are any;
    and its `label`. Of each other column, say what it is: `--column question=query`, say.
    """
    settings = settings_with(encoder)
    order = Order(
        name=name,
        folder=settings.cards_folder() if out is None else out,
        asked=Measured.of(preset, measure, good, policy),
        method="best_f1" if method == "best-f1" else method,
        targets=_targets(fpr, fnr, confidence),
        columns=Columns.of(label, group, parts=parts, slices=slices, ignored=ignored),
        held_out=held_out,
        seed=seed,
        licence=licence,
        leave_out_unread=leave_out_unread,
        force=force,
        keep_broken=keep_broken,
    )
    order.must_be_possible()
    _tell(order.fit(file, settings, as_json=as_json), order, settings, as_json=as_json)


def _targets(fpr: float | None, fnr: float | None, confidence: float | None) -> "tuple[Target, ...]":
    from sensecheck.calibration.target import Target

    if confidence is not None and fpr is None and fnr is None:
        raise SpecError("`--confidence` is that of `--fpr` and `--fnr`; neither was given")
    accepts = () if fpr is None else (Target("false_accepts", fpr, confidence),)
    rejects = () if fnr is None else (Target("false_rejects", fnr, confidence),)
    return accepts + rejects


def _tell(found: "Card | NotCertifiable", order: Order, settings: "Settings", *, as_json: bool) -> None:
    """Write the card and say so; or say what it lacks."""
    from sensecheck.calibration.card import Card

    if not isinstance(found, Card):
        if as_json:
            write_json({"not_certifiable": encode(found), "because": found.in_words()})
        else:
            Paper().say((found.in_words(), "bold yellow"))
        raise typer.Exit(NOT_CERTIFIABLE)
    written = not found.broken or order.keep_broken
    if written:
        order.write(found)
    if as_json:
        path = str(order.path) if written else None
        write_json({"path": path, "card": card_data(found), "broken": list(found.broken)})
    else:
        _show(found, order, settings, written=written)
    if found.broken:
        raise typer.Exit(FAILED)


def _show(card: "Card", order: Order, settings: "Settings", *, written: bool) -> None:
    from sensecheck.calibration.summary import roc_of

    paper, roc = Paper(), roc_of(card)
    show_short(paper, card)
    if roc is not None and roc.auc < 0.5:
        hint = f"bad answers read better than good ones (AUC {roc.auc:.3f}): is {card.good} the good side?"
        paper.say(hint, label=("warning: ", "yellow"), indent=2)
    if not written:
        paper.say(
            "not written: label more rows, or fit again; ", ("--keep-broken", "bold"), " writes it anyway"
        )
        return
    paper.say("written to ", (safe(str(order.path)), "bold"))
    paper.say("look at it: ", (f"sensecheck card show {safe(str(order.path))}", "bold cyan"))
    if (guards := order.asked.guards(card.name)) is not None:
        chain, command = guards
        paper.say("use it in a chain: ", (chain, "bold cyan"), ", or: ", (command, "bold cyan"))
    else:
        paper.say("use it in a check: ", (safe(order.asked.used(card.name)), "bold cyan"))
    if order.folder.resolve() != settings.cards_folder().resolve():
        paper.say("with ", (f"SENSECHECK_CARDS={safe(str(order.folder))}", "bold cyan"))
