"""`sensecheck effects`: what guards did to a pipeline, with them and without, on a labelled set."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sensecheck.retrieval.effects.labelled import LabelledRow
    from sensecheck.retrieval.effects.report import EffectsReport
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - the parts that count bring numpy along, which `--help` does without

EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  told",
        "2  the command, the chain or a file is wrong",
        "3  a reference could not be judged; nothing was written",
    )
)
_FORMS = (".html", ".csv", ".json")
REMEMBERED = 8192
"""Texts that stay placed, for measuring and for the guards together."""


def effects(
    labelled: Annotated[
        str,
        typer.Argument(
            metavar="LABELLED.jsonl",
            help='A line for each query: {"item": …, "query": …, "references": [{"text": …, "relevant": '
            "true|false, …}]}, items in the order of the prompt; `-` is standard input.",
            show_default=False,
        ),
    ],
    chain: Annotated[
        Path,
        typer.Option("--chain", metavar="FILE.yaml", help="The guards; see `sensecheck schema --chain`."),
    ],
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
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the bootstrap.", min=0)] = 0,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """What guards did: references kept and lost, coverage, budgets, and how wrong the answers are."""
    from sensecheck.cli.effects_sheet import show_effects

    outputs = output or []
    for path in outputs:
        if path.suffix not in _FORMS:
            known = ", ".join(f"`{form}`" for form in _FORMS)
            raise SpecError(f"`{path}` names no form of this report by its ending; known: {known}")
    found = _found(
        labelled,
        chain,
        scored or [],
        settings_with(encoder),
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


def _found(
    labelled: str, chain: Path, scored: list[str], settings: "Settings", *, seed: int, quiet: bool
) -> "EffectsReport":
    """Files are all read, and what is wrong in them told, before the slow work begins."""
    from sensecheck.cli.chain_file import read_chain
    from sensecheck.cli.effects_rows import labelled_rows, scored_arms
    from sensecheck.cli.late_encoder import LateEncoder
    from sensecheck.cli.placing import placing_shown
    from sensecheck.core.encoder import Answerers
    from sensecheck.encoders.remembered import remembering
    from sensecheck.retrieval.effects.effects import effects_of
    from sensecheck.retrieval.effects.labelled import measured_rows
    from sensecheck.retrieval.effects.report import EffectsReport, ScoredEffects

    late = LateEncoder(settings)
    guards = read_chain(chain, settings)
    name, rows = labelled_rows(labelled)
    answered = ScoredEffects.of(*scored_arms(scored), seed=seed) if scored else None
    with placing_shown(late, _to_place(rows), hidden=quiet) as shown:
        placing = remembering(shown, REMEMBERED)
        found = effects_of(measured_rows(rows, placing), guards, Answerers(placing), seed=seed)
    return EffectsReport(name, found, answered)


def _to_place(rows: "Sequence[LabelledRow]") -> int | None:
    """How many texts the encoder is given; where closeness came along, only the guards know."""
    from sensecheck.core.canonical import canonical

    if any(row.is_measured for row in rows):
        return None
    return len(
        {canonical(text) for row in rows for text in (row.query, *(one.text for one in row.references))}
    )


def _write(found: "EffectsReport", path: Path) -> None:
    from sensecheck.retrieval.effects.csv_table import csv_text
    from sensecheck.retrieval.effects.page import page_of

    if path.suffix == ".html":
        text = page_of(found)
    elif path.suffix == ".csv":
        text = csv_text(found.effects)
    else:
        text = json.dumps(found.to_data(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    with whole_file(path, errors="backslashreplace") as file:
        file.write(text)
