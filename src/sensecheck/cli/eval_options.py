"""What `sensecheck eval` can be told."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sensecheck.measures.metrics import CONTEXT, STANDARD

_WHAT, _COLUMNS = "What is evaluated", "Columns"
_WHO, _GUARDS = "Who answers", "Guards of the passages, in this order"
_READ, _KEPT = "What is read", "What is kept and shown"


def _option(*flags: str, about: str, panel: str, metavar: str = "", default: bool = False) -> Any:
    return typer.Option(*flags, metavar=metavar, help=about, rich_help_panel=panel, show_default=default)


Questions = Annotated[
    list[str] | None,
    typer.Argument(
        help="Questions with their reference answers: .jsonl, .csv or .parquet. Without a file, the latest "
        "questions of --project. With --out, any number of files, patterns and folders.",
        metavar="QUESTIONS",
        show_default=False,
    ),
]
Project = Annotated[
    str | None,
    _option("--project", about="Its project; the file's name unless given.", panel=_WHAT, metavar="NAME"),
]
TestName = Annotated[
    str | None,
    _option(
        "--test",
        about="Under which name runs with this configuration stand together; `default` unless given.",
        panel=_WHAT,
        metavar="NAME",
    ),
]
RunName = Annotated[
    str,
    _option(
        "--name",
        about="What this run is called; the file of answers, or the model that is asked, unless given.",
        panel=_WHAT,
        metavar="TEXT",
    ),
]
Columns = Annotated[
    list[str] | None,
    _option(
        "--column",
        about="A part of a row, and the column that holds it. Repeat for more.",
        panel=_COLUMNS,
        metavar="PART=COLUMN",
    ),
]
Slices = Annotated[
    list[str] | None,
    _option(
        "--slice",
        about="A column that says what kind of question it is. Repeat for more.",
        panel=_COLUMNS,
        metavar="COLUMN",
    ),
]
Labels = Annotated[
    list[str] | None,
    _option(
        "--label",
        about="A column that says what people thought of the recorded answer: 0/1, true/false, a number. "
        "Repeat for more.",
        panel=_COLUMNS,
        metavar="COLUMN",
    ),
]
Ignored = Annotated[
    list[str] | None,
    _option("--ignore", about="Do not read this column. Repeat for more.", panel=_COLUMNS, metavar="COLUMN"),
]
Answers = Annotated[
    Path | None,
    _option(
        "--answers",
        about="Recorded answers in a file of their own, by `id` or by `question`; they may bring `passages`.",
        panel=_WHO,
        metavar="FILE",
    ),
]
Ask = Annotated[
    str | None,
    _option(
        "--ask",
        about="Ask a model now, at any address that answers as OpenAI's does; "
        "`?temperature=0.2&max_tokens=200` after the model sets what is sent along.",
        panel=_WHO,
        metavar="openai:URL#MODEL",
    ),
]
KeyVariable = Annotated[
    str | None,
    _option(
        "--ask-key",
        about="The variable of the environment that holds the key for --ask; none is sent without it.",
        panel=_WHO,
        metavar="VARIABLE",
    ),
]
PromptFile = Annotated[
    Path | None,
    _option(
        "--prompt",
        about="What is asked: a text with {question} and {references} in it.",
        panel=_WHO,
        metavar="FILE",
    ),
]
AtOnce = Annotated[
    int,
    _option(
        "--at-once",
        about="Questions under way at the same time.",
        panel=_WHO,
        metavar="N",
        default=True,
    ),
]
NoCache = Annotated[
    bool, _option("--no-cache", about="Ask anew, and keep no answers for other runs.", panel=_WHO)
]
GuardFile = Annotated[
    Path | None,
    _option(
        "--guard",
        about="A chain of guards; see `sensecheck schema --chain`.",
        panel=_GUARDS,
        metavar="CHAIN.yaml",
    ),
]
Above = Annotated[
    str | None,
    _option(
        "--above", about="Those at least this close: a number, or a card.", panel=_GUARDS, metavar="LINE"
    ),
]
Distinct = Annotated[
    float | None,
    _option("--distinct", about="One of those this close to each other.", panel=_GUARDS, metavar="C"),
]
Top = Annotated[int | None, _option("--top", about="The first so many.", panel=_GUARDS, metavar="K")]
Chars = Annotated[
    int | None, _option("--chars", about="Within so many characters.", panel=_GUARDS, metavar="N")
]
Tokens = Annotated[
    int | None,
    _option("--tokens", about="Within so many tokens, block included.", panel=_GUARDS, metavar="N"),
]
Counter = Annotated[
    str | None, _option("--counter", about="Who counts tokens.", panel=_GUARDS, metavar="NAME")
]
Metrics = Annotated[
    list[str] | None,
    _option(
        "--metric",
        about=f"Read this metric; those that apply unless given, of {', '.join((*STANDARD, *CONTEXT))}, and "
        "with a judge those that it reads. Repeat for more.",
        panel=_READ,
        metavar="NAME",
    ),
]
Encoders = Annotated[
    list[str] | None,
    _option(
        "--encoder",
        about="Compare meaning with this encoder instead of the one in SENSECHECK_ENCODER. Repeat to compare "
        "encoders in one run; the first is the run's own.",
        panel=_READ,
        metavar="NAME",
    ),
]
Resume = Annotated[
    str | None,
    _option(
        "--resume",
        about="Go on with a run that was interrupted: its number, its name, or `latest`.",
        panel=_KEPT,
        metavar="RUN",
    ),
]
Html = Annotated[
    Path | None, _option("--html", about="Write a page to look through.", panel=_KEPT, metavar="FILE")
]
