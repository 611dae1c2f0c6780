"""`sensecheck eval`: a set of questions, answered, read by all metrics and stored."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, logs_as_notes, note, safe, write_json
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.options import COLUMNS, Json, argument, option
from sensecheck.cli.progress import evaluation_progress
from sensecheck.core.errors import SpecError
from sensecheck.execution import On
from sensecheck.measures.metrics import CONTEXT, STANDARD

if TYPE_CHECKING:
    from sensecheck.evaluation.request import EvaluationRequest

# ruff: noqa: PLC0415 - the parts that evaluate bring numpy and SQLAlchemy along, which `--help` does without

_WHAT = "What is evaluated"
_WHO, _GUARDS = "Who answers", "Guards of the passages, in this order"
_READ, _STORED = "What is read", "What is stored and shown"
_LARGE = "Large sets: results in Parquet files, with --store parquet:ADDRESS"


def eval_(
    questions: Annotated[
        list[str] | None,
        argument(
            "QUESTIONS",
            "Questions with their reference answers: .jsonl, .csv or .parquet. Without a file, the latest "
            "questions of --project. Into Parquet files, any number of files, patterns and folders.",
        ),
    ] = None,
    project: Annotated[
        str | None, option("--project NAME", "Its project; the file's name unless given.", _WHAT)
    ] = None,
    test: Annotated[
        str | None,
        option(
            "--test NAME", "The name that runs with this configuration share; `default` unless given.", _WHAT
        ),
    ] = None,
    name: Annotated[
        str,
        option(
            "--name TEXT",
            "The name of this run; the file of answers, or the model that is asked, unless given.",
            _WHAT,
        ),
    ] = "",
    columns: Annotated[
        list[str] | None,
        option(
            "--column PART=COLUMN", "A part of a row, and the column that holds it. Repeat for more.", COLUMNS
        ),
    ] = None,
    slices: Annotated[
        list[str] | None,
        option("--slice COLUMN", "A column that says what kind of question it is. Repeat for more.", COLUMNS),
    ] = None,
    labels: Annotated[
        list[str] | None,
        option(
            "--label COLUMN",
            "A column that says what people thought of the recorded answer: 0/1, true/false, a number. "
            "Repeat for more.",
            COLUMNS,
        ),
    ] = None,
    ignored: Annotated[
        list[str] | None,
        option("--ignore-column COLUMN", "Do not read this column. Repeat for more.", COLUMNS),
    ] = None,
    answers: Annotated[
        Path | None,
        option(
            "--answers FILE",
            "Recorded answers in a file of their own, by `id` or by `question`; they may bring `passages`.",
            _WHO,
        ),
    ] = None,
    model: Annotated[
        str | None,
        option(
            "--model openai:URL#MODEL",
            "Ask a model now, at any address that answers as OpenAI's does; "
            "`?temperature=0.2&max_tokens=200` after the model sets what is sent along.",
            _WHO,
        ),
    ] = None,
    api_key_env: Annotated[
        str | None,
        option(
            "--api-key-env VARIABLE",
            "The environment variable that holds the key for --model; none is sent without it.",
            _WHO,
        ),
    ] = None,
    prompt: Annotated[
        Path | None,
        option("--prompt FILE", "What is asked: a text with {question} and {references} in it.", _WHO),
    ] = None,
    concurrency: Annotated[
        int | None,
        option("--concurrency N", "Questions that are asked at the same time; 4 unless given.", _WHO),
    ] = None,
    no_cache: Annotated[
        bool, option("--no-cache", "Ask again, and cache no answers for other runs.", _WHO)
    ] = False,
    guard: Annotated[
        Path | None,
        option("--guard CHAIN.yaml", "A chain of guards; see `sensecheck schema --chain`.", _GUARDS),
    ] = None,
    min_similarity: Annotated[
        str | None,
        option(
            "--min-similarity VALUE|CARD",
            "Keep those at least this similar to the question: a number, or a card.",
            _GUARDS,
        ),
    ] = None,
    dedupe: Annotated[
        float | None, option("--dedupe SIMILARITY", "Keep one of those this similar to each other.", _GUARDS)
    ] = None,
    top_k: Annotated[int | None, option("--top-k K", "Keep the first K.", _GUARDS)] = None,
    max_chars: Annotated[
        int | None, option("--max-chars N", "Keep what fits into N characters.", _GUARDS)
    ] = None,
    max_tokens: Annotated[
        int | None, option("--max-tokens N", "Keep what fits into N tokens, block included.", _GUARDS)
    ] = None,
    tokenizer: Annotated[str | None, option("--tokenizer NAME", "What counts tokens.", _GUARDS)] = None,
    metrics: Annotated[
        list[str] | None,
        option(
            "--metric NAME",
            f"Read this metric; those that apply unless given, of {', '.join((*STANDARD, *CONTEXT))}, and "
            "with a judge those that it reads. Repeat for more.",
            _READ,
        ),
    ] = None,
    encoders: Annotated[
        list[str] | None,
        option(
            "--encoder NAME",
            "Compare meaning with this encoder instead of the one in SENSECHECK_ENCODER. Repeat to compare "
            "encoders in one run; the first is the run's own.",
            _READ,
        ),
    ] = None,
    on: Annotated[
        On | None,
        option(
            "--on inline|processes|ray",
            "Who works: this process, several on this machine, or a Ray cluster; processes unless given.",
            _LARGE,
        ),
    ] = None,
    workers: Annotated[
        int | None, option("--workers N", "How many work at the same time; one a core unless given.", _LARGE)
    ] = None,
    ray_address: Annotated[
        str | None,
        option(
            "--ray-address ADDRESS", "The cluster, for --on ray; a local one is started without it.", _LARGE
        ),
    ] = None,
    ray_autoscales: Annotated[
        bool,
        option(
            "--ray-autoscales",
            "The cluster adds machines by itself: ask for all --workers, though there is no room for them "
            "yet.",
            _LARGE,
        ),
    ] = False,
    worker_cpus: Annotated[
        float | None,
        option("--worker-cpus N", "Cores that a worker of the cluster takes; 1 unless given.", _LARGE),
    ] = None,
    worker_gpus: Annotated[
        float | None,
        option("--worker-gpus N", "GPUs that a worker of the cluster takes; 0 unless given.", _LARGE),
    ] = None,
    checks: Annotated[
        list[str] | None,
        option(
            "--check NAME|FILE",
            "Also decide by this check: the name of a preset, or a file with one check or a list of them; "
            "see `sensecheck schema`. Repeat for more.",
            _LARGE,
        ),
    ] = None,
    shard_rows: Annotated[
        int | None,
        option(
            "--shard-rows N",
            "Rows that are worked on together, at most; unless given, what suits the inputs.",
            _LARGE,
        ),
    ] = None,
    no_texts: Annotated[
        bool, option("--no-texts", "Leave questions, answers and passages out of the results.", _LARGE)
    ] = False,
    store: Annotated[
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
    ] = None,
    out: Annotated[str | None, typer.Option("--out", hidden=True)] = None,  # once `--store parquet:…`
    resume: Annotated[
        str | None,
        option(
            "--resume RUN", "Resume a run that was interrupted: its number, its name, or `latest`.", _STORED
        ),
    ] = None,
    html: Annotated[Path | None, option("--html FILE", "Write a page to look through.", _STORED)] = None,
    as_json: Json = False,
) -> None:
    """Evaluate the answers to a set of questions with many metrics, and store all of it in a database.

    A row holds `question`, `expected` and, where it is recorded, `answer`; also `passages` and `id`. Each
    question that has an answer is read by every metric that applies. Runs are compared by
    `sensecheck runs`. With `--store parquet:ADDRESS`, recorded answers of any number are read by many
    processes or by a cluster, and the results are files, which `sensecheck runs` reads.
    """
    from sensecheck.datasets.columns import Columns
    from sensecheck.evaluation.request import EvaluationRequest

    if out is not None and store is not None:
        raise SpecError("`--out ADDRESS` is `--store parquet:ADDRESS`; give one of them")
    request = EvaluationRequest(
        questions=questions or (),
        columns=Columns.of(
            parts=columns or (), slices=slices or (), labels=labels or (), ignored=ignored or ()
        ),
        metrics=metrics or (),
        encoders=encoders or (),
        store=store if out is None else f"parquet:{out}",
        on="processes" if out and on is None else on,
        project=project,
        test=test,
        name=name,
        answers=answers,
        model=model,
        api_key_env=api_key_env,
        prompt=prompt,
        concurrency=concurrency,
        cached=not no_cache,
        guard=guard,
        min_similarity=min_similarity,
        dedupe=dedupe,
        top_k=top_k,
        max_chars=max_chars,
        max_tokens=max_tokens,
        tokenizer=tokenizer,
        resume=resume,
        html=html,
        workers=workers,
        ray_address=ray_address,
        ray_autoscales=ray_autoscales,
        worker_cpus=worker_cpus,
        worker_gpus=worker_gpus,
        checks=checks or (),
        shard_rows=shard_rows,
        with_texts=not no_texts,
    )
    raise typer.Exit(_evaluate(request, as_json=as_json))


def _evaluate(request: "EvaluationRequest", *, as_json: bool) -> int:
    """Show progress, notes and the result; the exit code."""
    from sensecheck.cli.evaluation.view import show_evaluation
    from sensecheck.evaluation.result import EvaluationResult
    from sensecheck.evaluation.run import evaluation_steps

    code, run = PASSED, ""
    with logs_as_notes(as_json=as_json), closing(evaluation_steps(request)) as events:
        try:
            for event in evaluation_progress(events, hidden=as_json):
                if isinstance(event, EvaluationResult):
                    code = PASSED if event.complete else NOT_JUDGED
                    if as_json:
                        write_json(event.to_data() | {"exit_code": code})
                    else:
                        show_evaluation(Console(), event)
                else:
                    run = event.run
                for text in event.notes:
                    note(text, as_json=as_json)
        except KeyboardInterrupt:
            if not run:
                raise
            _show_how_to_resume(request, run, as_json=as_json)
            raise typer.Exit(INTERRUPTED) from None
    if request.html is not None and not as_json:
        Console().line("written to ", (safe(str(request.html)), "bold"))
    return code


def _show_how_to_resume(request: "EvaluationRequest", run: str, *, as_json: bool) -> None:
    in_files = request.parquet_address is not None
    if as_json:
        where = {"out": run} if in_files else {"run": int(run)}
        write_json({"error": "interrupted", "kind": "Interrupted", **where}, err=True)
        return
    resume = "what is done is stored; run the same command again to resume"
    if not in_files:
        from sensecheck.store.address import store_option

        questions = safe(" ".join(request.addresses) or f"--project {request.named_project}")
        store = safe(store_option(request.destination))
        command = f"sensecheck eval {questions} --resume {run}{store}"
        resume = f"what was read is stored; resume with `{command}` and the same options"
    Console(stderr=True).line(("interrupted: ", "bold yellow"), resume)
