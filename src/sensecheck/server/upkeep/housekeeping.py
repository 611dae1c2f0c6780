"""What has to be done from time to time: months made and dropped, days counted up."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import time

from sqlalchemy.exc import DBAPIError

from sensecheck.server.logs import log
from sensecheck.store.engine import writing
from sensecheck.store.moments import now
from sensecheck.store.service.retention import Retained
from sensecheck.store.service.rollups import days_to_roll_up, roll_up
from sensecheck.store.service.service_store import ServiceStore
from sensecheck.store.waiting import is_away

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Tidied:
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

    def tidy(self) -> Tidied:
        """Do all of it once; it can be done again at any time."""
        moment = now()
        made = tuple(self.store.make_partitions(moment))
        days = days_to_roll_up(moment)
        for day in days:  # before anything is taken away
            with writing(self.store.engine) as connection:
                roll_up(connection, day)
        retained = self.store.retain(moment, self.message_days, self.candidate_days)
        return Tidied(made, retained, len(days))

    async def now_and_then(self) -> None:
        """Do it now and then every hour, until cancelled; a database that is away is tried the next time."""
        self.told(0.0)
        while True:
            try:
                done = await asyncio.to_thread(self.tidy)
                self.told(time())
                log().info("tidied", count=done.retained.rows, waiting=len(done.retained.in_use))
            except DBAPIError as wrong:
                tell = log().warning if is_away(wrong) else log().error
                tell("not tidied; tried again in an hour", exc_info=wrong)
            await asyncio.sleep(HOUR)


def begin(housekeeping: Housekeeping) -> "asyncio.Task[None]":
    """Do it from time to time beside all else, until cancelled; should it ever end by itself, say so."""
    task = asyncio.create_task(housekeeping.now_and_then(), name="housekeeping")
    task.add_done_callback(_say_if_it_broke)
    return task


def _say_if_it_broke(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (wrong := task.exception()) is not None:
        log().critical("nothing is tidied until the service is restarted", exc_info=wrong)
