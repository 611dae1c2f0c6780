"""`sensecheck card`: cards listed, shown, and checked against new answers."""

from pathlib import Path
from typing import Annotated

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import FAILED, NOT_CERTIFIABLE, PASSED, codes_of
from sensecheck.cli.options import (
    COLUMNS,
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

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

_CODES = {"holds": PASSED, "broken": FAILED, "moved": FAILED, "too few": NOT_CERTIFIABLE}
CardArgument = Annotated[str, argument("NAME|FILE.json", "A card by its name, or its file.")]
app = typer.Typer(help="List, show or check calibration cards.", no_args_is_help=True)


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List your cards and ours, with what they promise."""
    from sensecheck.cli.calibration.view import brief_data, show_brief
    from sensecheck.training import list_cards

    cards = list_cards()
    if as_json:
        write_json([brief_data(card) for card in cards])
        return
    console = Console()
    for card in cards:
        show_brief(console, card)
    if not cards:
        console.line("there are no cards; make one: ", ("sensecheck calibrate --help", "bold cyan"))


@app.command()
def show(
    card: CardArgument,
    html: Annotated[Path | None, option("--html OUT.html", "Write a page to show to others instead.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a card promises, what it was made of, and how its readings lie."""
    from sensecheck.calibration.page import page_of
    from sensecheck.cli.calibration.view import card_data, show_card
    from sensecheck.training import find_card

    loaded_card = find_card(card)
    if html is not None:
        write_whole(html, page_of(loaded_card))
        if as_json:
            write_json({"html": str(html)})
        else:
            Console().line("written to ", (safe(str(html)), "bold"))
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
    label: Annotated[
        str | None,
        option(
            "--label COLUMN",
            "Whether the answer is good; the column that the card's rows had it in.",
            COLUMNS,
        ),
    ] = None,
    parts: Parts = None,
    group: Annotated[
        str | None,
        option(
            "--group COLUMN",
            "The prompt or document that rows share; the card's column unless given.",
            COLUMNS,
        ),
    ] = None,
    slices: Slices = None,
    ignored: Ignored = None,
    skip_unreadable: SkipUnreadable = False,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Check a card against new rows: does its promise hold, and have the readings moved?

    Rows without a label show nothing of the promise, but something of the readings.
    """
    from sensecheck.cli.calibration.view import show_recheck
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
