"""The options of `sensecheck eval`: for every evaluation, and for large ones in Parquet files."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sensecheck.cli.options import COLUMNS, option
from sensecheck.execution import On
from sensecheck.measures.metrics import CONTEXT, STANDARD

_WHAT = "What is evaluated"
_WHO, _GUARDS = "Who answers", "Guards of the passages, in this order"
_READ, _STORED = "What is read", "What is stored and shown"
_LARGE = "Large sets: results in Parquet files, with --store parquet:ADDRESS"


def _large_option(flag: str, about: str, metavar: str = "") -> Any:
    return option(flag, about, metavar, _LARGE)


Questions = Annotated[
    list[str] | None,
    typer.Argument(
        help="Questions with their reference answers: .jsonl, .csv or .parquet. Without a file, the latest "
        "questions of --project. Into Parquet files, any number of files, patterns and folders.",
        metavar="QUESTIONS",
        show_default=False,
    ),
]
Project = Annotated[
    str | None, option("--project", "Its project; the file's name unless given.", "NAME", _WHAT)
]
TestName = Annotated[
    str | None,
    option(
        "--test", "The name that runs with this configuration share; `default` unless given.", "NAME", _WHAT
    ),
]
RunName = Annotated[
    str,
    option(
        "--name",
        "The name of this run; the file of answers, or the model that is asked, unless given.",
        "TEXT",
        _WHAT,
    ),
]
Columns = Annotated[
    list[str] | None,
    option(
        "--column", "A part of a row, and the column that holds it. Repeat for more.", "PART=COLUMN", COLUMNS
    ),
]
Slices = Annotated[
    list[str] | None,
    option("--slice", "A column that says what kind of question it is. Repeat for more.", "COLUMN", COLUMNS),
]
Labels = Annotated[
    list[str] | None,
    option(
        "--label",
        "A column that says what people thought of the recorded answer: 0/1, true/false, a number. "
        "Repeat for more.",
        "COLUMN",
        COLUMNS,
    ),
]
Ignored = Annotated[
    list[str] | None,
    option("--ignore-column", "Do not read this column. Repeat for more.", "COLUMN", COLUMNS),
]
Answers = Annotated[
    Path | None,
    option(
        "--answers",
        "Recorded answers in a file of their own, by `id` or by `question`; they may bring `passages`.",
        "FILE",
        _WHO,
    ),
]
Model = Annotated[
    str | None,
    option(
        "--model",
        "Ask a model now, at any address that answers as OpenAI's does; "
        "`?temperature=0.2&max_tokens=200` after the model sets what is sent along.",
        "openai:URL#MODEL",
        _WHO,
    ),
]
ApiKeyEnv = Annotated[
    str | None,
    option(
        "--api-key-env",
        "The environment variable that holds the key for --model; none is sent without it.",
        "VARIABLE",
        _WHO,
    ),
]
PromptFile = Annotated[
    Path | None,
    option("--prompt", "What is asked: a text with {question} and {references} in it.", "FILE", _WHO),
]
Concurrency = Annotated[
    int | None,
    option("--concurrency", "Questions that are asked at the same time; 4 unless given.", "N", _WHO),
]
NoCache = Annotated[bool, option("--no-cache", "Ask again, and cache no answers for other runs.", panel=_WHO)]
GuardFile = Annotated[
    Path | None,
    option("--guard", "A chain of guards; see `sensecheck schema --chain`.", "CHAIN.yaml", _GUARDS),
]
MinSimilarity = Annotated[
    str | None,
    option(
        "--min-similarity",
        "Keep those at least this similar to the question: a number, or a card.",
        "VALUE|CARD",
        _GUARDS,
    ),
]
Dedupe = Annotated[
    float | None, option("--dedupe", "Keep one of those this similar to each other.", "SIMILARITY", _GUARDS)
]
TopK = Annotated[int | None, option("--top-k", "Keep the first K.", "K", _GUARDS)]
MaxChars = Annotated[int | None, option("--max-chars", "Keep what fits into N characters.", "N", _GUARDS)]
MaxTokens = Annotated[
    int | None, option("--max-tokens", "Keep what fits into N tokens, block included.", "N", _GUARDS)
]
Tokenizer = Annotated[str | None, option("--tokenizer", "What counts tokens.", "NAME", _GUARDS)]
Metrics = Annotated[
    list[str] | None,
    option(
        "--metric",
        f"Read this metric; those that apply unless given, of {', '.join((*STANDARD, *CONTEXT))}, and "
        "with a judge those that it reads. Repeat for more.",
        "NAME",
        _READ,
    ),
]
Encoders = Annotated[
    list[str] | None,
    option(
        "--encoder",
        "Compare meaning with this encoder instead of the one in SENSECHECK_ENCODER. Repeat to compare "
        "encoders in one run; the first is the run's own.",
        "NAME",
        _READ,
    ),
]
Resume = Annotated[
    str | None,
    option(
        "--resume", "Resume a run that was interrupted: its number, its name, or `latest`.", "RUN", _STORED
    ),
]
Html = Annotated[Path | None, option("--html", "Write a page to look through.", "FILE", _STORED)]
Store = Annotated[
    str | None,
    option(
        "--store",
        "Another database than the one in SENSECHECK_STORE: postgresql://USER@HOST/DATABASE, or a "
        "file. Or folder:PATH, JSON lines that need no database. "
        "Or Parquet files in an empty folder, or under a prefix such as parquet:s3://BUCKET/RUN: "
        "QUESTIONS may then be several files, patterns and folders of Parquet or JSON lines, and the same "
        "command again resumes a run that was interrupted.",
        "URL|FILE|folder:PATH|parquet:ADDRESS",
        _STORED,
    ),
]
Out = Annotated[str | None, typer.Option("--out", hidden=True)]
"""An earlier spelling of `--store parquet:ADDRESS`."""
OnOption = Annotated[
    On | None,
    _large_option(
        "--on",
        "Who works: this process, several on this machine, or a Ray cluster; processes unless given.",
        "inline|processes|ray",
    ),
]
Workers = Annotated[
    int | None, _large_option("--workers", "How many work at the same time; one a core unless given.", "N")
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
NoTexts = Annotated[
    bool, _large_option("--no-texts", "Leave questions, answers and passages out of the results.")
]
