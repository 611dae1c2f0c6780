"""A seat in a crew on Ray: whoever sits in it is replaced when it dies, wherever there is room."""

from collections.abc import Callable
from typing import Any

import ray
from ray.actor import ActorHandle
from ray.exceptions import RayError, RayTaskError

from sensecheck.core.errors import NoWorkers, SensecheckError
from sensecheck.evals.executors.attempt import in_words
from sensecheck.evals.executors.executor import Done, Failed, Task
from sensecheck.evals.executors.ray_actor import Actor
from sensecheck.evals.executors.ray_deaths import death

Hire = Callable[[], ActorHandle[Actor]]
MOST_STARTS = 3
"""Actors that may die in a row before they were ready."""


class RaySeat:
    """One actor at a time, with at most one task.

    Ray could restart an actor itself, and would then not tell whether its process or its machine died; here
    an actor is one process, and each death is told.
    """

    sign: "ray.ObjectRef[Any]"
    """What is waited for: its actor is ready, or has ended its task, or is gone."""
    _actor: ActorHandle[Actor]

    def __init__(self, hire: Hire) -> None:
        self._hire = hire
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

    def heard(self) -> Done | Failed | None:
        """How its task ended; None for all that concerns nobody else."""
        try:
            said: Any = ray.get(self.sign)
        except RayTaskError as wrong:
            return self._unsaid(wrong)
        except RayError as wrong:
            return self._replaced(wrong)
        if isinstance(said, Done | Failed):
            self.task = None
            return said
        if isinstance(said, SensecheckError):
            raise said
        self._starts, self._node = 0, said
        return None

    def end(self) -> None:
        """End the actor, whatever it does."""
        ray.kill(self._actor)

    def _unsaid(self, wrong: RayTaskError) -> Failed:
        """Something came of it that cannot be sent, or the worker could not be made at all."""
        cause = wrong.cause
        if self.task is None:
            raise NoWorkers(
                f"a worker cannot be made ready on Ray: {type(cause).__name__}: {cause}"
            ) from wrong
        failed = Failed(self.task.key, in_words(cause), "raised")
        self.task = None
        return failed

    def _replaced(self, wrong: RayError) -> Failed | None:
        """A new actor for the one that is gone, and which task that cost."""
        because, how = death(wrong, self._node)
        self.end()
        if self._starts == MOST_STARTS:
            raise NoWorkers(
                f"a worker on Ray died {MOST_STARTS} times before it was ready: {because}; what is done is "
                "kept; is sensecheck installed on every node, and is there enough memory?"
            ) from wrong
        lost, self.task = self.task, None
        self._start()
        return None if lost is None else Failed(lost.key, because, how)

    def _start(self) -> None:
        self._starts += 1
        self._node = ""
        self._actor = self._hire()
        self.sign = self._actor.get_ready.remote()
