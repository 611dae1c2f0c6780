"""Regular maintenance of the database: partitions, retention and daily figures.

It runs in the service, or in a worker of its own, whose jobs Procrastinate keeps in the same PostgreSQL.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import time

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from sensecheck.core.errors import SpecError
from sensecheck.server.logging import log
from sensecheck.store.address import database_url
from sensecheck.store.columns import now
from sensecheck.store.engine import writing
from sensecheck.store.retry import is_away
from sensecheck.store.service.figures import days_to_roll_up, roll_up
from sensecheck.store.service.retention import Retained
from sensecheck.store.service.store import ServiceStore

HOUR = 3600.0
SCHEMA = "sensecheck_jobs"
"""Its tables lie apart from ours, where neither gets into the other's way."""
EVERY_HOUR = "7 * * * *"
_TIDY = "sensecheck.tidy"
_LOCK = 0x73656E73656A  # "sensej" in ASCII: one worker at a time makes the tables
_THERE = "SELECT 1 WHERE to_regclass(%s) IS NOT NULL"
_OPTIONS = f"-c search_path={SCHEMA}"


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


def worker_app(address: str, housekeeping: Housekeeping) -> App:
    """Jobs by the hour, each done by one worker however many there are."""
    app = App(connector=PsycopgConnector(conninfo=_conninfo(address), kwargs={"options": _OPTIONS}))

    @app.periodic(cron=EVERY_HOUR)
    @app.task(queueing_lock="tidy", lock="tidy", name=_TIDY)
    async def tidy(timestamp: int) -> None:
        result = await asyncio.to_thread(housekeeping.tidy)
        log().info("tidied", count=result.retained.rows, waiting=len(result.retained.in_use))

    return app


async def run_worker(app: App, tell: Callable[[], None], *, wait: bool = True) -> None:
    """Do jobs until SIGINT or SIGTERM; what was begun is finished. Without `wait`, until none is left."""
    async with app.open_async():
        await _make_tables(app)
        with suppress(AlreadyEnqueued):  # such a job is queued already: that one will do
            await app.configure_task(_TIDY).defer_async(timestamp=0)
        tell()
        await app.run_worker_async(wait=wait, delete_jobs="successful", shutdown_graceful_timeout=60)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (wrong := task.exception()) is not None:
        log().critical("nothing is tidied until the service is restarted", exc_info=wrong)


def _conninfo(address: str) -> str:
    url = database_url(address)
    if url.get_backend_name() != "postgresql":
        raise SpecError("a worker needs PostgreSQL; with SQLite the service keeps house by itself")
    plain: URL = url.set(drivername="postgresql")
    return plain.render_as_string(hide_password=False)


async def _make_tables(app: App) -> None:
    """Make the tables of jobs unless they are there; of two concurrent attempts, one makes them."""
    assert isinstance(app.connector, PsycopgConnector)  # as `worker_app` makes it
    # On one connection of the pool, and in one transaction: its end is the end of the lock.
    async with app.connector.pool.connection() as connection, connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        row = await (await connection.execute(_THERE, (f"{SCHEMA}.procrastinate_jobs",))).fetchone()
        if row is None:
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            await connection.execute(app.schema_manager.get_schema())
