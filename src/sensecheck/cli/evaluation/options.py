"""The options of `sensecheck eval`: for every evaluation, and for large ones in Parquet files."""

from pathlib import Path
from typing import Annotated

import typer

from sensecheck.cli.options import COLUMNS, argument, option
from sensecheck.execution import On
from sensecheck.measures.metrics import CONTEXT, STANDARD

_WHAT = "What is evaluated"
_WHO, _GUARDS = "Who answers", "Guards of the passages, in this order"
_READ, _STORED = "What is read", "What is stored and shown"
_LARGE = "Large sets: results in Parquet files, with --store parquet:ADDRESS"


Questions = Annotated[
    list[str] | None,
    argument(
        "QUESTIONS",
        "Questions with their reference answers: .jsonl, .csv or .parquet. Without a file, the latest "
        "questions of --project. Into Parquet files, any number of files, patterns and folders.",
    ),
]
Project = Annotated[str | None, option("--project NAME", "Its project; the file's name unless given.", _WHAT)]
TestName = Annotated[
    str | None,
    option("--test NAME", "The name that runs with this configuration share; `default` unless given.", _WHAT),
]
RunName = Annotated[
    str,
    option(
        "--name TEXT",
        "The name of this run; the file of answers, or the model that is asked, unless given.",
        _WHAT,
    ),
]
Columns = Annotated[
    list[str] | None,
    option(
        "--column PART=COLUMN", "A part of a row, and the column that holds it. Repeat for more.", COLUMNS
    ),
]
Slices = Annotated[
    list[str] | None,
    option("--slice COLUMN", "A column that says what kind of question it is. Repeat for more.", COLUMNS),
]
Labels = Annotated[
    list[str] | None,
    option(
        "--label COLUMN",
        "A column that says what people thought of the recorded answer: 0/1, true/false, a number. "
        "Repeat for more.",
        COLUMNS,
    ),
]
Ignored = Annotated[
    list[str] | None, option("--ignore-column COLUMN", "Do not read this column. Repeat for more.", COLUMNS)
]
Answers = Annotated[
    Path | None,
    option(
        "--answers FILE",
        "Recorded answers in a file of their own, by `id` or by `question`; they may bring `passages`.",
        _WHO,
    ),
]
Model = Annotated[
    str | None,
    option(
        "--model openai:URL#MODEL",
        "Ask a model now, at any address that answers as OpenAI's does; "
        "`?temperature=0.2&max_tokens=200` after the model sets what is sent along.",
        _WHO,
    ),
]
ApiKeyEnv = Annotated[
    str | None,
    option(
        "--api-key-env VARIABLE",
        "The environment variable that holds the key for --model; none is sent without it.",
        _WHO,
    ),
]
PromptFile = Annotated[
    Path | None,
    option("--prompt FILE", "What is asked: a text with {question} and {references} in it.", _WHO),
]
Concurrency = Annotated[
    int | None, option("--concurrency N", "Questions that are asked at the same time; 4 unless given.", _WHO)
]
NoCache = Annotated[bool, option("--no-cache", "Ask again, and cache no answers for other runs.", _WHO)]
GuardFile = Annotated[
    Path | None, option("--guard CHAIN.yaml", "A chain of guards; see `sensecheck schema --chain`.", _GUARDS)
]
MinSimilarity = Annotated[
    str | None,
    option(
        "--min-similarity VALUE|CARD",
        "Keep those at least this similar to the question: a number, or a card.",
        _GUARDS,
    ),
]
Dedupe = Annotated[
    float | None, option("--dedupe SIMILARITY", "Keep one of those this similar to each other.", _GUARDS)
]
TopK = Annotated[int | None, option("--top-k K", "Keep the first K.", _GUARDS)]
MaxChars = Annotated[int | None, option("--max-chars N", "Keep what fits into N characters.", _GUARDS)]
MaxTokens = Annotated[
    int | None, option("--max-tokens N", "Keep what fits into N tokens, block included.", _GUARDS)
]
Tokenizer = Annotated[str | None, option("--tokenizer NAME", "What counts tokens.", _GUARDS)]
Metrics = Annotated[
    list[str] | None,
    option(
        "--metric NAME",
        f"Read this metric; those that apply unless given, of {', '.join((*STANDARD, *CONTEXT))}, and "
        "with a judge those that it reads. Repeat for more.",
        _READ,
    ),
]
Encoders = Annotated[
    list[str] | None,
    option(
        "--encoder NAME",
        "Compare meaning with this encoder instead of the one in SENSECHECK_ENCODER. Repeat to compare "
        "encoders in one run; the first is the run's own.",
        _READ,
    ),
]
Resume = Annotated[
    str | None,
    option("--resume RUN", "Resume a run that was interrupted: its number, its name, or `latest`.", _STORED),
]
Html = Annotated[Path | None, option("--html FILE", "Write a page to look through.", _STORED)]
Store = Annotated[
    str | None,
    option(
        "--store URL|FILE|folder:PATH|parquet:ADDRESS",
        "Another database than the one in SENSECHECK_STORE: postgresql://USER@HOST/DATABASE, or a file. "
        "Or folder:PATH, JSON lines that need no database. Or Parquet files in an empty folder, or under "
        "a prefix such as parquet:s3://BUCKET/RUN: QUESTIONS may then be several files, patterns and "
        "folders of Parquet or JSON lines, and the same command again resumes a run that was "
        "interrupted.",
        _STORED,
    ),
]
Out = Annotated[str | None, typer.Option("--out", hidden=True)]
"""An earlier spelling of `--store parquet:ADDRESS`."""
OnOption = Annotated[
    On | None,
    option(
        "--on inline|processes|ray",
        "Who works: this process, several on this machine, or a Ray cluster; processes unless given.",
        _LARGE,
    ),
]
Workers = Annotated[
    int | None, option("--workers N", "How many work at the same time; one a core unless given.", _LARGE)
]
RayAddress = Annotated[
    str | None,
    option("--ray-address ADDRESS", "The cluster, for --on ray; a local one is started without it.", _LARGE),
]
RayAutoscales = Annotated[
    bool,
    option(
        "--ray-autoscales",
        "The cluster adds machines by itself: ask for all --workers, though there is no room for them yet.",
        _LARGE,
    ),
]
WorkerCpus = Annotated[
    float | None,
    option("--worker-cpus N", "Cores that a worker of the cluster takes; 1 unless given.", _LARGE),
]
WorkerGpus = Annotated[
    float | None,
    option("--worker-gpus N", "GPUs that a worker of the cluster takes; 0 unless given.", _LARGE),
]
Checks = Annotated[
    list[str] | None,
    option(
        "--check NAME|FILE",
        "Also decide by this check: the name of a preset, or a file with one check or a list of them; "
        "see `sensecheck schema`. Repeat for more.",
        _LARGE,
    ),
]
ShardRows = Annotated[
    int | None,
    option(
        "--shard-rows N",
        "Rows that are worked on together, at most; unless given, what suits the inputs.",
        _LARGE,
    ),
]
NoTexts = Annotated[
    bool, option("--no-texts", "Leave questions, answers and passages out of the results.", _LARGE)
]
