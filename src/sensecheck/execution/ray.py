"""The pool of workers on a Ray cluster: the one at an address, the one that runs here, or one of our own.

Each worker is an actor in a slot, and is replaced when its process dies or its machine goes away.
"""

import logging
import math
import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import ray
from ray.actor import ActorHandle
from ray.exceptions import ActorDiedError, OutOfMemoryError, RayError, RayTaskError, WorkerCrashedError

from sensecheck.core.errors import NoWorkers, SensecheckError, SpecError
from sensecheck.execution.executor import How, Make, Task, TaskDone, TaskFailed, Work, attempt, describe_error
from sensecheck.execution.slots import SlotPool

OWN_CLUSTER = "local"
"""The address that always means a cluster of our own."""
SPARE = 1
"""CPUs that no worker takes: with all of them taken, whatever else wants one waits for ever."""
MAX_STARTS = 3
"""Actors that may die in a row before they were ready."""
_OWN_CLUSTER_OPTIONS: dict[str, Any] = {
    "include_dashboard": False,
    "object_store_memory": 128 * 1024 * 1024,  # only tasks and how they ended go through Ray
    "_system_config": {"agent_register_timeout_ms": 100_000},  # for a busy machine its own 15 s are too few
}
_ANSWER_WITHIN = 30.0
_MAX_CAUSE_CHARS = 300
"""Characters of what Ray says of a death."""
Resources = Mapping[str, float]


class Actor:
    """Makes its worker once, then one task after the other."""

    _work: Work

    def __init__(self, make: Make) -> None:
        self._make = make

    def get_ready(self) -> str | SensecheckError:
        """Make the worker: the node it is on, or what sensecheck itself says against it.

        An error that is raised comes out of Ray with another class and with its traceback; one that is
        returned is still itself.
        """
        try:
            self._work = self._make()
        except SensecheckError as error:
            return error
        return str(ray.get_runtime_context().get_node_id())

    def do(self, task: Task) -> TaskDone | TaskFailed:
        """One try of a task."""
        return attempt(self._work, task)


StartActor = Callable[[], ActorHandle[Actor]]


class RaySlot:
    """One actor at a time, with at most one task.

    Ray could restart an actor itself, and would then not say whether its process or its machine died; here
    an actor is one process, and each death is reported.
    """

    sign: "ray.ObjectRef[Any]"
    """What is waited for: its actor is ready, or has ended its task, or is gone."""
    _actor: ActorHandle[Actor]

    def __init__(self, start_actor: StartActor) -> None:
        self._start_actor = start_actor
        self._starts = 0
        self.task: Task | None = None
        self._start()

    @property
    def is_ready(self) -> bool:
        """Whether its actor has got ready."""
        return self._starts == 0

    def give(self, task: Task) -> None:
        """Let it work on a task."""
        self.task = task
        self.sign = self._actor.do.remote(task)

    def receive(self) -> TaskDone | TaskFailed | None:
        """How its task ended; None for all that concerns no one else."""
        try:
            message: Any = ray.get(self.sign)
        except RayTaskError as error:
            return self._unsent(error)
        except RayError as error:
            return self._replaced(error)
        if isinstance(message, TaskDone | TaskFailed):
            self.task = None
            return message
        if isinstance(message, SensecheckError):
            raise message
        self._starts, self._node = 0, message
        return None

    def restart(self) -> None:
        """A new actor for one that hangs; what it worked on is given up."""
        self.end()
        self.task = None
        self._start()

    def end(self) -> None:
        """End the actor, whatever it does."""
        ray.kill(self._actor)

    def _unsent(self, error: RayTaskError) -> TaskFailed:
        """Something came of it that cannot be sent, or the worker could not be made at all."""
        cause = error.cause
        if self.task is None:
            raise NoWorkers(
                f"a worker cannot be made ready on Ray: {type(cause).__name__}: {cause}"
            ) from error
        failed = TaskFailed(self.task.key, describe_error(cause), "raised")
        self.task = None
        return failed

    def _replaced(self, error: RayError) -> TaskFailed | None:
        """A new actor for the one that is gone, and which task that cost."""
        because, how = _death(error, self._node)
        self.end()
        if self._starts == MAX_STARTS:
            raise NoWorkers(
                f"a worker on Ray died {MAX_STARTS} times before it was ready: {because}; what is done is "
                "kept; is sensecheck installed on every node, and is there enough memory?"
            ) from error
        lost_task, self.task = self.task, None
        self._start()
        return None if lost_task is None else TaskFailed(lost_task.key, because, how)

    def _start(self) -> None:
        self._starts += 1
        self._node = ""
        self._actor = self._start_actor()
        self.sign = self._actor.get_ready.remote()


@contextmanager
def ray_pool(
    make: Make,
    address: str | None,
    *,
    workers: int | None,
    each: Resources,
    autoscales: bool,
    patience: float,
) -> Iterator[SlotPool[RaySlot]]:
    """As many actors as are wanted, or fit; the first is ready, and the others join when they are."""
    with cluster(address, (workers or os.cpu_count() or 1) * each["CPU"]) as link:
        size = workers if autoscales and workers else _workers_for(workers, each)
        start_actor, slots = _actor_starter(make, each), list[RaySlot]()
        try:
            slots.extend(RaySlot(start_actor) for _ in range(size))
            pool = SlotPool(slots, partial(_with_news, patience=patience), link)
            pool.wait_for(1)
            yield pool
        finally:
            for slot in slots:
                slot.end()


@contextmanager
def cluster(address: str | None, cpus: float) -> Iterator[str | None]:
    """Be joined to a cluster, and have the link to its dashboard, where it has one.

    A cluster of our own has so many CPUs for workers, and ends with us, however we end; Ray sends no reports
    from a cluster that is started so.
    """
    if ray.is_initialized():  # by the program that we are a part of; it continues with it
        yield _link(ray.init(ignore_reinit_error=True))
        return
    try:
        context = _joined(address, cpus)
    except Exception as error:  # Ray raises errors of many kinds here, and plain exceptions too
        raise NoWorkers(_unjoined(address, error)) from error
    try:
        yield _link(context)
    finally:
        ray.shutdown()


def room_on(alive: Sequence[Resources], each: Resources) -> int:
    """Workers that fit: none of them is on two nodes, and some CPUs are left."""
    fitting = sum(_fitting(node, each) for node in alive)
    if not each["CPU"]:
        return fitting
    total = sum(node.get("CPU", 0) for node in alive)
    return max(0, min(fitting, math.floor((total - SPARE) / each["CPU"])))


def _actor_starter(make: Make, resources: Resources) -> StartActor:
    actors: Any = ray.remote(Actor)
    placed = actors.options(
        num_cpus=resources["CPU"],
        num_gpus=resources["GPU"],
        max_restarts=0,  # the slot restarts, and reports it
        max_task_retries=0,  # the driver counts tries
        scheduling_strategy="SPREAD",
    )
    return partial(placed.remote, make)


def _with_news(slots: Sequence[RaySlot], seconds: float | None, *, patience: float) -> list[RaySlot]:
    """A slot whose actor is ready, has ended its task, or is gone; waits for one, but no longer than that."""
    by_sign = {slot.sign: slot for slot in slots if slot.task is not None or not slot.is_ready}
    somebody_works = any(slot.task is not None for slot in slots)
    ready_signs, _ = ray.wait(list(by_sign), num_returns=1, timeout=seconds if somebody_works else patience)
    if not ready_signs and not somebody_works:
        raise NoWorkers(
            f"no worker was ready on Ray for {patience:g} s: it found no room for one, or none gets ready; "
            "what is done is stored; see with `ray status` what the cluster has, and run the same command "
            "again"
        )
    return [by_sign[sign] for sign in ready_signs]


def _workers_for(workers: int | None, resources: Resources) -> int:
    """How many workers the cluster gets: those that are wanted, or as many as there is room for now."""
    alive = [node["Resources"] for node in _nodes() if node["Alive"]]
    room = room_on(alive, resources)
    if workers is None and room:
        return room
    if workers is not None and workers <= room:
        return workers
    counts = (f"{sum(node.get(kind, 0) for node in alive):g} {kind}" for kind in resources)
    has = f"{', '.join(counts)} on {len(alive)} nodes"
    wants = ", ".join(f"{count:g} {kind}" for kind, count in resources.items())
    raise SpecError(
        f"the Ray cluster has room for {room} workers; wanted: {workers or 1}, each with {wants}, and "
        f"{SPARE} CPU left free; got: {has}; take fewer with `--workers`, add nodes, or say with "
        "`--ray-autoscales` that the cluster adds them"
    )


def _fitting(node: Resources, resources: Resources) -> int:
    return min(math.floor(node.get(kind, 0) / count) for kind, count in resources.items() if count)


def _nodes() -> list[dict[str, Any]]:
    """Each as Ray describes it; those that went away are among them, with `Alive` false."""
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    return nodes


def _joined(address: str | None, cpus: float) -> Any:
    if address is not None and address != OWN_CLUSTER:
        _require_answer(address)
        return _init(address)
    try:
        return _started(address, math.ceil(cpus) + SPARE)
    except ValueError:  # a cluster runs here already, which has the CPUs that it has
        return _init(address)


def _started(address: str | None, cpus: int, tries: int = 3) -> Any:
    """A cluster of our own; on a busy machine Ray gives up after half a minute, with a plain exception."""
    try:
        return _init(address, num_cpus=cpus, **_OWN_CLUSTER_OPTIONS)
    except Exception as error:
        if type(error) is Exception and tries > 1:
            ray.shutdown()
            return _started(address, cpus, tries - 1)
        raise


def _require_answer(address: str) -> None:
    """Ray would try for many minutes, and then end the process."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host, int(port)), timeout=_ANSWER_WITHIN).close()


def _init(address: str | None, **options: Any) -> Any:
    return ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)


def _link(context: Any) -> str | None:
    return f"http://{context.dashboard_url}" if context.dashboard_url else None


def _unjoined(address: str | None, error: Exception) -> str:
    why = str(error).strip().partition("\n")[0] or type(error).__name__
    if address is None or address == OWN_CLUSTER:
        return f"no Ray cluster could be started on this machine: {why}"
    return (
        f"the Ray cluster at `{address}` could not be joined: {why}; does it run, and does this machine have "
        "its token (`RAY_AUTH_MODE=token`, and `RAY_AUTH_TOKEN` or a file that `RAY_AUTH_TOKEN_PATH` names)?"
    )


def _death(error: RayError, node: str) -> tuple[str, How]:
    """Why an actor is gone, in few words, and how."""
    if isinstance(error, ActorDiedError) and (error.preempted or not _is_alive(node)):
        return "its machine went away", "lost"
    if isinstance(error, ActorDiedError | WorkerCrashedError | OutOfMemoryError):
        return f"its process died, as it happens when the memory is full: {_cause(error)}", "died"
    return _cause(error), "lost"


def _cause(error: RayError) -> str:
    """Ray's own words are many; the last line says it, up to its guesses."""
    last = str(error).strip().rpartition("\n")[2]
    return last.rpartition("Worker exit detail: ")[2].partition(" Some common causes")[0][:_MAX_CAUSE_CHARS]


def _is_alive(node: str) -> bool:
    """A node that no one has reported yet counts as alive."""
    return not any(other["NodeID"] == node and not other["Alive"] for other in _nodes())
