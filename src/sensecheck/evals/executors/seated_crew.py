"""A crew in which each worker has a seat: one task for each, and as many that wait for a seat."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from sensecheck.evals.executors.executor import Done, Failed, Task


class Seat(Protocol):
    """One worker at a time, with at most one task; whoever sits in it is replaced when it dies."""

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

    def heard(self) -> Done | Failed | None:
        """How its task ended; None for all that concerns nobody else."""
        ...


OneSeat = TypeVar("OneSeat", bound=Seat)


class SeatedCrew(Generic[OneSeat]):
    """Seats, and somebody who knows which of them stir."""

    def __init__(
        self,
        seats: Sequence[OneSeat],
        stirring: Callable[[Sequence[OneSeat]], Sequence[OneSeat]],
        link: str | None = None,
    ) -> None:
        self._seats = seats
        self._stirring = stirring
        """Waits for seats that have something to tell."""
        self._waiting: deque[Task] = deque()
        self.link = link

    @property
    def size(self) -> int:
        """How many tasks are worked on at the same time."""
        return len(self._seats)

    @property
    def busy(self) -> int:
        """Tasks that were taken and whose end was not told yet."""
        return len(self._waiting) + sum(seat.task is not None for seat in self._seats)

    @property
    def has_room(self) -> bool:
        """Whether it takes another task now."""
        return self.busy < 2 * self.size

    def wait_for(self, workers: int) -> None:
        """Until so many are ready."""
        while sum(seat.is_ready for seat in self._seats) < workers:
            for seat in self._stirring(self._seats):
                seat.heard()

    def take(self, task: Task) -> None:
        """Work on a task as soon as a worker is free."""
        self._waiting.append(task)
        self._hand_out()

    def next(self) -> Done | Failed:
        """How the next task ended."""
        while True:
            for seat in self._stirring(self._seats):
                ended = seat.heard()
                self._hand_out()
                if ended is not None:
                    return ended

    def _hand_out(self) -> None:
        for seat in self._seats:
            if self._waiting and seat.is_ready and seat.task is None:
                seat.give(self._waiting.popleft())
