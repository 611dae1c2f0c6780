"""`sensecheck check`: one answer judged by the questions about it, or a file of answers."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sensecheck.cli.check.view import show
from sensecheck.cli.console import Console, note, outcome, outcome_counts, safe, write_line
from sensecheck.cli.exit_codes import WORST_FIRST, exit_code
from sensecheck.cli.options import (
    DECIDED,
    Encoder,
    Json,
    SecondOpinion,
    Threshold,
    argument,
    option,
    threshold_of,
)
from sensecheck.cli.progress import bar
from sensecheck.datasets.streams import Texts, count_lines

if TYPE_CHECKING:
    from sensecheck.assessment import AssessedRows
    from sensecheck.assessment.rows import J

MAX_NAME_CHARS = 200
"""Of a text with more characters nobody asks whether it is the name of a file."""

# ruff: noqa: PLC0415 - checks, and the parts that judge, bring numpy along, which `--help` does without

_ASK = "Questions"
_OWN = "A check of your own"
_MANY = "Many answers"


def check(
    answer: Annotated[str | None, argument("ANSWER", "The answer to judge.")] = None,
    means: Annotated[
        str | None, option("--means TEXT", "Does it say this, with no fact changed?", _ASK)
    ] = None,
    keeps_facts_of: Annotated[
        str | None,
        option("--keeps-facts-of TEXT", "Are its numbers, dates, names and negations those of TEXT?", _ASK),
    ] = None,
    grounded_in: Annotated[
        list[str] | None,
        option("--grounded-in TEXT", "Does it come from TEXT? Repeat for more passages.", _ASK),
    ] = None,
    not_refusal: Annotated[
        bool, option("--not-refusal", "Does it do anything else than refuse?", _ASK)
    ] = False,
    not_circling: Annotated[
        bool, option("--not-circling", "Does it get on, without repeating?", _ASK)
    ] = False,
    question: Annotated[
        str | None, option("--question TEXT", "What was asked, for checks that read it.", _ASK)
    ] = None,
    own: Annotated[
        str | None, option("--check FILE.json", "A check as data; see `sensecheck schema`.", _OWN)
    ] = None,
    preset: Annotated[str | None, option("--preset NAME", "One of our checks by its name.", _OWN)] = None,
    expected: Annotated[
        str | None, option("--expected TEXT", "The expected answer, for that check.", _OWN)
    ] = None,
    passage: Annotated[
        list[str] | None, option("--passage TEXT", "A passage, for that check. Repeat for more.", _OWN)
    ] = None,
    file: Annotated[
        str | None,
        option("--file SAMPLES.jsonl", "One sample per line; judged by --check or --preset.", _MANY),
    ] = None,
    threshold: Threshold = None,
    doubt: Annotated[
        float | None, option("--doubt NUMBER", "Half the width of the unsure band around a number.", DECIDED)
    ] = None,
    policy: Annotated[
        str | None, option("--policy NAME", "How `--grounded-in`, or `--means`, decides.", DECIDED)
    ] = None,
    second_opinion: SecondOpinion = None,
    encoder: Encoder = None,
    as_json: Json = False,
) -> None:
    """Judge an answer, or a file of answers.

    For a TEXT or the ANSWER, `@path` reads it from a file and `-` from standard input.
    Several questions can be asked at once. Put `--` before an answer that begins with a dash.
    """
    from sensecheck.assessment import AnswerCheckRequest, check_answers

    texts = Texts()
    request = AnswerCheckRequest(
        answer=texts.maybe(answer),
        means=texts.maybe(means),
        keeps_facts_of=texts.maybe(keeps_facts_of),
        grounded_in=read_passages(texts, grounded_in, as_json=as_json),
        not_refusal=not_refusal,
        not_circling=not_circling,
        check=own,
        preset=preset,
        expected=texts.maybe(expected),
        passages=read_passages(texts, passage, as_json=as_json),
        question=texts.maybe(question),
        rows=file,
        threshold=threshold_of(threshold),
        doubt=doubt,
        policy=policy,
        encoder=encoder,
        second_opinion=second_opinion,
    )
    rows, second = check_answers(request), second_opinion is not None
    if file is not None:
        show_rows(rows, file, as_json=(lambda verdict: verdict.to_json()) if as_json else None, second=second)
    else:
        console = Console()
        for verdict in [row.result for row in rows]:
            if as_json:
                write_line(verdict.to_json())
            else:
                show(console, verdict)
        if second and not as_json:
            console.line((str(rows.opinions), "dim"))
    raise typer.Exit(exit_code(word for word in WORST_FIRST if rows.tally[word]))


def read_passages(texts: Texts, given: list[str] | None, *, as_json: bool) -> tuple[str, ...]:
    """The passages that were named; one that is the name of a file was probably meant as that file."""
    for name in given or ():
        if len(name) <= MAX_NAME_CHARS and Path(name).is_file():
            note(
                f"the passage is the text `{name}`; to read the file of that name: `@{name}`", as_json=as_json
            )
    return tuple(map(texts.read, given or ()))


def show_rows(
    rows: "AssessedRows[J]", path: str, *, as_json: "Callable[[J], str] | None", second: bool
) -> None:
    """Each result of a file in a line of words or of JSON, as it comes, then the counts."""
    with bar(hidden=as_json is not None and sys.stdout.isatty()) as progress:
        task = progress.add_task("judging", total=count_lines(path))
        # Where verdicts and bar share a terminal, one must not write over the other.
        shared = sys.stdout.isatty() and sys.stderr.isatty()
        console = progress.console if shared and isinstance(progress.console, Console) else Console()
        for label, judged in rows:
            if as_json is not None:
                write_line(as_json(judged))
            else:
                console.line((safe(label), "bold"), ": ", safe(judged.because), label=outcome(judged.outcome))
            progress.advance(task)
    if as_json is None or sys.stderr.isatty():
        console = Console(stderr=as_json is not None)
        console.line(Text.assemble((f"{rows.tally.total()} judged: ", "bold"), outcome_counts(rows.tally)))
        if second:
            console.line(str(rows.opinions))
