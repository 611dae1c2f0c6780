"""`sensecheck guard`: what may pass from a retriever into a prompt, as JSON lines."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, note, safe
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Encoder, Json, argument, option, settings_with
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.retrieval.match import Scale

# ruff: noqa: PLC0415 - the parts that guard bring numpy along, which `--help` does without

_SHORT = "Guards, in this order"
_WRITTEN = "What is written"

ChainFile = Annotated[
    Path | None, option("--chain FILE.yaml", "A chain of guards; see `sensecheck schema --chain`.")
]
MinSimilarity = Annotated[
    str | None,
    option(
        "--min-similarity VALUE|CARD", "Those at least this close to the query: a number, or a card.", _SHORT
    ),
]
Dedupe = Annotated[
    float | None, option("--dedupe SIMILARITY", "One of those at least this close to each other.", _SHORT)
]
TopK = Annotated[int | None, option("--top-k K", "The first K.", _SHORT)]
MaxChars = Annotated[int | None, option("--max-chars N", "Within N characters.", _SHORT)]
MaxTokens = Annotated[int | None, option("--max-tokens N", "Within N tokens, block included.", _SHORT)]
Tokenizer = Annotated[
    str | None,
    option(
        "--tokenizer NAME", "Counts tokens: minilm (the default), onnx:FOLDER, tokenizer:FILE.json.", _SHORT
    ),
]
ScaleName = Annotated[
    str | None,
    option(
        "--scale SCALE",
        "What the `score` of references is: cosine, cosine-distance, half-cosine, inner-product, l2, "
        "squared-l2.",
    ),
]


def guard(
    retrieved: Annotated[
        str,
        argument(
            "RETRIEVED.jsonl|-", 'One line per query: {"query": …, "references": […]}; `-` is standard input.'
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
        option("--prompt", "Write the block for the prompt of one query; with --json, of each.", _WRITTEN),
    ] = False,
    empty: Annotated[
        str | None,
        option(
            "--empty omit|say", "The block where nothing is left: omit it (the default), or say so.", _WRITTEN
        ),
    ] = None,
    output: Annotated[Path | None, option("--output -o FILE", "Write to this file.", _WRITTEN)] = None,
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
