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
from sensecheck.datasets.columns import NAMES, Meant
from sensecheck.encoders.caches import precision_of
from sensecheck.evaluation.request import Crewing, OutOrder, shown_encoder
from sensecheck.execution.executor import Executor, Inline, Make
from sensecheck.execution.location import is_url
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import columns_of, fingerprints_of, inputs_of, plan_run
from sensecheck.execution.processes import Processes
from sensecheck.execution.ray_executor import RayExecutor
from sensecheck.measures.metrics import standard_for
from sensecheck.tables.order import TableOrder, must_be_free, needed_by, result_fields

_TEXTS = ("question", "expected", "answer", "passages")


def meant_by(order: OutOrder) -> Meant:
    """What the columns of the inputs are; one that somebody named, and that they lack, is a slip."""
    found = columns_of(inputs_of(order.addresses))
    for column in order.columns.named:
        if column not in found:
            raise SampleError(f"in the inputs: {unknown('column', column, found)}")
    meant = order.columns.meant(found, tuple(NAMES), "the input")
    if "answer" not in meant.parts:
        listed = ", ".join(f"`{name}`" for name in found) or "none"
        raise SampleError(
            f"no column of the inputs holds an `answer`; found {listed}; name one: `--column answer=COLUMN`"
        )
    return meant


def plan_of(order: OutOrder, meant: Meant, earlier: RunPlan | None) -> RunPlan:
    """What is to be done; `earlier` is the plan of a finished run, for which nobody is loaded again."""
    asked = _plan_asked(order, meant)
    carried = _carried(order, meant)
    must_be_free(result_fields(asked), carried)
    return plan_run(
        asked,
        _readers(order, asked, earlier),
        order.addresses,
        shard_rows=order.shard_rows,
        carried=carried,
    )


def _plan_asked(order: OutOrder, meant: Meant) -> TableOrder:
    parts = meant.parts.keys() & set(_TEXTS)
    checks = order.checks_as_data()
    metrics = order.metrics or standard_for(parts, judge=bool(order.settings.judge))
    if not metrics and not checks:
        raise SpecError(
            "no metric applies to inputs without `expected` answers and `passages`; name one with "
            "`--metric`, or a check with `--check`"
        )
    return TableOrder(tuple(dict.fromkeys(metrics)), checks, dict(meant.parts))


def _carried(order: OutOrder, meant: Meant) -> tuple[str, ...]:
    """What stands in the results beside the readings: which row it is, its kinds, and its texts."""
    parts = [column for part, column in meant.parts.items() if order.with_texts or part not in _TEXTS]
    return (*parts, *order.columns.slices, *order.columns.labels)


def _readers(order: OutOrder, asked: TableOrder, earlier: RunPlan | None) -> dict[str, str]:
    """Who reads, by name and by fingerprint; of a finished run, whose fingerprints it was."""
    settings, needed = order.settings, needed_by(asked)
    if order.encoders and "encoder" not in needed:
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
        return {"sensecheck": __version__, **named, **fingerprints_of(table_readers(settings, asked))}
    known: dict[str, str] = {reader: earlier.readers.get(reader, "") for reader in needed}
    return {"sensecheck": __version__, **named, **known}


def executor_of(crewing: Crewing, plan: RunPlan) -> Executor:
    """The executor; unless it was said, with no more processes than there is work for."""
    if crewing.on == "inline":
        return Inline()
    if crewing.on == "ray":
        return RayExecutor(
            crewing.workers,
            crewing.ray_address,
            cpus=1.0 if crewing.worker_cpus is None else crewing.worker_cpus,
            gpus=crewing.worker_gpus or 0.0,
            autoscales=crewing.ray_autoscales,
        )
    return Processes(crewing.workers or min(_cores(), max(len(plan.pieces), plan.buckets)))


def settings_on(crewing: Crewing, settings: Settings) -> tuple[Settings, str]:
    """The settings that all workers can have, wherever they are, and what is to be said of them, if any."""
    if crewing.on != "ray" or settings.cache == "off" or "://" in settings.cache:
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
