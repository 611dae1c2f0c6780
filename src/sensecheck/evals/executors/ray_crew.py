"""A crew of actors on a Ray cluster."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import ray

from sensecheck.core.errors import NoWorkers
from sensecheck.evals.executors.executor import Make
from sensecheck.evals.executors.ray_actor import Actor
from sensecheck.evals.executors.ray_cluster import cluster
from sensecheck.evals.executors.ray_room import Resources, workers_for
from sensecheck.evals.executors.ray_seat import Hire, RaySeat
from sensecheck.evals.executors.seated_crew import SeatedCrew


@contextmanager
def hired(
    make: Make,
    address: str | None,
    *,
    workers: int | None,
    each: Resources,
    autoscales: bool,
    patience: float,
) -> Iterator[SeatedCrew[RaySeat]]:
    """As many actors as are wanted, or fit; the first is ready, and the others join when they are."""
    with cluster(address, (workers or os.cpu_count() or 1) * each["CPU"]) as link:
        size = workers if autoscales and workers else workers_for(workers, each)
        hire, seats = _hire(make, each), list[RaySeat]()
        try:
            seats.extend(RaySeat(hire) for _ in range(size))
            crew = SeatedCrew(seats, partial(_stirring, patience=patience), link)
            crew.wait_for(1)
            yield crew
        finally:
            for seat in seats:
                seat.end()


def _hire(make: Make, each: Resources) -> Hire:
    actors: Any = ray.remote(Actor)
    placed = actors.options(
        num_cpus=each["CPU"],
        num_gpus=each["GPU"],
        max_restarts=0,  # the seat restarts, and tells
        max_task_retries=0,  # the driver counts tries
        scheduling_strategy="SPREAD",
    )
    return partial(placed.remote, make)


def _stirring(seats: Sequence[RaySeat], *, patience: float) -> list[RaySeat]:
    """A seat whose actor is ready, has ended its task, or is gone; waits for one."""
    by_sign = {seat.sign: seat for seat in seats if seat.task is not None or not seat.is_ready}
    somebody_works = any(seat.task is not None for seat in seats)
    ended, _ = ray.wait(list(by_sign), num_returns=1, timeout=None if somebody_works else patience)
    if not ended:
        raise NoWorkers(
            f"no worker was ready on Ray for {patience:g} s: it found no room for one, or none gets ready; "
            "what is done is kept; see with `ray status` what the cluster has, and run the same command again"
        )
    return [by_sign[sign] for sign in ended]
