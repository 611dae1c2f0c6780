"""`sensecheck guard`: what may pass from a retriever into a prompt, for whoever can write JSON lines."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.guard_options import (
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
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.cli.outcomes import NOT_JUDGED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SampleError, SpecError

if TYPE_CHECKING:
    from sensecheck.retrieval.prompt import Empty

# ruff: noqa: PLC0415 - the parts that guard bring numpy along, which `--help` does without

EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  every query has its selection",
        "2  the command, the chain or the file is wrong",
        "3  a query could not be judged; its error stands in its place, and a prompt alone is not written",
    )
)


def _option(*flags: str, about: str, metavar: str = "") -> Any:
    return typer.Option(
        *flags, metavar=metavar, help=about, rich_help_panel="What is written", show_default=False
    )


def guard(
    retrieved: Annotated[
        str,
        typer.Argument(
            help='A line for each query: {"query": …, "references": […]}; `-` is standard input.',
            metavar="RETRIEVED.jsonl|-",
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
    prompt: Annotated[
        bool,
        _option("--prompt", about="Write the block for the prompt of one query; with --json, of each."),
    ] = False,
    empty: Annotated[
        str | None,
        _option(
            "--empty",
            about="The block where nothing is left: omit it (as without), or say so.",
            metavar="omit|say",
        ),
    ] = None,
    output: Annotated[
        Path | None, _option("--output", "-o", about="Write to this file.", metavar="FILE")
    ] = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Guard what a retriever found: what is kept for each query, what is dropped, by which guard and why.

    References are texts, or {"text", "closeness", "source", "metadata", "reference_score", "encoder", "id"};
    those without closeness are measured here. Without any guard, all are kept, by closeness. Each query is a
    line of JSON; on a terminal it is told in words, unless with --json.
    """
    from sensecheck.cli.guard_chain import Short, block_of, chosen_chain
    from sensecheck.cli.guard_output import shown, tell, writing
    from sensecheck.cli.guard_rising import Rising
    from sensecheck.cli.guard_rows import one_alone, rows_from
    from sensecheck.cli.guard_sheet import GuardTally, show_tally
    from sensecheck.cli.guard_walk import guard_each
    from sensecheck.cli.guard_words import show_guarded
    from sensecheck.cli.late_encoder import LateEncoder

    settings, scored = settings_with(encoder), scale_of(scale)
    if empty is not None and not prompt:
        raise SpecError("`--empty` is about the block of `--prompt`, which was not asked for")
    short = Short(above, distinct, top, chars, tokens, counter, _empty(empty))
    placing = LateEncoder(settings)
    guards = chosen_chain(chain, short, settings)
    if not guards.stages:
        _note("no guard is set: all is kept, by closeness", as_json=as_json)
    tally, rising = GuardTally([stage.name for stage in guards.stages]), Rising()
    rows = rows_from(retrieved, scored)
    found = guard_each(one_alone(rows) if prompt and not as_json else rows, guards, placing)
    block = block_of(guards, short) if prompt else None
    on_screen = output is None and sys.stdout.isatty()
    with writing(output) as write:
        told = partial(tell, block=block, write=write, as_json=as_json)
        if on_screen and not prompt and not as_json:
            told = partial(show_guarded, Paper())
        for guarded in shown(found, retrieved, hidden=on_screen):
            tally.count(guarded)
            rising.count(guarded.row)
            told(guarded)
        if not tally.queries:
            raise SampleError(f"`{retrieved}` holds no query; nothing was guarded")
    if (doubt := rising.doubt(scored)) is not None:
        _note(doubt, as_json=as_json)
    if not as_json:
        show_tally(Paper(stderr=True), tally)
        if output is not None:
            Paper(stderr=True).say("written to ", (safe(str(output)), "bold"))
    raise typer.Exit(NOT_JUDGED if tally.errors else PASSED)


def _note(said: str, *, as_json: bool) -> None:
    """Say something on standard error that is no error."""
    if as_json:
        write_json({"note": said}, err=True)
    else:
        Paper(stderr=True).say(said, label=("note: ", "bold yellow"))


def _empty(given: str | None) -> "Empty | None":
    from sensecheck.core.serialization import decode
    from sensecheck.retrieval.prompt import Empty

    known: Empty | None = None if given is None else decode(Empty, given, at="--empty")
    return known
