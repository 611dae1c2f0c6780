"""`sensecheck ground`: whether an answer comes from passages, claim by claim."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.check.check import read_passages, show_rows
from sensecheck.cli.console import Console, outcome, safe, write_line
from sensecheck.cli.exit_codes import WORST_FIRST, exit_code
from sensecheck.cli.options import Encoder, Json, SecondOpinion, Threshold, option, threshold_of
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.datasets.streams import Texts
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.core.unicode import Encoding

# ruff: noqa: PLC0415 - the parts that judge bring numpy along, which `--help` does without

_ENCODINGS: "tuple[Encoding, ...]" = ("code_points", "utf16", "utf8")
_MANY = "Many answers"
_SHOWN = "How it is shown"


def ground(
    answer: Annotated[str | None, option("--answer TEXT", "The answer.")] = None,
    answer_file: Annotated[str | None, option("--answer-file FILE", "The answer, in a file.")] = None,
    passage: Annotated[
        list[str] | None,
        option("--passage FILE|-", "A file to look into; `-` is standard input. Repeat for more passages."),
    ] = None,
    text_passage: Annotated[
        list[str] | None,
        option("--text-passage TEXT", "A passage as it stands. Repeat for more; they come after the files."),
    ] = None,
    question: Annotated[
        str | None, option("--question TEXT", "What was asked; a short answer is read with it.")
    ] = None,
    policy: Annotated[
        str,
        option(
            "--policy NAME|FILE.json",
            "How it is decided: default, strict, fast or similarity-or-keywords, with or without its "
            "@version; or a file with a policy as data.",
        ),
    ] = "default",
    threshold: Threshold = None,
    html: Annotated[
        Path | None,
        option("--html OUT.html", "Write a page to show to others, and print the verdict alone.", _SHOWN),
    ] = None,
    offsets: Annotated[
        str, option("--offsets HOW", "How places are counted: code_points, utf16 or utf8.", _SHOWN)
    ] = "code_points",
    samples: Annotated[
        str | None, option("--in SAMPLES.jsonl", "One sample with its passages per line.", _MANY)
    ] = None,
    second_opinion: SecondOpinion = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Compare an answer with passages: which claims are supported, by which sentence, and what does not fit.

    For a TEXT, `@path` reads it from a file and `-` from standard input.
    """
    from sensecheck.assessment import GroundingRequest, ground_answers

    encoding, texts, files = _encoding(offsets), Texts(), tuple(passage or ())
    if answer is not None and answer_file is not None:
        raise SpecError("both `--answer` and `--answer-file` were given; one answer at a time")
    if html is not None and str(html) == "-":
        raise SpecError("`--html` must be a file to write the page to; got `-`")
    if html is not None and samples is not None:
        raise SpecError("`--html` must be for one answer; got `--in`; give that answer with `--answer`")
    request = GroundingRequest(
        answer=texts.maybe(answer) if answer_file is None else texts.file(answer_file),
        question=texts.maybe(question),
        passages=(
            *(texts.file(path) for path in files),
            *read_passages(texts, text_passage, as_json=as_json),
        ),
        policy=policy,
        threshold=threshold_of(threshold),
        rows=samples,
        encoder=encoder,
        second_opinion=second_opinion,
    )
    rows = ground_answers(request)
    if samples is not None:
        as_line = (lambda grounding: grounding.to_json(encoding)) if as_json else None
        show_rows(rows, samples, as_json=as_line, second=second_opinion is not None)
        raise typer.Exit(exit_code(word for word in WORST_FIRST if rows.tally[word]))
    ((_, grounding),) = rows
    names = tuple("standard input" if path == "-" else path for path in files)
    if html is not None:
        from sensecheck.grounding.page import page_of

        write_whole(html, page_of(grounding, names))
        if not as_json:
            Console().line((safe(grounding.because), "bold"), label=outcome(grounding.outcome))
            Console().line("written to ", (safe(str(html)), "bold"))
    if as_json:
        write_line(grounding.to_json(encoding))
    elif html is None:
        from sensecheck.cli.check.ground_view import show_grounding

        show_grounding(Console(), grounding, names, encoding)
    raise typer.Exit(exit_code([grounding.outcome]))


def _encoding(name: str) -> "Encoding":
    for encoding in _ENCODINGS:
        if name == encoding:
            return encoding
    raise SpecError(did_you_mean("way to count", name, _ENCODINGS))
