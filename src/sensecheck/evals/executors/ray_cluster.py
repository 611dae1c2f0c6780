"""A Ray cluster to work on: the one at an address, the one that runs here, or one of our own."""

import logging
import math
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

from sensecheck.core.errors import NoWorkers
from sensecheck.evals.executors.ray_room import SPARE

OWN = "local"
"""The address that always means a cluster of our own."""
_OWN: dict[str, Any] = {
    "include_dashboard": False,
    "object_store_memory": 128 * 1024 * 1024,  # only tasks and how they ended go through Ray
    "_system_config": {"agent_register_timeout_ms": 100_000},  # for a busy machine its own 15 s are too few
}
_ANSWER_WITHIN = 30.0


@contextmanager
def cluster(address: str | None, cpus: float) -> Iterator[str | None]:
    """Be joined to a cluster, and have the link to its dashboard, where it has one.

    A cluster of our own has so many CPUs for workers, and ends with us, however we end; Ray sends no reports
    from a cluster that is started so.
    """
    if ray.is_initialized():  # by the program that we are a part of; it goes on with it
        yield _link(ray.init(ignore_reinit_error=True))
        return
    try:
        context = _joined(address, cpus)
    except Exception as wrong:  # Ray raises errors of many kinds here, and plain exceptions too
        raise NoWorkers(_unjoined(address, wrong)) from wrong
    try:
        yield _link(context)
    finally:
        ray.shutdown()


def _joined(address: str | None, cpus: float) -> Any:
    if address is not None and address != OWN:
        _must_answer(address)
        return _init(address)
    try:
        return _started(address, math.ceil(cpus) + SPARE)
    except ValueError:  # a cluster runs here already, which has the CPUs that it has
        return _init(address)


def _started(address: str | None, cpus: int, tries: int = 3) -> Any:
    """A cluster of our own; on a busy machine Ray gives up after half a minute, with a plain exception."""
    try:
        return _init(address, num_cpus=cpus, **_OWN)
    except Exception as wrong:
        if type(wrong) is Exception and tries > 1:
            ray.shutdown()
            return _started(address, cpus, tries - 1)
        raise


def _must_answer(address: str) -> None:
    """Ray would try for many minutes, and then end the process."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_ANSWER_WITHIN).close()


def _init(address: str | None, **options: Any) -> Any:
    return ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)


def _link(context: Any) -> str | None:
    return f"http://{context.dashboard_url}" if context.dashboard_url else None


def _unjoined(address: str | None, wrong: Exception) -> str:
    why = str(wrong).strip().partition("\n")[0] or type(wrong).__name__
    if address is None or address == OWN:
        return f"no Ray cluster could be started on this machine: {why}"
    return (
        f"the Ray cluster at `{address}` could not be joined: {why}; does it run, and does this machine have "
        "its token (`RAY_AUTH_MODE=token`, and `RAY_AUTH_TOKEN` or a file that `RAY_AUTH_TOKEN_PATH` names)?"
    )
