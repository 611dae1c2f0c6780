"""The pool of workers that processes and clusters share: slots, tasks that wait for one, and tasks that hang.

Each worker has a slot, in which it is replaced when it dies: one task for each, and as many that wait.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Generic, Protocol, TypeVar

from sensecheck.execution.executor import Task, TaskDone, TaskFailed

FIRST_TASK_SECONDS = 6 * 3600.0
"""After which a task is given up, as long as none of its kind has ended."""
MIN_LIMIT_SECONDS, HUNG_TIMES = 600.0, 10
"""Later it is given up when it takes so many times as long as the longest one, but not before a time."""
MIN_SLOW_SECONDS, SLOW_TIMES = 30.0, 2
"""When it is tried by a second worker that has nothing else to do."""


class WorkerSlot(Protocol):
    """One worker at a time, with at most one task; which is replaced when it dies."""

    @property
    def is_ready(self) -> bool:
        """Whether its worker has got ready."""
        ...

    @property
    def task(self) -> Task | None:
        """What is worked on."""
        ...

    def give(self, task: Task) -> None:
        """Let it work on a task."""
        ...

    def receive(self) -> TaskDone | TaskFailed | None:
        """How its task ended; None for all that concerns no one else."""
        ...

    def restart(self) -> None:
        """A new worker for one that hangs; what it worked on is given up."""
        ...


Slot = TypeVar("Slot", bound=WorkerSlot)
WithNews = Callable[[Sequence[Slot], float | None], Sequence[Slot]]
"""Waits for slots that have something to report; after so many seconds there are none."""


class SlotPool(Generic[Slot]):
    """One worker in each slot, and a few tasks that wait for a free one.

    A task that takes far longer than others of its kind is given up, and its worker replaced. Where workers
    have nothing else to do, one of them tries a slow task too, and whichever ends first counts.
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        with_news: WithNews[Slot],
        link: str | None = None,
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._slots = slots
        self._with_news = with_news
        self._clock = clock
        self._waiting: deque[Task] = deque()
        self._open: set[str] = set()
        """Tasks that were taken and whose end was not reported yet."""
        self._copied: set[str] = set()
        """Those that were given to a second worker."""
        self._begun: dict[int, float] = {}
        """When the task of a slot began, by the slot's number."""
        self._longest: dict[type, float] = {}
        """The seconds that a task took at most, by its kind."""
        self.link = link

    @property
    def size(self) -> int:
        """How many tasks are worked on at the same time."""
        return len(self._slots)

    @property
    def busy(self) -> int:
        """Tasks that were taken and whose end was not reported yet."""
        return len(self._open)

    @property
    def has_room(self) -> bool:
        """Whether it takes another task now."""
        return self.busy < 2 * self.size

    def wait_for(self, workers: int) -> None:
        """Until so many are ready."""
        while sum(slot.is_ready for slot in self._slots) < workers:
            for slot in self._with_news(self._slots, None):
                slot.receive()

    def take(self, task: Task) -> None:
        """Work on a task as soon as a worker is free."""
        self._waiting.append(task)
        self._open.add(task.key)
        self._hand_out()

    def next(self) -> TaskDone | TaskFailed:
        """How the next task ended, or that it was given up."""
        while True:
            for slot in self._with_news(self._slots, self._seconds_left()):
                result = self._received(self._slots.index(slot))
                self._hand_out()
                if result is not None:
                    return result
            hung = self._hung_task()
            self._hand_out()
            if hung is not None:
                return hung
            self._try_twice()

    def _received(self, number: int) -> TaskDone | TaskFailed | None:
        """How the task of a slot ended; None where its copy ended before, or may still succeed."""
        slot = self._slots[number]
        task, result = slot.task, slot.receive()
        if result is None or task is None:
            return None
        seconds = self._clock() - self._begun.pop(number)
        if isinstance(result, TaskDone):
            kind = type(task.body)
            self._longest[kind] = max(seconds, self._longest.get(kind, 0.0))
        elif result.error is None and self._is_worked_on(result.key):
            return None
        return result if self._close(result.key) else None

    def _hung_task(self) -> TaskFailed | None:
        """The first task that hangs; its worker is replaced."""
        for number, slot in enumerate(self._slots):
            if slot.task is None or self._clock() < self._begun[number] + self._limit(slot.task):
                continue
            task, seconds = slot.task, self._clock() - self._begun.pop(number)
            slot.restart()
            if not self._is_worked_on(task.key) and self._close(task.key):
                return TaskFailed(task.key, f"it did not end within {seconds:,.0f} s", "hung")
        return None

    def _try_twice(self) -> None:
        """Let workers that have nothing to do try slow tasks as well; each has one copy at most."""
        for number, slot in enumerate(self._slots):
            free = next((index for index in range(self.size) if self._is_free(index)), None)
            if free is None or self._waiting:
                return
            if slot.task is not None and self._clock() >= self._slow_at(number, slot.task):
                self._copied.add(slot.task.key)
                self._give(free, slot.task)

    def _seconds_left(self) -> float | None:
        """Until a task is given up, or tried twice; None where nothing is worked on."""
        may_copy = not self._waiting and any(map(self._is_free, range(self.size)))
        moments = [
            min(self._begun[number] + self._limit(slot.task), self._slow_at(number, slot.task))
            if may_copy
            else self._begun[number] + self._limit(slot.task)
            for number, slot in enumerate(self._slots)
            if slot.task is not None
        ]
        return max(0.0, min(moments) - self._clock()) if moments else None

    def _limit(self, task: Task) -> float:
        longest = self._longest.get(type(task.body))
        return FIRST_TASK_SECONDS if longest is None else max(MIN_LIMIT_SECONDS, HUNG_TIMES * longest)

    def _slow_at(self, number: int, task: Task) -> float:
        """When a task is slow; never one that is tried twice, or before another of its kind has ended."""
        longest = self._longest.get(type(task.body))
        if longest is None or task.key in self._copied or task.key not in self._open:
            return math.inf
        return self._begun[number] + max(MIN_SLOW_SECONDS, SLOW_TIMES * longest)

    def _close(self, key: str) -> bool:
        """Whether the end of a task is news, which it is once."""
        was_open = key in self._open
        self._open.discard(key)
        self._copied.discard(key)
        return was_open

    def _is_worked_on(self, key: str) -> bool:
        return any(slot.task is not None and slot.task.key == key for slot in self._slots)

    def _is_free(self, number: int) -> bool:
        return self._slots[number].is_ready and self._slots[number].task is None

    def _hand_out(self) -> None:
        for number in range(self.size):
            if self._waiting and self._is_free(number):
                self._give(number, self._waiting.popleft())

    def _give(self, number: int, task: Task) -> None:
        self._begun[number] = self._clock()
        self._slots[number].give(task)
