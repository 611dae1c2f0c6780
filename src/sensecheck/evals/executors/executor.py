"""The one shape of all executors: a crew takes tasks while it has room, and says how each of them ended."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sensecheck.core.errors import SensecheckError

Work = Callable[[Any], Any]
"""What a worker does with the body of a task."""
Make = Callable[[], Work]
"""Makes a worker ready, where it will work; it can be pickled."""
How = Literal["raised", "died", "lost"]
"""An exception that nobody expected; the worker's process died of it; the worker's machine went away."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do, known by its key; the body can be pickled."""

    key: str
    body: Any


@dataclass(frozen=True, slots=True)
class Done:
    """A task's result."""

    key: str
    result: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a task has no result."""

    key: str
    because: str
    how: How
    error: SensecheckError | None = None
    """What sensecheck itself says of it: the task is not to blame, and another try would end the same."""


class Crew(Protocol):
    """Workers that are ready; not for several threads at once."""

    @property
    def size(self) -> int:
        """How many tasks are worked on at the same time."""
        ...

    @property
    def link(self) -> str | None:
        """A page on which the crew can be watched, where there is one."""
        ...

    @property
    def busy(self) -> int:
        """Tasks that were taken and whose end was not told yet."""
        ...

    @property
    def has_room(self) -> bool:
        """Whether it takes another task now; a few wait beside those that are worked on, never many."""
        ...

    def take(self, task: Task) -> None:
        """Work on a task as soon as a worker is free."""
        ...

    def next(self) -> Done | Failed:
        """How the next task ended, in whichever order they end; waits for it."""
        ...


class Executor(Protocol):
    """Makes crews."""

    @property
    def name(self) -> str:
        """`inline`, `processes`, `ray`."""
        ...

    def crew(self, make: Make) -> AbstractContextManager[Crew]:
        """Workers, ready when the context is entered, and gone when it is left, however it is left."""
        ...
