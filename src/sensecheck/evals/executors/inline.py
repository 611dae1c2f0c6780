"""The executor for few rows, and for looking closely: this process does the work itself."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sensecheck.evals.executors.attempt import attempt
from sensecheck.evals.executors.executor import Done, Failed, Make, Task, Work


@dataclass(frozen=True, slots=True)
class Inline:
    """One task after the other, here: an interruption ends the one in work."""

    name: str = field(default="inline", init=False)

    @contextmanager
    def crew(self, make: Make) -> Iterator["InlineCrew"]:
        """The one worker there is."""
        yield InlineCrew(make())


class InlineCrew:
    """Takes one task at a time, and does it when its end is asked for."""

    size = 1
    link: str | None = None

    def __init__(self, work: Work) -> None:
        self._work = work
        self._taken: deque[Task] = deque()

    @property
    def busy(self) -> int:
        """Tasks that were taken and whose end was not told yet."""
        return len(self._taken)

    @property
    def has_room(self) -> bool:
        """Whether it takes another task now."""
        return not self._taken

    def take(self, task: Task) -> None:
        """Do it when its end is asked for."""
        self._taken.append(task)

    def next(self) -> Done | Failed:
        """Do the task that was taken first."""
        return attempt(self._work, self._taken.popleft())
