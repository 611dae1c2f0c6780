"""The parts of a running service: made once from the settings, and ended in the order that loses nothing."""

import asyncio
import os
from asyncio import Lock
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sensecheck.config import Settings, environment_for
from sensecheck.core.errors import Unreadable
from sensecheck.grounding.writer import Writer, WriterRequest
from sensecheck.grounding.writers import load_writer
from sensecheck.server.auth import PROJECT, Authenticator, anonymous_key, known_keys, local_key
from sensecheck.server.caller import Proxies
from sensecheck.server.database import AsyncStore, AsyncWriteQueue, KnownPolicies, known_policies
from sensecheck.server.engine.cache import CachedEngine
from sensecheck.server.engine.jobs import Engine, Extracted, ExtractJob
from sensecheck.server.engine.pool import EnginePool
from sensecheck.server.maintenance import Housekeeping, begin
from sensecheck.server.metrics import Metrics
from sensecheck.server.pepper import pepper_for
from sensecheck.server.rate_limits import Limiter, RedisBuckets
from sensecheck.server.settings import ServiceSettings
from sensecheck.store.service.api_keys import any_key
from sensecheck.store.service.spool import Spool
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import WriteQueue

ENGINE_STOP_SECONDS = 1.0
QUEUE_STOP_SECONDS = 5.0
"""With two more for the disk, one for requests that are cut off, and the default of `drain`, less than the 30
seconds after which most platforms kill a process that was asked to stop."""


@dataclass(frozen=True, slots=True)
class ServiceParts:
    """Everything that a request may need."""

    settings: ServiceSettings
    engine: Engine
    """Does jobs; what was judged before is remembered."""
    writer: Writer
    database: AsyncStore
    """The database, used from threads, so that nothing in the event loop waits for it."""
    write_queue: AsyncWriteQueue
    """Keeps messages, whether the database answers or not."""
    authenticator: Authenticator
    limiter: Limiter
    metrics: Metrics
    policies: KnownPolicies
    fitting: Lock = field(default_factory=Lock)
    """Locked while a threshold is fitted: one at a time, since each takes a process."""


@asynccontextmanager
async def made(settings: Settings, service: ServiceSettings, *, local: bool) -> AsyncIterator[ServiceParts]:
    """The parts of a running service.

    They end in reverse: first the engines, which finish what they have; then the write queue, which writes
    what it was given; the database last.
    """
    async with AsyncExitStack() as ending:
        pepper, proxies = pepper_for(settings.store, service), Proxies.read(service.proxies)
        store = await asyncio.to_thread(ServiceStore.open, settings.store)
        ending.callback(store.close)
        database = AsyncStore(store)
        ending.callback(database.close)
        write_queue = AsyncWriteQueue(_start_queue(store, service, ending))
        metrics = Metrics()
        limiter = Limiter(RedisBuckets.at(service.redis) if service.redis else None, told=metrics.redis)
        ending.push_async_callback(limiter.close)
        pool = EnginePool(
            workers=service.engines or max(1, (os.cpu_count() or 1) - 1),
            max_wait=service.max_wait,
            key_share=service.key_share,
            environment=environment_for(settings),
        )
        engine = CachedEngine(pool)
        writer = load_writer(
            service.writer,
            partial(_find_answers, engine, thorough=service.read_sentences),
            key=service.writer_key,
            timeout=service.writer_timeout,
            first_token=service.writer_first_token,
        )
        ending.push_async_callback(writer.close)
        await pool.start()
        ending.push_async_callback(pool.stop, ENGINE_STOP_SECONDS)
        metrics.watch(engine.load, write_queue.queue)
        project = await database.ask(lambda store: store.project(PROJECT))
        authenticator = Authenticator(
            known_keys(database),
            pepper,
            proxies=proxies,
            # Where there are keys this machine needs one too, since a proxy on it looks the same.
            local=local_key(project) if local and not await database.read(any_key) else None,
            anonymous=anonymous_key(project) if service.anonymous else None,
        )
        if service.housekeeping:
            days = service.retention_days, service.candidate_days
            await _start_housekeeping(Housekeeping(store, *days, told=metrics.tidied), ending)
        yield ServiceParts(
            settings=service,
            engine=engine,
            writer=writer,
            database=database,
            write_queue=write_queue,
            authenticator=authenticator,
            limiter=limiter,
            metrics=metrics,
            policies=known_policies(database),
        )


def _start_queue(store: ServiceStore, service: ServiceSettings, ending: AsyncExitStack) -> WriteQueue:
    spool = Spool.open(Path(service.spool).expanduser(), megabytes=service.spool_mb)
    queue = WriteQueue(store, spool)

    def end() -> None:
        if queue.stop(QUEUE_STOP_SECONDS):
            spool.close()  # else a thread still writes to it, and it ends with the process

    queue.start()
    ending.push_async_callback(asyncio.to_thread, end)
    return queue


async def _find_answers(
    engine: Engine, request: WriterRequest, *, thorough: bool
) -> Sequence[tuple[int, int]]:
    """Where the passage answers, by an engine."""
    result = await engine.run(ExtractJob(request.question, request.passage, thorough))
    if not isinstance(result, Extracted):
        raise Unreadable("the question or the passage cannot be read")
    return result.spans


async def _start_housekeeping(housekeeping: Housekeeping, ending: AsyncExitStack) -> None:
    """Tidy up from time to time until the service ends."""
    task = begin(housekeeping)

    async def end() -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    ending.push_async_callback(end)
