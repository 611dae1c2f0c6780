"""`sensecheck eval`: a set of questions, answered, read by all metrics and kept."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sensecheck.cli.evaluation import options as given
from sensecheck.cli.evaluation import options as large
from sensecheck.cli.options import Json, Store
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.config import Settings


# ruff: noqa: PLC0415 - the parts that evaluate bring numpy and SQLAlchemy along, which `--help` does without

EXIT_CODES = "\n".join(
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
    questions: given.Questions = None,
    project: given.Project = None,
    test: given.TestName = None,
    name: given.RunName = "",
    columns: given.Columns = None,
    slices: given.Slices = None,
    labels: given.Labels = None,
    ignored: given.Ignored = None,
    answers: given.Answers = None,
    ask: given.Ask = None,
    ask_key: given.KeyVariable = None,
    prompt: given.PromptFile = None,
    at_once: given.AtOnce = 4,
    no_cache: given.NoCache = False,
    guard: given.GuardFile = None,
    above: given.Above = None,
    distinct: given.Distinct = None,
    top: given.Top = None,
    chars: given.Chars = None,
    tokens: given.Tokens = None,
    counter: given.Counter = None,
    metrics: given.Metrics = None,
    encoders: given.Encoders = None,
    out: large.Out = None,
    on: large.OnOption = None,
    workers: large.Workers = None,
    ray_address: large.RayAddress = None,
    ray_autoscales: large.RayAutoscales = False,
    worker_cpus: large.WorkerCpus = None,
    worker_gpus: large.WorkerGpus = None,
    checks: large.Checks = None,
    shard_rows: large.ShardRows = None,
    without_texts: large.WithoutTexts = False,
    store: Store = None,
    resume: given.Resume = None,
    html: given.Html = None,
    as_json: Json = False,
) -> None:
    """Evaluate the answers to a set of questions with many metrics, and keep all of it in a database.

    A row holds `question`, `expected` and, where it is recorded, `answer`; also `passages` and `id`. Each
    question that has an answer is read by every metric that applies. Runs are compared by
    `sensecheck history`. With `--out`, recorded answers of any number are read by many processes or by a
    cluster, and the results are files, which `sensecheck results` reads.
    """
    from sensecheck.datasets.columns import Columns
    from sensecheck.evaluation.request import Crewing, OutOrder

    large.must_go_together(context, out)
    meant = Columns.of(parts=columns or (), slices=slices or (), labels=labels or (), ignored=ignored or ())
    settings = _settings(encoders or [], store)
    if out is not None:
        with extra("scale"):
            from sensecheck.cli.evaluation.execute_large import walk_out
        crewing = Crewing(on, workers, ray_address, worker_cpus, worker_gpus, ray_autoscales)
        wanted = OutOrder(
            addresses=tuple(questions or ()),
            out=out,
            crewing=crewing,
            columns=meant,
            metrics=tuple(metrics or ()),
            checks=tuple(checks or ()),
            encoders=tuple(encoders or ()),
            settings=settings,
            shard_rows=shard_rows,
            with_texts=not without_texts,
        )
        wanted.must_be_possible()
        raise typer.Exit(walk_out(wanted, as_json=as_json))
    with extra("eval"):
        from sensecheck.cli.evaluation.execute import walk
    from sensecheck.evaluation.request import Asking, Order
    from sensecheck.retrieval.flags import Short

    order = Order(
        questions=_only(questions or []),
        project=project,
        test=test,
        name=name,
        columns=meant,
        answers=answers,
        asking=None if ask is None else Asking(ask, ask_key, at_once, cached=not no_cache),
        prompt=prompt,
        guard=guard,
        short=Short(above, distinct, top, chars, tokens, counter),
        metrics=tuple(metrics or ()),
        encoders=tuple(encoders or ()),
        settings=settings,
        resume=resume,
        html=html,
    )
    order.must_be_possible(key_variable=ask_key)
    raise typer.Exit(walk(order, as_json=as_json))


def _only(questions: list[str]) -> Path | None:
    """The file of questions, if one was named."""
    if len(questions) > 1:
        raise SpecError(
            f"found {len(questions)} files of questions; several are for `--out`, which was not given"
        )
    return Path(questions[0]) if questions else None


def _settings(encoders: list[str], store: str | None) -> "Settings":
    from dataclasses import replace

    from sensecheck.cli.options import settings_with

    settings = settings_with(encoders[0] if encoders else None)
    return settings if store is None else replace(settings, store=store)
