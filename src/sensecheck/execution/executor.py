"""What all executors share: tasks, pools of workers, one try of a task; and the executor of this process.

A pool takes tasks while it has room, and says how each of them ended. Whatever a task raises is reported to
whoever drives the pool, and the worker continues.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from traceback import extract_tb
from typing import Any, Literal, Protocol

from sensecheck.core.errors import SensecheckError

Work = Callable[[Any], Any]
"""What a worker does with the body of a task."""
Make = Callable[[], Work]
"""Makes a worker ready, where it will work; it can be pickled."""
How = Literal["raised", "died", "lost", "hung"]
"""An exception that no one expected; the worker's process died of it; the worker's machine went away; the
worker did not end it in time."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do, known by its key; the body can be pickled."""

    key: str
    body: Any


@dataclass(frozen=True, slots=True)
class TaskDone:
    """A task's result."""

    key: str
    result: Any


@dataclass(frozen=True, slots=True)
class TaskFailed:
    """Why a task has no result."""

    key: str
    because: str
    how: How
    error: SensecheckError | None = None
    """What sensecheck itself says of it: the task is not to blame, and another try would end the same."""


class WorkerPool(Protocol):
    """Workers that are ready; not for several threads at once."""

    @property
    def size(self) -> int:
        """How many tasks are worked on at the same time."""
        ...

    @property
    def link(self) -> str | None:
        """A page on which the pool can be watched, where there is one."""
        ...

    @property
    def busy(self) -> int:
        """Tasks that were taken and whose end was not reported yet."""
        ...

    @property
    def has_room(self) -> bool:
        """Whether it takes another task now; a few wait next to those that are worked on, never many."""
        ...

    def take(self, task: Task) -> None:
        """Work on a task as soon as a worker is free."""
        ...

    def next(self) -> TaskDone | TaskFailed:
        """How the next task ended, in whichever order they end; waits for it."""
        ...


class Executor(Protocol):
    """Makes pools of workers."""

    @property
    def name(self) -> str:
        """`inline`, `processes`, `ray`."""
        ...

    def pool(self, make: Make) -> AbstractContextManager[WorkerPool]:
        """Workers, ready when the context is entered, and gone when it is left, however it is left."""
        ...


@dataclass(frozen=True, slots=True)
class Inline:
    """One task after the other, here: an interruption ends the one in work."""

    name: str = field(default="inline", init=False)

    @contextmanager
    def pool(self, make: Make) -> Iterator["InlinePool"]:
        """The one worker there is."""
        yield InlinePool(make())


class InlinePool:
    """Takes one task at a time, and does it when its end is asked for."""

    size = 1
    link: str | None = None

    def __init__(self, work: Work) -> None:
        self._work = work
        self._taken: deque[Task] = deque()

    @property
    def busy(self) -> int:
        """Tasks that were taken and whose end was not reported yet."""
        return len(self._taken)

    @property
    def has_room(self) -> bool:
        """Whether it takes another task now."""
        return not self._taken

    def take(self, task: Task) -> None:
        """Do it when its end is asked for."""
        self._taken.append(task)

    def next(self) -> TaskDone | TaskFailed:
        """Do the task that was taken first."""
        return attempt(self._work, self._taken.popleft())


def attempt(work: Work, task: Task) -> TaskDone | TaskFailed:
    """How the task ended."""
    outcome: Future[Any] = Future()
    try:
        outcome.set_result(work(task.body))
    except Exception as error:  # noqa: BLE001 - the driver tries again, and finds the row that is to blame
        outcome.set_exception(error)
    failure = outcome.exception()
    if failure is None:
        return TaskDone(task.key, outcome.result())
    if isinstance(failure, SensecheckError):
        return TaskFailed(task.key, str(failure), "raised", failure)
    return TaskFailed(task.key, describe_error(failure), "raised")


def describe_error(wrong: BaseException) -> str:
    """What was raised and where: `ValueError in similarity.py:31`; its message could hold a user's text."""
    frames = extract_tb(wrong.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return type(wrong).__name__ + where
