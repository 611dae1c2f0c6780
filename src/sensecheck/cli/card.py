"""`sensecheck card`: look at cards, and hold them against new answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.card_sheet import card_data, show_card
from sensecheck.cli.column_options import CardsGroup, CardsLabel, Ignored, LeaveOutUnread, Parts, Slices
from sensecheck.cli.inputs import Texts
from sensecheck.cli.labelled_rows import Columns, labelled
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.cli.outcomes import FAILED, IN_WORDS_OF_CARD_CHECK, NOT_CERTIFIABLE, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.reading import must_be_able_to_fit, read_with_bar
from sensecheck.cli.recheck_sheet import show_recheck
from sensecheck.cli.rows import Rows
from sensecheck.core.errors import SampleError
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.calibration.card import Card
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

app = typer.Typer(help="List, show or check calibration cards.", no_args_is_help=True)
Given = Annotated[
    str, typer.Argument(help="A card by its name, or its file.", metavar="NAME|FILE.json", show_default=False)
]
_CODES = {"holds": PASSED, "broken": FAILED, "moved": FAILED, "too few": NOT_CERTIFIABLE}


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List your cards and ours, with what they promise."""
    from sensecheck.wiring import shelf

    cards = list(shelf(settings_with(None)).cards())
    if as_json:
        write_json([_in_brief(card) for card in cards])
        return
    paper = Paper()
    for card in cards:
        _show_brief(paper, card)
    if not cards:
        paper.say("there are no cards; make one: ", ("sensecheck calibrate --help", "bold cyan"))


@app.command()
def show(
    card: Given,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT.html", help="Write a page to show to others instead."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a card promises, what it was made of, and how its readings lie."""
    found = _found(card, settings_with(None))
    if html is not None:
        _write_page(found, html, as_json=as_json)
    elif as_json:
        write_json(card_data(found))
    else:
        show_card(Paper(), found)


@app.command(epilog=IN_WORDS_OF_CARD_CHECK)
def check(
    card: Given,
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
    from sensecheck.core.registry import measure_from_data
    from sensecheck.wiring import shelf

    settings = settings_with(encoder)
    held = _found(card, settings)
    asked = None if held.decides is None else open_again(held.decides, shelf=shelf(settings))
    measure = measure_from_data(held.measure, at=f"{held.name}.measure") if asked is None else asked.measure
    must_be_able_to_fit()
    new = _new_to(held, data)
    columns = Columns.of(
        label or _label_of(held, new),
        group or _group_of(held, new),
        parts=parts,
        slices=slices,
        ignored=ignored,
    )
    rows = labelled(new, columns, must_be_labelled=False)
    read = read_with_bar(rows, asked or measure, settings, as_json=as_json)
    found = recheck_card(held, read, check=asked, leave_out_unread=leave_out_unread)
    if as_json:
        write_json(found.to_data())
    else:
        show_recheck(Paper(), found)
    raise typer.Exit(_CODES[found.outcome])


def _new_to(card: "Card", path: str) -> Rows:
    """The rows of a file that the card was not fitted on."""
    rows = Rows.of(path)
    if rows.sha256 == card.data.sha256:
        raise SampleError(
            f"`{rows.name}` is the very file that the card `{card.name}` was made from; its line was chosen "
            "on these rows, and only rows that it has not seen can say whether its promise holds"
        )
    return rows


def _label_of(card: "Card", rows: Rows) -> str:
    """The card's own column; or the usual one, since new rows may be without a label."""
    return card.data.label if card.data.label in rows.columns() else "label"


def _group_of(card: "Card", rows: Rows) -> str | None:
    """The card's own column: a promise about groups says nothing of rows that are counted one by one."""
    group = card.data.group
    if group is not None and group not in rows.columns():
        raise SampleError(
            f"the card `{card.name}` counts rows of one `{group}` once, and no row of `{rows.name}` has that "
            "column; name the one that says which rows belong together with `--group`"
        )
    return group


def _found(given: str, settings: "Settings") -> "Card":
    """The card in a file, or the one of this name on the shelf."""
    from sensecheck.calibration.card import Card
    from sensecheck.wiring import shelf

    if given.endswith(".json"):
        return Card.from_json(Texts().read(f"@{given}"), at=given)
    return shelf(settings).card(given)


def _write_page(card: "Card", path: Path, *, as_json: bool) -> None:
    from sensecheck.calibration.page import page_of

    write_whole(path, page_of(card))
    if as_json:
        write_json({"html": str(path)})
    else:
        Paper().say("written to ", (safe(str(path)), "bold"))


def _in_brief(card: "Card") -> dict[str, object]:
    from sensecheck.calibration.summary import measured

    kept = ("name", "promise", "method", "targets", "good", "line", "doubt", "encoder", "date")
    data = card_data(card)
    return {**{key: data[key] for key in kept}, "measure": measured(card), "speaks_of": card.speaks_of()}


def _show_brief(paper: Paper, card: "Card") -> None:
    from sensecheck.calibration.summary import line_in_words, measured

    promised = " and ".join(target.in_words() for target in card.targets) or "promises nothing"
    average = ", on average" if card.method == "conformal" else ""
    paper.say((safe(card.name), "bold"), f"  {promised}{average}")
    if card.broken:
        paper.say(("broken on the rows that were held out", "bold red"), indent=2)
    paper.say(f"{safe(measured(card))}: {line_in_words(card)}", indent=2)
    paper.say((f"speaks of {safe(card.speaks_of())}", "dim"), indent=2)
    paper.say((f"encoder {safe(card.encoder or 'none')}; {safe(card.date)}", "dim"), indent=2)
