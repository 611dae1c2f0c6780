"""A Ray cluster on this machine: a real head and real worker nodes, each with processes of its own."""

import logging
import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.scale.family import family
from benchmarks.scale.waiting import until

_SHARED_MEMORY = 80 * 1024 * 1024
NODE_CPUS = 2


class RayHere:
    """A head that works not, and worker nodes that can be killed."""

    def __init__(self, cluster: Any, nodes: int) -> None:
        self._cluster = cluster
        self._nodes = [self._another() for _ in range(nodes)]

    @property
    def address(self) -> str:
        """Where drivers join."""
        return str(self._cluster.address)

    def processes_of(self, number: int) -> set[int]:
        """The node's own process, and all that work for it."""
        raylet = self._nodes[number].all_processes["raylet"][0].process.pid
        return {one.pid for one in family(raylet)}

    def kill_node(self, number: int) -> None:
        """Kill a node with all its processes, and start another one in its place."""
        before = self.processes_of(number)
        self._cluster.remove_node(self._nodes[number], allow_graceful=False)
        self._nodes[number] = self._another()
        until(lambda: not any(is_there(pid) for pid in before), "a process outlives its node")

    def _another(self) -> Any:
        return _started(self._cluster, num_cpus=NODE_CPUS)


@contextmanager
def ray_here(nodes: int) -> Iterator[RayHere]:
    """A cluster with a token that nobody else has; nothing of it is left afterwards."""
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_agent_register_timeout_ms": "100000",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    from ray.cluster_utils import Cluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    cluster = Cluster()
    try:
        _started(cluster, num_cpus=0, include_dashboard=False)
        yield RayHere(cluster, nodes)
    finally:
        ours = family(os.getpid())[1:]
        cluster.shutdown()  # type: ignore[no-untyped-call]
        until(lambda: not any(is_there(one.pid) for one in ours), "processes outlive their cluster")


def _started(cluster: Any, tries: int = 5, **options: Any) -> Any:
    """A node, the first of them the head; on a busy machine Ray gives up after half a minute."""
    before = _children()
    try:
        return cluster.add_node(object_store_memory=_SHARED_MEMORY, **options)
    except Exception:  # a plain one
        if tries == 1:
            raise
        for left in _children() - before:  # Ray does not end what it had started already
            os.kill(left, signal.SIGKILL)
        return _started(cluster, tries - 1, **options)


def _children() -> set[int]:
    """Processes that this one has started, and not those that they have."""
    return {one.pid for one in family(os.getpid()) if _stat(one.pid)[1:2] == [str(os.getpid())]}


def is_there(pid: int) -> bool:
    """Whether there is such a process, and not only what its parent has not taken note of."""
    return _stat(pid)[:1] not in ([], ["Z"])


def _stat(pid: int) -> list[str]:
    """What Linux tells of a process after its name: its state, its parent, and more; nothing if gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
