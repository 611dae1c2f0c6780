"""The options of `sensecheck eval`: for every evaluation, and for large ones with `--out`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sensecheck.cli.options import COLUMNS, option
from sensecheck.core.errors import SpecError
from sensecheck.execution import On
from sensecheck.measures.metrics import CONTEXT, STANDARD

_WHAT = "What is evaluated"
_WHO, _GUARDS = "Who answers", "Guards of the passages, in this order"
_READ, _KEPT = "What is read", "What is kept and shown"
_LARGE = "Large sets: results in a folder of Parquet files, with --out"
_FOR_OUT = (
    *("--on", "--workers", "--ray-address", "--ray-autoscales", "--worker-cpus", "--worker-gpus"),
    *("--check", "--shard-rows", "--without-texts"),
)
_NOT_FOR_OUT = (
    *("--project", "--test", "--name", "--store", "--resume", "--html"),
    *("--answers", "--ask", "--ask-key", "--prompt", "--at-once", "--no-cache"),
    *("--guard", "--above", "--distinct", "--top", "--chars", "--tokens", "--counter"),
)


def _large_option(flag: str, about: str, metavar: str = "") -> Any:
    return option(flag, about=about, panel=_LARGE, metavar=metavar)


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
    option("--project", about="Its project; the file's name unless given.", panel=_WHAT, metavar="NAME"),
]
TestName = Annotated[
    str | None,
    option(
        "--test",
        about="Under which name runs with this configuration stand together; `default` unless given.",
        panel=_WHAT,
        metavar="NAME",
    ),
]
RunName = Annotated[
    str,
    option(
        "--name",
        about="What this run is called; the file of answers, or the model that is asked, unless given.",
        panel=_WHAT,
        metavar="TEXT",
    ),
]
Columns = Annotated[
    list[str] | None,
    option(
        "--column",
        about="A part of a row, and the column that holds it. Repeat for more.",
        panel=COLUMNS,
        metavar="PART=COLUMN",
    ),
]
Slices = Annotated[
    list[str] | None,
    option(
        "--slice",
        about="A column that says what kind of question it is. Repeat for more.",
        panel=COLUMNS,
        metavar="COLUMN",
    ),
]
Labels = Annotated[
    list[str] | None,
    option(
        "--label",
        about="A column that says what people thought of the recorded answer: 0/1, true/false, a number. "
        "Repeat for more.",
        panel=COLUMNS,
        metavar="COLUMN",
    ),
]
Ignored = Annotated[
    list[str] | None,
    option("--ignore", about="Do not read this column. Repeat for more.", panel=COLUMNS, metavar="COLUMN"),
]
Answers = Annotated[
    Path | None,
    option(
        "--answers",
        about="Recorded answers in a file of their own, by `id` or by `question`; they may bring `passages`.",
        panel=_WHO,
        metavar="FILE",
    ),
]
Ask = Annotated[
    str | None,
    option(
        "--ask",
        about="Ask a model now, at any address that answers as OpenAI's does; "
        "`?temperature=0.2&max_tokens=200` after the model sets what is sent along.",
        panel=_WHO,
        metavar="openai:URL#MODEL",
    ),
]
KeyVariable = Annotated[
    str | None,
    option(
        "--ask-key",
        about="The variable of the environment that holds the key for --ask; none is sent without it.",
        panel=_WHO,
        metavar="VARIABLE",
    ),
]
PromptFile = Annotated[
    Path | None,
    option(
        "--prompt",
        about="What is asked: a text with {question} and {references} in it.",
        panel=_WHO,
        metavar="FILE",
    ),
]
AtOnce = Annotated[
    int,
    option(
        "--at-once",
        about="Questions under way at the same time.",
        panel=_WHO,
        metavar="N",
        default=True,
    ),
]
NoCache = Annotated[
    bool, option("--no-cache", about="Ask anew, and keep no answers for other runs.", panel=_WHO)
]
GuardFile = Annotated[
    Path | None,
    option(
        "--guard",
        about="A chain of guards; see `sensecheck schema --chain`.",
        panel=_GUARDS,
        metavar="CHAIN.yaml",
    ),
]
Above = Annotated[
    str | None,
    option("--above", about="Those at least this close: a number, or a card.", panel=_GUARDS, metavar="LINE"),
]
Distinct = Annotated[
    float | None,
    option("--distinct", about="One of those this close to each other.", panel=_GUARDS, metavar="C"),
]
Top = Annotated[int | None, option("--top", about="The first so many.", panel=_GUARDS, metavar="K")]
Chars = Annotated[
    int | None, option("--chars", about="Within so many characters.", panel=_GUARDS, metavar="N")
]
Tokens = Annotated[
    int | None,
    option("--tokens", about="Within so many tokens, block included.", panel=_GUARDS, metavar="N"),
]
Counter = Annotated[
    str | None, option("--counter", about="Who counts tokens.", panel=_GUARDS, metavar="NAME")
]
Metrics = Annotated[
    list[str] | None,
    option(
        "--metric",
        about=f"Read this metric; those that apply unless given, of {', '.join((*STANDARD, *CONTEXT))}, and "
        "with a judge those that it reads. Repeat for more.",
        panel=_READ,
        metavar="NAME",
    ),
]
Encoders = Annotated[
    list[str] | None,
    option(
        "--encoder",
        about="Compare meaning with this encoder instead of the one in SENSECHECK_ENCODER. Repeat to compare "
        "encoders in one run; the first is the run's own.",
        panel=_READ,
        metavar="NAME",
    ),
]
Resume = Annotated[
    str | None,
    option(
        "--resume",
        about="Go on with a run that was interrupted: its number, its name, or `latest`.",
        panel=_KEPT,
        metavar="RUN",
    ),
]
Html = Annotated[
    Path | None, option("--html", about="Write a page to look through.", panel=_KEPT, metavar="FILE")
]
Out = Annotated[
    str | None,
    _large_option(
        "--out",
        "Keep the results there, in no database: an empty folder, or a prefix in a store such as "
        "s3://BUCKET/RUN. QUESTIONS may then be several files, patterns and folders of Parquet or JSON "
        "lines. The same command again goes on with a run that was interrupted.",
        "FOLDER|URL",
    ),
]
OnOption = Annotated[
    On | None,
    _large_option(
        "--on",
        "Who works: this process, several on this machine, or a Ray cluster; processes unless given.",
        "inline|processes|ray",
    ),
]
Workers = Annotated[
    int | None,
    _large_option("--workers", "How many work at the same time; one a core unless given.", "N"),
]
RayAddress = Annotated[
    str | None,
    _large_option(
        "--ray-address", "The cluster, for --on ray; a local one is started without it.", "ADDRESS"
    ),
]
RayAutoscales = Annotated[
    bool,
    _large_option(
        "--ray-autoscales",
        "The cluster adds machines by itself: ask for all --workers, though there is no room for them yet.",
    ),
]
WorkerCpus = Annotated[
    float | None,
    _large_option("--worker-cpus", "Cores that a worker of the cluster takes; 1 unless given.", "N"),
]
WorkerGpus = Annotated[
    float | None,
    _large_option("--worker-gpus", "GPUs that a worker of the cluster takes; 0 unless given.", "N"),
]
Checks = Annotated[
    list[str] | None,
    _large_option(
        "--check",
        "Also decide by this check: the name of a preset, or a file with one check or a list of them; see "
        "`sensecheck schema`. Repeat for more.",
        "NAME|FILE",
    ),
]
ShardRows = Annotated[
    int | None,
    _large_option(
        "--shard-rows",
        "Rows that are worked on together, at most; unless given, what suits the inputs.",
        "N",
    ),
]
WithoutTexts = Annotated[
    bool, _large_option("--without-texts", "Leave questions, answers and passages out of the results.")
]


def must_go_together(context: typer.Context, out: str | None) -> None:
    """Raise where an option is for the other way of evaluating."""
    flags = {one.name: one.opts[0] for one in context.command.params if one.name}
    typed = [flag for name, flag in flags.items() if _was_typed(context, name)]
    for flag in typed:
        if out is None and flag in _FOR_OUT:
            raise SpecError(f"`{flag}` is for `--out`, which was not given")
        if out is not None and flag in _NOT_FOR_OUT:
            raise SpecError(
                f"`{flag}` does not go with `--out`, which reads recorded answers and keeps its results as "
                "files, in no database; leave one of them away"
            )


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
