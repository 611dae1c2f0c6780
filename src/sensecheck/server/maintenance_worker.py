"""A worker that does the maintenance of the database every hour, one of however many there are.

Procrastinate keeps its jobs in the same PostgreSQL. It comes with the extra `worker`; nothing else needs it.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from sqlalchemy import URL

from sensecheck.core.errors import SpecError
from sensecheck.server.logging import log
from sensecheck.server.maintenance import Housekeeping
from sensecheck.store.address import database_url

SCHEMA = "sensecheck_jobs"
"""Its tables lie apart from ours, where neither gets into the other's way."""
EVERY_HOUR = "7 * * * *"
_TIDY = "sensecheck.tidy"
_LOCK = 0x73656E73656A  # "sensej" in ASCII: one worker at a time makes the tables
_THERE = "SELECT 1 WHERE to_regclass(%s) IS NOT NULL"
_OPTIONS = f"-c search_path={SCHEMA}"


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
