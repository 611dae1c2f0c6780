"""Who does the work of a large run, as a command line says."""

import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from sensecheck.cli.eval_notes import note
from sensecheck.cli.eval_out_order import Crewing
from sensecheck.evals.executors.executor import Executor, Make
from sensecheck.evals.executors.inline import Inline
from sensecheck.evals.executors.processes import Processes
from sensecheck.evals.executors.ray_executor import RayExecutor
from sensecheck.evals.shards.addresses import is_url
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.wiring import Settings, shard_worker


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


def settings_on(crewing: Crewing, settings: Settings, *, as_json: bool) -> Settings:
    """The settings that all workers can have, wherever they are."""
    if crewing.on != "ray" or settings.cache == "off" or "://" in settings.cache:
        return settings
    note(
        "the cache of this machine is not used by a cluster; name one that all its machines reach, such as "
        "SENSECHECK_CACHE=parquet:s3://BUCKET/CACHE, to keep vectors from run to run",
        as_json=as_json,
    )
    return replace(settings, cache="off")


def maker_of(settings: Settings, address: str) -> Make:
    """What makes a worker ready, whichever folder it is started in."""
    return partial(shard_worker, settings, address if is_url(address) else str(Path(address).absolute()))


def _cores() -> int:
    """Cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
