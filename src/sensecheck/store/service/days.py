"""Stretches of time as whole days, and where they begin among the names of messages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sensecheck.store.service.ids import first_id


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days in UTC, from the first one up to, and with, the last one."""

    first: date
    last: date

    @classmethod
    def until(cls, last: date, count: int) -> "Days":
        """So many days, the last of which is this one."""
        return cls(last - timedelta(days=count - 1), last)

    def each(self) -> list[date]:
        """Every one of them."""
        return [self.first + timedelta(days=day) for day in range((self.last - self.first).days + 1)]

    @property
    def begin(self) -> datetime:
        """The first moment."""
        return datetime(self.first.year, self.first.month, self.first.day, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first moment after them."""
        return Days(self.last, self.last).begin + timedelta(days=1)

    @property
    def names(self) -> tuple[str, str]:
        """Names of messages of these days are at least the first of these texts, and less than the second."""
        return first_id(self.begin), first_id(self.end)


def runs_of(days: Iterable[date]) -> list[Days]:
    """Days in order, each stretch without a gap as one."""
    runs: list[Days] = []
    for day in days:
        if runs and day - runs[-1].last == timedelta(days=1):
            runs[-1] = Days(runs[-1].first, day)
        else:
            runs.append(Days(day, day))
    return runs
