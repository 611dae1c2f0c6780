"""A real service for tests: uvicorn on a socket, in a thread, with a database and an engine of its own."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import uvicorn
from starlette.types import ASGIApp

from sensecheck.calibration.library import CardLibrary
from sensecheck.core.backends import Backends
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.grounding.writer import Writer, WriterRequest
from sensecheck.io.sockets import listening_at, url_of
from sensecheck.sense import Sense
from sensecheck.server.app import app_of
from sensecheck.server.auth import PROJECT, Authenticator, anonymous_key, known_keys, local_key
from sensecheck.server.caller import PUBLISHABLE_SCOPES, SECRET_SCOPES, Proxies
from sensecheck.server.database import AsyncStore, AsyncWriteQueue, known_policies
from sensecheck.server.engine.jobs import Client, EngineAway, Job, Load, Overloaded, Result
from sensecheck.server.engine.worker import BatchJudge, Policies
from sensecheck.server.metrics import Metrics
from sensecheck.server.rate_limits import Limiter, RedisBuckets
from sensecheck.server.settings import ServiceSettings
from sensecheck.server.startup import ServiceParts
from sensecheck.store.service.api_keys import NewKey, create
from sensecheck.store.service.records import ApiKey, KeyKind
from sensecheck.store.service.spool import Spool
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import WriteQueue

PEPPER = "a pepper for tests, of forty-odd letters"
PAGE = "https://docs.example.com"


class InProcess:
    """The engine's own judging, in a thread of the process that asks; a test may fill it, or end it."""

    def __init__(self, sense: Sense | None = None, *, alive: int = 1) -> None:
        self._judging = BatchJudge(
            sense or Sense(Backends(HashingEncoder())), Policies(CardLibrary.shipped())
        )
        self._thread = ThreadPoolExecutor(1)
        self.alive = alive
        self.is_full = False
        self.jobs: list[Job] = []
        """All that it was asked."""
        self.clients: list[Client] = []
        """Those that it admitted."""

    async def run(self, job: Job) -> Result:
        """What the job comes to."""
        self._require_room()
        if not self.alive:
            raise EngineAway("no engine is ready")
        self.jobs.append(job)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._now, job)

    def begin(self, jobs: Sequence[Job], client: Client) -> "Sequence[asyncio.Future[Result]]":
        """What each comes to."""
        self.clients.append(client)
        self._require_room()
        return [asyncio.ensure_future(self.run(job)) for job in jobs]

    @contextmanager
    def admit(self, jobs: Sequence[Job], client: Client) -> Iterator[None]:
        """Refuse them, if the test says so."""
        self.clients.append(client)
        self._require_room()
        yield

    def _require_room(self) -> None:
        if self.is_full:
            raise Overloaded(3.0)

    def load(self) -> Load:
        """Nothing ever waits."""
        return Load(0, 0.0, self.alive, 1)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    def _now(self, job: Job) -> Result:
        return self._judging.results([job])[0]


@dataclass(frozen=True, slots=True)
class FirstSentence:
    """Answers with the first sentence of the passage."""

    name: str = "first-sentence"

    async def write(self, asked: WriterRequest) -> AsyncGenerator[str, None]:
        """That sentence, at once."""
        yield asked.passage.partition(".")[0] + "."

    async def close(self) -> None:
        """It holds nothing."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a test wants of its service."""

    store: str
    """The address of its database."""
    spool: Path
    settings: ServiceSettings = field(default_factory=ServiceSettings)
    local: bool = True
    """Whether this machine's own user is answered without a key."""
    prefix: str = "sensecheck-test:"
    """What is counted in Redis begins so."""
    writer: Writer = FirstSentence()
    sense: Sense | None = None
    alive: int = 1


@asynccontextmanager
async def parts_of(wanted: Wanted) -> AsyncIterator[ServiceParts]:
    """The parts of a service, ended in the order that loses nothing."""
    settings, metrics = wanted.settings, Metrics()
    store = ServiceStore.open(wanted.store)
    spool = Spool.open(wanted.spool, megabytes=settings.spool_mb)
    keeper = WriteQueue(store, spool)
    keeper.start()
    desk = AsyncStore(store)
    shared = RedisBuckets.at(settings.redis, prefix=wanted.prefix) if settings.redis else None
    limiter = Limiter(shared, told=metrics.redis)
    engine = InProcess(wanted.sense, alive=wanted.alive)
    keeping = AsyncWriteQueue(keeper)
    metrics.watch(engine.load, keeper)
    yield ServiceParts(
        settings=settings,
        engine=engine,
        writer=wanted.writer,
        database=desk,
        write_queue=keeping,
        authenticator=_authenticator(wanted, desk),
        limiter=limiter,
        metrics=metrics,
        policies=known_policies(desk),
    )
    await limiter.close()
    keeper.stop()
    spool.close()
    desk.close()
    engine.close()
    store.close()


def _authenticator(wanted: Wanted, desk: AsyncStore) -> Authenticator:
    project = desk.store.project(PROJECT)
    return Authenticator(
        known_keys(desk),
        PEPPER,
        proxies=Proxies.read(wanted.settings.proxies),
        local=local_key(project) if wanted.local else None,
        anonymous=anonymous_key(project) if wanted.settings.anonymous else None,
    )


@contextmanager
def service(wanted: Wanted) -> Iterator[str]:
    """The address of a service."""
    with served(app_of(lambda: parts_of(wanted), body_kb=wanted.settings.body_kb)) as address:
        yield address


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """The address of an application, which ends with this block."""
    with listening_at("127.0.0.1", 0) as listening:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=5,
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        until = monotonic() + 30
        while not server.started and thread.is_alive() and monotonic() < until:
            sleep(0.01)
        try:
            assert server.started, "the service did not start"
            yield url_of(listening.getsockname())
        finally:
            server.should_exit = True
            thread.join(timeout=20)


def new_key(
    store: ServiceStore, kind: KeyKind, project: str = PROJECT, **wanted: object
) -> tuple[ApiKey, str]:
    """A key, and the whole of it as its holder sends it."""
    scopes = SECRET_SCOPES if kind == "secret" else PUBLISHABLE_SCOPES
    plain = NewKey(store.project(project), kind, "a test", frozenset[str](scopes))
    if kind == "publishable":
        plain = replace(plain, origins=(PAGE,))
    asked = replace(plain, **wanted)  # type: ignore[arg-type]  # fields of `NewKey`, by name
    with store.writing() as connection:
        return create(connection, asked, PEPPER, allowed=frozenset[str](scopes))


def bearer(key: str) -> dict[str, str]:
    """The header that a key is sent in."""
    return {"Authorization": f"Bearer {key}"}
