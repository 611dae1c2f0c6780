"""`sensecheck eval`: a set of questions, answered, read by all metrics and stored."""

from contextlib import closing
from typing import TYPE_CHECKING

import typer

from sensecheck.cli.console import Console, logs_as_notes, note, safe, write_json
from sensecheck.cli.evaluation import options
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.options import Json
from sensecheck.cli.progress import evaluation_progress
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.evaluation.request import EvaluationRequest
    from sensecheck.evaluation.result import EvaluationResult

# ruff: noqa: PLC0415 - the parts that evaluate bring numpy and SQLAlchemy along, which `--help` does without


def eval_(
    questions: options.Questions = None,
    project: options.Project = None,
    test: options.TestName = None,
    name: options.RunName = "",
    columns: options.Columns = None,
    slices: options.Slices = None,
    labels: options.Labels = None,
    ignored: options.Ignored = None,
    answers: options.Answers = None,
    model: options.Model = None,
    api_key_env: options.ApiKeyEnv = None,
    prompt: options.PromptFile = None,
    concurrency: options.Concurrency = None,
    no_cache: options.NoCache = False,
    guard: options.GuardFile = None,
    min_similarity: options.MinSimilarity = None,
    dedupe: options.Dedupe = None,
    top_k: options.TopK = None,
    max_chars: options.MaxChars = None,
    max_tokens: options.MaxTokens = None,
    tokenizer: options.Tokenizer = None,
    metrics: options.Metrics = None,
    encoders: options.Encoders = None,
    on: options.OnOption = None,
    workers: options.Workers = None,
    ray_address: options.RayAddress = None,
    ray_autoscales: options.RayAutoscales = False,
    worker_cpus: options.WorkerCpus = None,
    worker_gpus: options.WorkerGpus = None,
    checks: options.Checks = None,
    shard_rows: options.ShardRows = None,
    no_texts: options.NoTexts = False,
    store: options.Store = None,
    out: options.Out = None,
    resume: options.Resume = None,
    html: options.Html = None,
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
    from sensecheck.evaluation.result import EvaluationResult
    from sensecheck.evaluation.run import evaluation_steps

    code, run = PASSED, ""
    with logs_as_notes(as_json=as_json), closing(evaluation_steps(request)) as events:
        try:
            for event in evaluation_progress(events, hidden=as_json):
                if isinstance(event, EvaluationResult):
                    code = PASSED if event.complete else NOT_JUDGED
                    _show(event, code, as_json=as_json)
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


def _show(result: "EvaluationResult", code: int, *, as_json: bool) -> None:
    from sensecheck.cli.evaluation.view import show_evaluation

    if as_json:
        write_json(result.to_data() | {"exit_code": code})
    else:
        show_evaluation(Console(), result)


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
