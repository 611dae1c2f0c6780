"""`sensecheck effects`: what guards did to a pipeline, with them and without, on a labelled set."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.cli.retrieval.guard import (
    Above,
    ChainFile,
    Chars,
    Counter,
    Distinct,
    ScaleName,
    Tokens,
    Top,
    scale_of,
)
from sensecheck.core.errors import SpecError
from sensecheck.io.atomic import whole_file

if TYPE_CHECKING:
    from sensecheck.retrieval.effects_report import EffectsReport


# ruff: noqa: PLC0415 - the parts that count bring numpy along, which `--help` does without

EFFECTS_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  told",
        "2  the command, the chain or a file is wrong",
        "3  a reference could not be judged; nothing was written",
    )
)
_FORMS = (".html", ".csv", ".json")


def effects(
    labelled: Annotated[
        str,
        typer.Argument(
            metavar="LABELLED.jsonl",
            help='A line for each query: {"query": …, "references": [{"text": …, "relevant": true|false, …}, '
            '…], "item": …}, items in the order of the prompt; `-` is standard input.',
            show_default=False,
        ),
    ],
    chain: ChainFile = None,
    above: Above = None,
    distinct: Distinct = None,
    top: Top = None,
    chars: Chars = None,
    tokens: Tokens = None,
    counter: Counter = None,
    scale: ScaleName = None,
    scored: Annotated[
        list[str] | None,
        typer.Option(
            "--scored",
            metavar="SCORED.jsonl",
            help='What was answered: {"id": …, "arm": "bare"|"guarded", "confidence": number|null, "loss" or '
            '"correct": …, "group": …} a line. Repeat for a second file.',
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write it to a file: .html (with pictures), .csv (a row an item), .json. Repeat for more.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Which random draws are made.", min=0)] = 0,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """What guards did: references kept and lost, coverage, budgets, and how wrong the answers are.

    Guards are a chain in a file, or short flags. Rows may have an `item`, what the query is about, an `id`,
    and keys `x-…` of your own.
    """
    from sensecheck.cli.retrieval.effects_view import effects_report, show_effects
    from sensecheck.config import chain_parts
    from sensecheck.retrieval.flags import Short, chosen_chain

    outputs = output or []
    for path in outputs:
        if path.suffix not in _FORMS:
            known = ", ".join(f"`{form}`" for form in _FORMS)
            raise SpecError(f"`{path}` names no form of this report by its ending; known: {known}")
    settings, short = settings_with(encoder), Short(above, distinct, top, chars, tokens, counter)
    if chain is None and short == Short():
        raise SpecError(
            "no guard is set, so there is nothing to tell; wanted `--chain`, or such as `--above`"
        )
    found = effects_report(
        labelled,
        chosen_chain(chain, short, chain_parts(settings), settings.cards_folder()),
        scored or [],
        settings,
        scale=scale_of(scale),
        seed=seed,
        quiet=as_json and sys.stdout.isatty(),
    )
    for path in outputs:
        _write(found, path)
    if as_json:
        write_json(found.to_data())
        return
    show_effects(Paper(), found)
    for path in outputs:
        Paper().say("written to ", (safe(str(path)), "bold"))


def _write(found: "EffectsReport", path: Path) -> None:
    from sensecheck.retrieval.effects_report import csv_text, page_of

    if path.suffix == ".html":
        text = page_of(found)
    elif path.suffix == ".csv":
        text = csv_text(found.effects)
    else:
        text = json.dumps(found.to_data(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    with whole_file(path, errors="backslashreplace") as file:
        file.write(text)
