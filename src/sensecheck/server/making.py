"""Settings to a running service: every part made once, and ended in the order that loses nothing."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from sensecheck.core.errors import SpecError, Unreadable
from sensecheck.grounding.asking.loading import load_writer
from sensecheck.grounding.asking.writer import Asked
from sensecheck.server.engine.asking import Engine
from sensecheck.server.engine.jobs import Extracted, ExtractJob
from sensecheck.server.engine.remembered import Remembering
from sensecheck.server.engine.room import Room
from sensecheck.server.entry.addresses import Proxies
from sensecheck.server.entry.buckets import RedisBuckets
from sensecheck.server.entry.doorman import Doorman
from sensecheck.server.entry.key_ring import KeyRing
from sensecheck.server.entry.keyless import PROJECT, anonymous_key, local_key
from sensecheck.server.entry.limiter import Limiter
from sensecheck.server.parts import Parts
from sensecheck.server.settings import ServiceSettings
from sensecheck.server.stored.keeping import Keeping
from sensecheck.server.stored.store_desk import StoreDesk
from sensecheck.server.upkeep.housekeeping import Housekeeping, begin
from sensecheck.server.watching.metrics import Metrics
from sensecheck.store.address import database_url
from sensecheck.store.service.api_keys import any_key
from sensecheck.store.service.keeper import Keeper
from sensecheck.store.service.pepper import SHORTEST, pepper_beside
from sensecheck.store.service.service_store import ServiceStore
from sensecheck.store.service.spool import Spool
from sensecheck.wiring import Settings, environment_for


@asynccontextmanager
async def made(settings: Settings, service: ServiceSettings, *, local: bool) -> AsyncIterator[Parts]:
    """The parts of a running service.

    They end in reverse: first the engines, which finish what they have; then the keeper, which writes what it
    was given; the database last.
    """
    async with AsyncExitStack() as ending:
        pepper, proxies = pepper_for(settings.store, service), Proxies.read(service.proxies)
        store = await asyncio.to_thread(ServiceStore.open, settings.store)
        ending.callback(store.close)
        desk = StoreDesk(store)
        ending.callback(desk.close)
        keeping = Keeping(_keeper(store, service, ending))
        metrics = Metrics()
        limiter = Limiter(_shared(service), told=metrics.redis)
        ending.push_async_callback(limiter.close)
        room = Room(
            engines=service.engines or max(1, (os.cpu_count() or 1) - 1),
            max_wait=service.max_wait,
            environment=environment_for(settings),
        )
        engine = Remembering(room)
        writer = load_writer(
            service.writer,
            partial(_found_by, engine),
            key=service.writer_key,
            timeout=service.writer_timeout,
        )
        ending.push_async_callback(writer.close)
        await room.start()
        ending.push_async_callback(room.stop)
        metrics.watch(engine.load, keeping)
        project = await desk.ask(lambda asked: asked.project(PROJECT))
        doorman = Doorman(
            KeyRing(desk),
            pepper,
            proxies=proxies,
            local=local_key(project) if local and not await desk.ask(_has_keys) else None,
            anonymous=anonymous_key(project) if service.anonymous else None,
        )
        if service.housekeeping:
            days = service.retention_days, service.candidate_days
            await _tidying(Housekeeping(store, *days, told=metrics.tidied), ending)
        yield Parts(service, engine, writer, desk, keeping, doorman, limiter, metrics)


def pepper_for(address: str, service: ServiceSettings) -> str:
    """The secret that keys are stored under: the one that is set, or the one beside a file of SQLite."""
    if service.pepper is not None:
        if len(service.pepper) < SHORTEST:
            raise SpecError(
                f"SENSECHECK_SERVE_PEPPER wants at least {SHORTEST} characters; found {len(service.pepper)}"
            )
        return service.pepper
    url = database_url(address)
    if url.get_backend_name() == "sqlite":
        return pepper_beside(Path(url.database or ""))
    raise SpecError(
        "SENSECHECK_SERVE_PEPPER is not set; with PostgreSQL it wants a secret of at least 16 characters, "
        "the same for every process: `openssl rand -hex 32` makes one"
    )


def _has_keys(store: ServiceStore) -> bool:
    """Whether anybody made a key; then even this machine wants one, since a proxy on it looks the same."""
    with store.reading() as connection:
        return any_key(connection)


def _keeper(store: ServiceStore, service: ServiceSettings, ending: AsyncExitStack) -> Keeper:
    spool = Spool.open(Path(service.spool).expanduser(), megabytes=service.spool_mb)
    keeper = Keeper(store, spool)

    def end() -> None:
        if keeper.stop():
            spool.close()  # else a thread still writes to it, and it ends with the process

    keeper.start()
    ending.push_async_callback(asyncio.to_thread, end)
    return keeper


def _shared(service: ServiceSettings) -> RedisBuckets | None:
    return RedisBuckets.at(service.redis) if service.redis else None


async def _found_by(engine: Engine, asked: Asked) -> Sequence[tuple[int, int]]:
    """Where the passage answers, by an engine."""
    found = await engine.run(ExtractJob(asked.question, asked.passage), promised=True)
    if not isinstance(found, Extracted):
        raise Unreadable("the question or the passage cannot be read")
    return found.spans


async def _tidying(housekeeping: Housekeeping, ending: AsyncExitStack) -> None:
    """Tidy up from time to time until the service ends."""
    task = begin(housekeeping)

    async def end() -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    ending.push_async_callback(end)
