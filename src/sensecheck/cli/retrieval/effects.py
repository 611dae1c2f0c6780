"""`sensecheck effects`: what guards did to a pipeline, with them and without, on a labelled set."""

import sys
from pathlib import Path
from typing import Annotated

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.options import Encoder, Json, argument, option, settings_with
from sensecheck.cli.retrieval.guard import (
    ChainFile,
    Dedupe,
    MaxChars,
    MaxTokens,
    MinSimilarity,
    ScaleName,
    Tokenizer,
    TopK,
    scale_of,
)

# ruff: noqa: PLC0415 - the parts that count bring numpy along, which `--help` does without


def effects(
    labelled: Annotated[
        str,
        argument(
            "LABELLED.jsonl",
            'One line per query: {"query": …, "references": [{"text": …, "relevant": true|false, …}, …], '
            '"item": …}, items in the order of the prompt; `-` is standard input.',
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
    scored: Annotated[
        list[str] | None,
        option(
            "--scored SCORED.jsonl",
            'What was answered: {"id": …, "arm": "bare"|"guarded", "confidence": number|null, "loss" or '
            '"correct": …, "group": …} a line. Repeat for a second file.',
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        option(
            "--output -o FILE",
            "Write it to a file: .html (with charts), .csv (one row per item), .json. Repeat for more.",
        ),
    ] = None,
    seed: Annotated[int, option("--seed N", "Seed of the random draws.", default=True, min=0)] = 0,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Measure what guards did: references kept and lost, coverage, budgets, and how wrong the answers are.

    Guards are a chain in a file, or single options. Rows may have an `item`, what the query is about, an
    `id`, and keys `x-…` of your own.
    """
    from sensecheck.cli.progress import bar
    from sensecheck.cli.retrieval.effects_view import show_effects
    from sensecheck.guards import EffectsRequest, measure_effects
    from sensecheck.retrieval.effects_report import validate_form, write_report

    outputs = output or []
    for path in outputs:
        validate_form(path)
    request = EffectsRequest(
        labelled=labelled,
        chain=chain,
        min_similarity=min_similarity,
        dedupe=dedupe,
        top_k=top_k,
        max_chars=max_chars,
        max_tokens=max_tokens,
        tokenizer=tokenizer,
        scale=scale_of(scale),
        scored=tuple(scored or ()),
        seed=seed,
        settings=settings_with(encoder),
    )
    with bar(hidden=as_json and sys.stdout.isatty()) as progress:
        if progress.disable:
            report = measure_effects(request)
        else:
            task = progress.add_task("encoding texts", total=None)
            report = measure_effects(
                request, lambda done, total: progress.update(task, completed=done, total=total)
            )
    for path in outputs:
        write_report(report, path)
    if as_json:
        write_json(report.to_data())
        return
    show_effects(Console(), report)
    for path in outputs:
        Console().line("written to ", (safe(str(path)), "bold"))
