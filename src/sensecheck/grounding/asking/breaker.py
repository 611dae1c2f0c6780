"""Somebody who fails again and again is left alone for a while."""

from collections.abc import Callable
from itertools import count
from time import monotonic


class Breaker:
    """Lets calls through until too many failed in a row; after a rest, one at a time, until one succeeds."""

    def __init__(
        self, *, failures: int = 5, rest: float = 5.0, clock: Callable[[], float] = monotonic
    ) -> None:
        self._limit = failures
        self._rest = rest
        self._clock = clock
        self._failed = 0
        self._rests_until = 0.0
        self._probe: int | None = None
        self._numbers = count()

    @property
    def is_open(self) -> bool:
        """Whether too many failed in a row, and none has succeeded since."""
        return self._failed >= self._limit

    def begin(self) -> int | None:
        """The number of a call that may be made now, which must be ended; None while calls are to rest."""
        number = next(self._numbers)
        if self.is_open:
            if self._probe is not None or self._clock() < self._rests_until:
                return None
            self._probe = number
        return number

    def succeeded(self, number: int) -> None:
        """A call went well: all is as in the beginning."""
        self._failed = 0
        self._end(number)

    def failed(self, number: int) -> None:
        """A call went wrong; one that was begun before the rest does not make it longer."""
        if not self.is_open or number == self._probe:
            self._failed += 1
            self._rests_until = self._clock() + self._rest
        self._end(number)

    def given_up(self, number: int) -> None:
        """Nobody waited for a call: it says nothing, and another may be made in its place."""
        self._end(number)

    def _end(self, number: int) -> None:
        if number == self._probe:
            self._probe = None
