"""A large run as it was asked for: its plan, and who works."""

import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from sensecheck import __version__
from sensecheck.config import Settings, shard_worker, table_readers
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import unknown
from sensecheck.datasets.columns import COLUMN_NAMES, ColumnMeaning
from sensecheck.encoders.caches import precision_of
from sensecheck.evaluation.request import LargeEvaluationRequest, WorkerOptions, shown_encoder
from sensecheck.execution.executor import Executor, Inline, Make
from sensecheck.execution.location import is_url
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import columns_of, fingerprints_of, inputs_of, plan_run
from sensecheck.execution.processes import Processes
from sensecheck.execution.ray_executor import RayExecutor
from sensecheck.measures.metrics import standard_for
from sensecheck.tables.order import TableOrder, must_be_free, needed_by, result_fields

_TEXTS = ("question", "expected", "answer", "passages")


def meant_by(request: LargeEvaluationRequest) -> ColumnMeaning:
    """What the columns of the inputs are; one that somebody named, and that they lack, is a slip."""
    found = columns_of(inputs_of(request.addresses))
    for column in request.columns.named:
        if column not in found:
            raise SampleError(f"in the inputs: {unknown('column', column, found)}")
    meant = request.columns.meaning_of(found, tuple(COLUMN_NAMES), "the input")
    if "answer" not in meant.parts:
        listed = ", ".join(f"`{name}`" for name in found) or "none"
        raise SampleError(
            f"no column of the inputs holds an `answer`; found {listed}; name one: `--column answer=COLUMN`"
        )
    return meant


def plan_of(request: LargeEvaluationRequest, meant: ColumnMeaning, earlier: RunPlan | None) -> RunPlan:
    """What is to be done; `earlier` is the plan of a finished run, for which nobody is loaded again."""
    order = _table_order(request, meant)
    carried = _carried(request, meant)
    must_be_free(result_fields(order), carried)
    return plan_run(
        order,
        _readers(request, order, earlier),
        request.addresses,
        shard_rows=request.shard_rows,
        carried=carried,
    )


def _table_order(request: LargeEvaluationRequest, meant: ColumnMeaning) -> TableOrder:
    parts = meant.parts.keys() & set(_TEXTS)
    checks = request.checks_as_data()
    metrics = request.metrics or standard_for(parts, judge=bool(request.settings.judge))
    if not metrics and not checks:
        raise SpecError(
            "no metric applies to inputs without `expected` answers and `passages`; name one with "
            "`--metric`, or a check with `--check`"
        )
    return TableOrder(tuple(dict.fromkeys(metrics)), checks, dict(meant.parts))


def _carried(request: LargeEvaluationRequest, meant: ColumnMeaning) -> tuple[str, ...]:
    """What stands in the results beside the readings: which row it is, its kinds, and its texts."""
    parts = [column for part, column in meant.parts.items() if request.with_texts or part not in _TEXTS]
    return (*parts, *request.columns.slices, *request.columns.labels)


def _readers(request: LargeEvaluationRequest, order: TableOrder, earlier: RunPlan | None) -> dict[str, str]:
    """Who reads, by name and by fingerprint; of a finished run, whose fingerprints it was."""
    settings, needed = request.settings, needed_by(order)
    if request.encoders and "encoder" not in needed:
        raise SpecError("`--encoder` is for metrics and checks that compare meaning, and none of these does")
    prefix = f" after `{settings.prefix}`" if settings.prefix else ""
    described = {
        "encoder": f"{shown_encoder(settings.encoder)}{prefix}",
        "verifier": settings.verifier,
        "judge": shown_encoder(settings.judge),
    }
    named = {f"{reader}_named": described[reader] for reader in sorted(needed)}
    if "encoder" in needed:
        named["vectors"] = precision_of(settings.cache)
    if earlier is None:
        return {"sensecheck": __version__, **named, **fingerprints_of(table_readers(settings, order))}
    known: dict[str, str] = {reader: earlier.readers.get(reader, "") for reader in needed}
    return {"sensecheck": __version__, **named, **known}


def executor_of(options: WorkerOptions, plan: RunPlan) -> Executor:
    """The executor; unless it was said, with no more processes than there is work for."""
    if options.on == "inline":
        return Inline()
    if options.on == "ray":
        return RayExecutor(
            options.workers,
            options.ray_address,
            cpus=1.0 if options.worker_cpus is None else options.worker_cpus,
            gpus=options.worker_gpus or 0.0,
            autoscales=options.ray_autoscales,
        )
    return Processes(options.workers or min(_cores(), max(len(plan.pieces), plan.buckets)))


def settings_on(options: WorkerOptions, settings: Settings) -> tuple[Settings, str]:
    """The settings that all workers can have, wherever they are, and what is to be said of them, if any."""
    if options.on != "ray" or settings.cache == "off" or "://" in settings.cache:
        return settings, ""
    said = (
        "the cache of this machine is not used by a cluster; name one that all its machines reach, such as "
        "SENSECHECK_CACHE=parquet:s3://BUCKET/CACHE, to keep vectors from run to run"
    )
    return replace(settings, cache="off"), said


def maker_of(settings: Settings, address: str) -> Make:
    """What makes a worker ready, whichever folder it is started in."""
    return partial(shard_worker, settings, address if is_url(address) else str(Path(address).absolute()))


def _cores() -> int:
    """Cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
