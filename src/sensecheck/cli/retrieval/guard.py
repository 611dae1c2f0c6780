"""`sensecheck guard`: what may pass from a retriever into a prompt, for whoever can write JSON lines."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, note, safe
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Encoder, Json, settings_with
from sensecheck.core.errors import SampleError, SpecError

if TYPE_CHECKING:
    from sensecheck.retrieval.prompt import Empty
    from sensecheck.retrieval.scales import Scale

# ruff: noqa: PLC0415 - the parts that guard bring numpy along, which `--help` does without

GUARD_EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  every query has its selection",
        "2  the command, the chain or the file is wrong",
        "3  a query could not be judged; its error stands in its place, and a prompt alone is not written",
    )
)
_SHORT = "Guards, in this order"


def _guard_option(flag: str, about: str, metavar: str, panel: str | None = _SHORT) -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=False)


def _output_option(*flags: str, about: str, metavar: str = "") -> Any:
    return typer.Option(
        *flags, metavar=metavar, help=about, rich_help_panel="What is written", show_default=False
    )


ChainFile = Annotated[
    Path | None,
    _guard_option("--chain", "A chain of guards; see `sensecheck schema --chain`.", "FILE.yaml", None),
]
Above = Annotated[
    str | None, _guard_option("--above", "Those at least this close: a number, or a card.", "LINE")
]
Distinct = Annotated[float | None, _guard_option("--distinct", "One of those this close to each other.", "C")]
Top = Annotated[int | None, _guard_option("--top", "The first so many.", "K")]
Chars = Annotated[int | None, _guard_option("--chars", "Within so many characters.", "N")]
Tokens = Annotated[int | None, _guard_option("--tokens", "Within so many tokens, block included.", "N")]
Counter = Annotated[
    str | None,
    _guard_option(
        "--counter", "Who counts tokens: minilm (as without), onnx:FOLDER, tokenizer:FILE.json.", "NAME"
    ),
]
ScaleName = Annotated[
    str | None,
    _guard_option(
        "--scale",
        "What the `score` of references is: cosine, cosine-distance, half-cosine, inner-product, l2, "
        "squared-l2.",
        "SCALE",
        None,
    ),
]


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
        _output_option(
            "--prompt", about="Write the block for the prompt of one query; with --json, of each."
        ),
    ] = False,
    empty: Annotated[
        str | None,
        _output_option(
            "--empty",
            about="The block where nothing is left: omit it (as without), or say so.",
            metavar="omit|say",
        ),
    ] = None,
    output: Annotated[
        Path | None, _output_option("--output", "-o", about="Write to this file.", metavar="FILE")
    ] = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Guard what a retriever found: what is kept for each query, what is dropped, by which guard and why.

    References are texts, or {"text", "closeness", "source", "metadata", "reference_score", "encoder", "id"};
    those without closeness are measured here. Without any guard, all are kept, by closeness. Each query is a
    line of JSON; on a terminal it is told in words, unless with --json.
    """
    from sensecheck.cli.retrieval.guard_view import (
        GuardTally,
        guard_each,
        guard_progress,
        show_guarded,
        show_tally,
        write_guarded,
        writing,
    )
    from sensecheck.config import LateEncoder, chain_parts
    from sensecheck.retrieval.dataset import Rising, one_alone, rows_from
    from sensecheck.retrieval.flags import Short, block_of, chosen_chain

    settings, scored = settings_with(encoder), scale_of(scale)
    if empty is not None and not prompt:
        raise SpecError("`--empty` is about the block of `--prompt`, which was not asked for")
    short = Short(above, distinct, top, chars, tokens, counter, _empty(empty))
    late = LateEncoder(settings)
    guards = chosen_chain(chain, short, chain_parts(settings), settings.cards_folder())
    if not guards.stages:
        note("no guard is set: all is kept, by closeness", as_json=as_json)
    tally, rising = GuardTally([stage.name for stage in guards.stages]), Rising()
    rows = rows_from(retrieved, scored)
    found = guard_each(one_alone(rows) if prompt and not as_json else rows, guards, late)
    block = block_of(guards, short) if prompt else None
    on_screen = output is None and sys.stdout.isatty()
    with writing(output) as write:
        write_one = partial(write_guarded, block=block, write=write, as_json=as_json)
        if on_screen and not prompt and not as_json:
            write_one = partial(show_guarded, Paper())
        for guarded in guard_progress(found, retrieved, hidden=on_screen):
            tally.count(guarded)
            rising.count(guarded.row)
            write_one(guarded)
        if not tally.queries:
            raise SampleError(f"`{retrieved}` holds no query; nothing was guarded")
    if (doubt := rising.doubt(scored)) is not None:
        note(doubt, as_json=as_json)
    if not as_json:
        show_tally(Paper(stderr=True), tally)
        if output is not None:
            Paper(stderr=True).say("written to ", (safe(str(output)), "bold"))
    raise typer.Exit(NOT_JUDGED if tally.errors else PASSED)


def scale_of(given: str | None) -> "Scale | None":
    """The scale of this name."""
    from sensecheck.core.serialization import decode
    from sensecheck.retrieval.scales import Scale

    known: Scale | None = None if given is None else decode(Scale, given, at="--scale")
    return known


def _empty(given: str | None) -> "Empty | None":
    from sensecheck.core.serialization import decode
    from sensecheck.retrieval.prompt import Empty

    known: Empty | None = None if given is None else decode(Empty, given, at="--empty")
    return known
