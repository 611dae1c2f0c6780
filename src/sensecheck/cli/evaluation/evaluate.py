"""`sensecheck eval`: a set of questions, answered, read by all metrics and kept."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sensecheck.cli.evaluation import options
from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.config import Settings

# ruff: noqa: PLC0415 - the parts that evaluate bring numpy and SQLAlchemy along, which `--help` does without

EVAL_EXIT_CODES = "\n".join(
    (
        "Example: sensecheck eval questions.jsonl --slice topic --html page.html",
        "Example: sensecheck eval 'pairs/*.parquet' --out results/",
        "",
        "Exit codes:",
        "0  every question was answered, and every answer read",
        "2  the command or a file is wrong",
        "3  a question was not answered, or an answer not read by a metric; all else is kept",
        "130  interrupted; what was read is kept",
    )
)


def eval_(
    context: typer.Context,
    questions: options.Questions = None,
    project: options.Project = None,
    test: options.TestName = None,
    name: options.RunName = "",
    columns: options.Columns = None,
    slices: options.Slices = None,
    labels: options.Labels = None,
    ignored: options.Ignored = None,
    answers: options.Answers = None,
    ask: options.Ask = None,
    ask_key: options.KeyVariable = None,
    prompt: options.PromptFile = None,
    at_once: options.AtOnce = 4,
    no_cache: options.NoCache = False,
    guard: options.GuardFile = None,
    above: options.Above = None,
    distinct: options.Distinct = None,
    top: options.Top = None,
    chars: options.Chars = None,
    tokens: options.Tokens = None,
    counter: options.Counter = None,
    metrics: options.Metrics = None,
    encoders: options.Encoders = None,
    out: options.Out = None,
    on: options.OnOption = None,
    workers: options.Workers = None,
    ray_address: options.RayAddress = None,
    ray_autoscales: options.RayAutoscales = False,
    worker_cpus: options.WorkerCpus = None,
    worker_gpus: options.WorkerGpus = None,
    checks: options.Checks = None,
    shard_rows: options.ShardRows = None,
    without_texts: options.WithoutTexts = False,
    store: Store = None,
    resume: options.Resume = None,
    html: options.Html = None,
    as_json: Json = False,
) -> None:
    """Evaluate the answers to a set of questions with many metrics, and keep all of it in a database.

    A row holds `question`, `expected` and, where it is recorded, `answer`; also `passages` and `id`. Each
    question that has an answer is read by every metric that applies. Runs are compared by
    `sensecheck history`. With `--out`, recorded answers of any number are read by many processes or by a
    cluster, and the results are files, which `sensecheck results` reads.
    """
    from sensecheck.datasets.columns import Columns
    from sensecheck.evaluation.request import LargeEvaluationRequest, WorkerOptions

    options.must_go_together(context, out)
    named = Columns.of(parts=columns or (), slices=slices or (), labels=labels or (), ignored=ignored or ())
    settings = _settings(encoders or [], store)
    if out is not None:
        with extra("scale"):
            from sensecheck.cli.evaluation.execute_large import execute_large_run
        large = LargeEvaluationRequest(
            addresses=tuple(questions or ()),
            out=out,
            worker_options=WorkerOptions(on, workers, ray_address, worker_cpus, worker_gpus, ray_autoscales),
            columns=named,
            metrics=tuple(metrics or ()),
            checks=tuple(checks or ()),
            encoders=tuple(encoders or ()),
            settings=settings,
            shard_rows=shard_rows,
            with_texts=not without_texts,
        )
        large.must_be_possible()
        raise typer.Exit(execute_large_run(large, as_json=as_json))
    with extra("eval"):
        from sensecheck.cli.evaluation.execute import execute_evaluation
    from sensecheck.evaluation.request import AnswerModel, EvaluationRequest
    from sensecheck.retrieval.flags import Short

    request = EvaluationRequest(
        questions=_question_file(questions or []),
        project=project,
        test=test,
        name=name,
        columns=named,
        answers=answers,
        asking=None if ask is None else AnswerModel(ask, ask_key, at_once, cached=not no_cache),
        prompt=prompt,
        guard=guard,
        short=Short(above, distinct, top, chars, tokens, counter),
        metrics=tuple(metrics or ()),
        encoders=tuple(encoders or ()),
        settings=settings,
        resume=resume,
        html=html,
    )
    request.must_be_possible(key_variable=ask_key)
    raise typer.Exit(execute_evaluation(request, as_json=as_json))


def _question_file(questions: list[str]) -> Path | None:
    """The file of questions, if one was named."""
    if len(questions) > 1:
        raise SpecError(
            f"found {len(questions)} files of questions; several are for `--out`, which was not given"
        )
    return Path(questions[0]) if questions else None


def _settings(encoders: list[str], store: str | None) -> "Settings":
    from dataclasses import replace

    settings = settings_with(encoders[0] if encoders else None)
    return settings if store is None else replace(settings, store=store)
