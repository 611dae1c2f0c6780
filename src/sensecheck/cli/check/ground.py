"""`sensecheck ground`: whether an answer comes from passages, claim by claim."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.check.check import AT_ONCE, judge_file
from sensecheck.cli.console import Paper, safe, write_line
from sensecheck.cli.exit_codes import exit_code
from sensecheck.cli.options import Encoder, Json, SecondOpinion, Threshold, settings_with, threshold_of
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown
from sensecheck.datasets.streams import Texts, data_from
from sensecheck.io.atomic import write_whole

if TYPE_CHECKING:
    from sensecheck.checks.policies import Policy
    from sensecheck.config import Settings
    from sensecheck.core.unicode import Encoding
    from sensecheck.grounding.grounding import Grounding
    from sensecheck.sense import Sense

# ruff: noqa: PLC0415 - the parts that judge bring numpy along, which `--help` does without

_ENCODINGS: "tuple[Encoding, ...]" = ("code_points", "utf16", "utf8")
_MANY = "Many answers"
_SHOWN = "How it is shown"


def _option(flag: str, about: str, metavar: str = "TEXT", panel: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=about, rich_help_panel=panel, show_default=False)


def ground(
    answer: Annotated[str | None, _option("--answer", "The answer.")] = None,
    answer_file: Annotated[str | None, _option("--answer-file", "The answer, in a file.", "FILE")] = None,
    passage: Annotated[
        list[str] | None,
        _option(
            "--passage", "A file to look into; `-` is standard input. Repeat for more passages.", "FILE|-"
        ),
    ] = None,
    text_passage: Annotated[
        list[str] | None,
        _option("--text-passage", "A passage as it stands. Repeat for more; they come after the files."),
    ] = None,
    question: Annotated[
        str | None, _option("--question", "What was asked; a short answer is read with it.")
    ] = None,
    policy: Annotated[
        str,
        _option(
            "--policy",
            "How it is decided: default, strict, fast or similarity-or-keywords, with or without its "
            "@version; or a file with a policy as data.",
            "NAME|FILE.json",
        ),
    ] = "default",
    threshold: Threshold = None,
    html: Annotated[
        Path | None, _option("--html", "Write a page to show to others instead.", "OUT.html", _SHOWN)
    ] = None,
    offsets: Annotated[
        str,
        _option("--offsets", "How places are counted: code_points, utf16 or utf8.", "HOW", _SHOWN),
    ] = "code_points",
    samples: Annotated[
        str | None, _option("--in", "One sample with its passages a line.", "SAMPLES.jsonl", _MANY)
    ] = None,
    second_opinion: SecondOpinion = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Hold an answer against passages: which claims are supported, by which sentence, and what does not fit.

    Wherever a TEXT is wanted, `@path` reads it from a file and `-` from standard input.
    """
    encoding, chosen = _encoding(offsets), _policy(policy)
    settings, second = settings_with(encoder, second_opinion), second_opinion is not None
    if second and chosen.reads == "similarity-or-keywords":
        raise SpecError(f"`--second-opinion` is about what stays unsure, and `{chosen.name}` never is")
    if html is not None and str(html) == "-":
        raise SpecError("`--html` wants a file to write the page to; found `-`")
    if samples is not None:
        if any(given is not None for given in (answer, answer_file, passage, text_passage, question, html)):
            raise SpecError("`--in` brings answers and passages; found another one, or `--html`, beside it")
        offsets_in_json, line = encoding if as_json else None, threshold_of(threshold)
        raise typer.Exit(_ground_file(samples, chosen, settings, offsets_in_json, line, second=second))
    texts = Texts()
    files = tuple(passage or ())
    sample = Sample(
        _answer(texts, answer, answer_file),
        texts.maybe(question),
        passages=(*(texts.file(path) for path in files), *map(texts.read, text_passage or ())),
    )
    if not sample.passages:
        raise SpecError("there is no passage to look into; give a file with `--passage`, or `--text-passage`")
    found = _ground(sample, chosen, settings, threshold_of(threshold), second=second)
    names = tuple("standard input" if path == "-" else path for path in files)
    if html is not None:
        _write_page(found, html, names, quiet=as_json)
    if as_json:
        write_line(found.to_json(encoding))
    elif html is None:
        from sensecheck.cli.check.ground_view import show_grounding

        show_grounding(Paper(), found, names, encoding)
    raise typer.Exit(exit_code([found.outcome]))


def _ground(
    sample: Sample, policy: "Policy", settings: "Settings", threshold: Any, *, second: bool
) -> "Grounding":
    from sensecheck.config import shelf
    from sensecheck.grounding.grounding import ground_each
    from sensecheck.sense import Sense

    each, cards = Sense.load(settings=settings).judge_each, shelf(settings)
    return next(ground_each([sample], policy, each, shelf=cards, threshold=threshold, second_opinion=second))


def _ground_file(
    path: str,
    policy: "Policy",
    settings: "Settings",
    encoding: "Encoding | None",
    threshold: Any,
    *,
    second: bool,
) -> int:
    """Ground every sample of a file; the exit code. JSON when an encoding of offsets is given."""
    from sensecheck.checks.second_opinion import Opinions
    from sensecheck.config import shelf
    from sensecheck.grounding.grounding import ground_each

    opinions = Opinions() if second else None

    def judge(sense: "Sense", samples: Iterator[Sample]) -> "Iterator[Grounding]":
        each, cards = partial(sense.judge_each, at_once=AT_ONCE), shelf(settings)
        found = ground_each(samples, policy, each, shelf=cards, threshold=threshold, second_opinion=second)
        for one in found:
            if opinions is not None:
                opinions.add(() if one.second_opinion is None else (one.second_opinion,))
            yield one

    as_line = encoding and (lambda one: one.to_json(encoding))
    return judge_file(path, settings, judge, as_json=as_line, opinions=opinions)


def _answer(texts: Texts, answer: str | None, file: str | None) -> str:
    if answer is not None and file is not None:
        raise SpecError("both `--answer` and `--answer-file` were given; one answer at a time")
    if answer is not None:
        return texts.read(answer)
    if file is None:
        raise SpecError(
            "there is no answer; give one with `--answer` or `--answer-file`, or many with `--in`"
        )
    return texts.file(file)


def _policy(given: str) -> "Policy":
    from sensecheck.checks.policies import Policy

    return Policy.from_data(data_from(given) if given.endswith(".json") else given)


def _encoding(given: str) -> "Encoding":
    for encoding in _ENCODINGS:
        if given == encoding:
            return encoding
    raise SpecError(unknown("way to count", given, _ENCODINGS))


def _write_page(found: "Grounding", path: Path, names: tuple[str, ...], *, quiet: bool) -> None:
    from sensecheck.grounding.page import page_of

    write_whole(path, page_of(found, names))
    if not quiet:
        Paper().say("written to ", (safe(str(path)), "bold"))
