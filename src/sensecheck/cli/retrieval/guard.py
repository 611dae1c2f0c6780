"""`sensecheck guard`: what may pass from a retriever into a prompt, as JSON lines."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Console, note, safe
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Encoder, Json, option, settings_with
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.retrieval.match import Scale

# ruff: noqa: PLC0415 - the parts that guard bring numpy along, which `--help` does without

_SHORT = "Guards, in this order"


def _guard_option(flag: str, about: str, metavar: str, panel: str | None = _SHORT) -> Any:
    return option(flag, about, metavar, panel)


def _output_option(*flags: str, about: str, metavar: str = "") -> Any:
    return typer.Option(
        *flags, metavar=metavar, help=about, rich_help_panel="What is written", show_default=False
    )


ChainFile = Annotated[
    Path | None,
    _guard_option("--chain", "A chain of guards; see `sensecheck schema --chain`.", "FILE.yaml", None),
]
MinSimilarity = Annotated[
    str | None,
    _guard_option(
        "--min-similarity", "Those at least this close to the query: a number, or a card.", "VALUE|CARD"
    ),
]
Dedupe = Annotated[
    float | None, _guard_option("--dedupe", "One of those at least this close to each other.", "SIMILARITY")
]
TopK = Annotated[int | None, _guard_option("--top-k", "The first K.", "K")]
MaxChars = Annotated[int | None, _guard_option("--max-chars", "Within N characters.", "N")]
MaxTokens = Annotated[int | None, _guard_option("--max-tokens", "Within N tokens, block included.", "N")]
Tokenizer = Annotated[
    str | None,
    _guard_option(
        "--tokenizer", "Counts tokens: minilm (the default), onnx:FOLDER, tokenizer:FILE.json.", "NAME"
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
            help='One line per query: {"query": …, "references": […]}; `-` is standard input.',
            metavar="RETRIEVED.jsonl|-",
            show_default=False,
        ),
    ],
    chain: ChainFile = None,
    min_similarity: MinSimilarity = None,
    dedupe: Dedupe = None,
    top_k: TopK = None,
    max_chars: MaxChars = None,
    max_tokens: MaxTokens = None,
    tokenizer: Tokenizer = None,
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
            about="The block where nothing is left: omit it (the default), or say so.",
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

    References are strings, or {"text", "closeness", "source", "metadata", "reference_score", "encoder",
    "id"}; what has no closeness is measured here. Without any guard, all are kept, the most similar
    first. Each query is a line of JSON; on a terminal it is shown in words, unless with --json.
    """
    from sensecheck.cli.retrieval.guard_view import (
        guard_progress,
        show_guarded,
        show_tally,
        write_guarded,
        writing,
    )
    from sensecheck.core.serialization import decode
    from sensecheck.guards import GuardRequest
    from sensecheck.guards import guard as guard_queries
    from sensecheck.retrieval.prompt import Empty

    if empty is not None and not prompt:
        raise SpecError("`--empty` is about the block of `--prompt`, which was not given")
    request = GuardRequest(
        retrieved=retrieved,
        chain=chain,
        min_similarity=min_similarity,
        dedupe=dedupe,
        top_k=top_k,
        max_chars=max_chars,
        max_tokens=max_tokens,
        tokenizer=tokenizer,
        scale=scale_of(scale),
        empty=None if empty is None else decode(Empty, empty, at="--empty"),
        one_query=prompt and not as_json,
        settings=settings_with(encoder),
    )
    queries = guard_queries(request)
    early_notes = queries.notes
    for text in early_notes:
        note(text, as_json=as_json)
    on_screen = output is None and sys.stdout.isatty()
    block = queries.prompt if prompt else None
    with writing(output) as write:
        for guarded in guard_progress(queries, retrieved, hidden=on_screen):
            if on_screen and not prompt and not as_json:
                show_guarded(Console(), guarded)
            else:
                write_guarded(guarded, block, write, as_json=as_json)
    for text in queries.notes[len(early_notes) :]:
        note(text, as_json=as_json)
    if not as_json:
        show_tally(Console(stderr=True), queries.tally)
        if output is not None:
            Console(stderr=True).line("written to ", (safe(str(output)), "bold"))
    raise typer.Exit(NOT_JUDGED if queries.tally.errors else PASSED)


def scale_of(name: str | None) -> "Scale | None":
    """The scale of this name."""
    from sensecheck.core.serialization import decode
    from sensecheck.retrieval.match import Scale

    scale: Scale | None = None if name is None else decode(Scale, name, at="--scale")
    return scale
