"""All that is wrong with a battery, told at once."""

from collections.abc import Callable
from typing import TypeVar

from sensecheck.core.errors import BatteryError

T = TypeVar("T")
MOST_TOLD = 20


class Mistakes:
    """Collects what is wrong, so that one reading of a file tells all of it."""

    def __init__(self) -> None:
        self._told: list[str] = []
        self._seen: set[str] = set()
        self._more = 0

    def add(self, wrong: BatteryError) -> None:
        """Keep what is wrong, a line each, once; beyond the first few they are only counted."""
        for line in str(wrong).splitlines():
            if line in self._seen:
                continue
            self._seen.add(line)
            if len(self._told) < MOST_TOLD:
                self._told.append(line)
            else:
                self._more += 1

    def noting(self, read: Callable[[], T], otherwise: T) -> T:
        """What `read` gives; when that is wrong, it is kept, and `otherwise` stands in until all is told."""
        try:
            return read()
        except BatteryError as wrong:
            self.add(wrong)
            return otherwise

    def __bool__(self) -> bool:
        return bool(self._told)

    def must_be_none(self) -> None:
        """Raise all of them as one error."""
        if self._told:
            raise self.as_error()

    def as_error(self) -> BatteryError:
        """All of them as one error, a line each."""
        more = [f"and {self._more} more"] if self._more else []
        return BatteryError("\n".join([*self._told, *more]))
