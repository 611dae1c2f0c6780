"""Regular maintenance of the database: partitions, retention and daily figures.

It runs in the service, or in a worker of its own: see `maintenance_worker`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import time

from sqlalchemy.exc import DBAPIError

from sensecheck.server.logging import log
from sensecheck.store.columns import now
from sensecheck.store.engine import writing
from sensecheck.store.retry import is_away
from sensecheck.store.service.figures import days_to_roll_up, roll_up
from sensecheck.store.service.retention import Retained
from sensecheck.store.service.store import ServiceStore

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class MaintenanceResult:
    """What was done."""

    made: tuple[str, ...]
    """Months that are made before they come."""
    retained: Retained
    days: int
    """Days that were counted up."""


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """Keeps the database of the service in order; whoever else does the same does no harm."""

    store: ServiceStore
    message_days: int
    candidate_days: int
    told: Callable[[float], None] = field(default=lambda _: None)
    """Called with the time of each success, in seconds since 1970, and with 0 at the beginning."""

    def tidy(self) -> MaintenanceResult:
        """Do all of it once; it can be done again at any time."""
        moment = now()
        months = tuple(self.store.make_partitions(moment))
        days = days_to_roll_up(moment)
        for day in days:  # before anything is taken away
            with writing(self.store.engine) as connection:
                roll_up(connection, day)
        retained = self.store.retain(moment, self.message_days, self.candidate_days)
        return MaintenanceResult(months, retained, len(days))

    async def now_and_then(self) -> None:
        """Do it now and then every hour, until cancelled; a database that is away is tried the next time."""
        self.told(0.0)
        while True:
            try:
                result = await asyncio.to_thread(self.tidy)
                self.told(time())
                log().info("tidied", count=result.retained.rows, waiting=len(result.retained.in_use))
            except DBAPIError as wrong:
                write = log().warning if is_away(wrong) else log().error
                write("not tidied; tried again in an hour", exc_info=wrong)
            await asyncio.sleep(HOUR)


def begin(housekeeping: Housekeeping) -> "asyncio.Task[None]":
    """Do it from time to time beside all else, until cancelled; should it ever end by itself, say so."""
    task = asyncio.create_task(housekeeping.now_and_then(), name="housekeeping")
    task.add_done_callback(_log_failure)
    return task


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (wrong := task.exception()) is not None:
        log().critical("nothing is tidied until the service is restarted", exc_info=wrong)
