"""What a service leans on: a database, a Redis and a writer, each behind a proxy that can misbehave."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from redis import Redis
from sqlalchemy import func, select
from sqlalchemy.engine import make_url

from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import messages
from tests.databases import postgresql_database
from tests.faults.kinds import PASS, Fault
from tests.faults.proxy import FaultProxy, fault_proxy
from tests.ready_tables import make_tables
from tests.redis_server import HOST, PORT, redis_address
from tests.server.running import PEPPER, new_key
from tests.servers import serving

WRITER_SECONDS = 2.0
PATIENCE_SECONDS = 20.0
"""So that on a busy machine nothing is overloaded where something else is tried."""
ANY = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All of it, and the key of somebody who may ask as much as they like."""

    database: FaultProxy
    redis: FaultProxy
    writer: FaultProxy
    address: str
    """Of the database, past its proxy."""
    key: str

    def settings(self, folder: Path) -> dict[str, str]:
        """What a service is told, so that it finds them; its spool is in this folder."""
        through = make_url(self.address).set(port=self.database.port)
        return {
            "SENSECHECK_STORE": through.render_as_string(),
            "SENSECHECK_SERVE_SPOOL": str(folder / "spool.sqlite3"),
            "SENSECHECK_SERVE_PEPPER": PEPPER,
            "SENSECHECK_SERVE_MAX_WAIT": str(PATIENCE_SECONDS),
            "SENSECHECK_SERVE_REDIS": f"redis://127.0.0.1:{self.redis.port}/0",
            "SENSECHECK_SERVE_WRITER": f"openai:http://127.0.0.1:{self.writer.port}/v1#echo",
            "SENSECHECK_SERVE_WRITER_TIMEOUT": str(WRITER_SECONDS),
            "SENSECHECK_SERVE_WRITER_FIRST_TOKEN": str(WRITER_SECONDS),
        }

    def heal(self) -> None:
        """Let everything pass."""
        for proxy in (self.database, self.redis, self.writer):
            proxy.now(PASS)

    @contextmanager
    def suffering(self, part: FaultProxy, fault: Fault) -> Iterator[None]:
        """A fault, for as long as this block."""
        part.now(fault)
        try:
            yield
        finally:
            part.now(PASS)

    def kept(self) -> dict[str, int]:
        """How often each message is in the database, asked past the proxy."""
        return kept_at(self.address)


def kept_at(address: str) -> dict[str, int]:
    """How often each message is in this database."""
    query = select(messages.c.id, func.count()).group_by(messages.c.id)
    with closing(ServiceStore.open(address)) as store, store.reading() as connection:
        return {row[0]: row[1] for row in connection.execute(query)}


def key_at(address: str) -> str:
    """A key of this database without any limit that matters."""
    with closing(ServiceStore.open(address)) as store:
        _, whole = new_key(store, "secret", per_minute=ANY, per_session_minute=ANY, per_address_minute=ANY)
    return whole


@contextmanager
def surroundings() -> Iterator[Surroundings]:
    """An empty database, the Redis that runs here, and a writer that repeats the question."""
    redis_address()
    with ExitStack() as stack:
        address = stack.enter_context(postgresql_database())
        make_tables(address)
        writer = urlsplit(stack.enter_context(serving("writer.py")))
        place = make_url(address)
        found = Surroundings(
            stack.enter_context(fault_proxy((str(place.host), place.port or 5432))),
            stack.enter_context(fault_proxy((HOST, PORT))),
            stack.enter_context(fault_proxy((writer.hostname or "", writer.port or 0))),
            address,
            key_at(address),
        )
        stack.callback(_forget, found.key)
        yield found


def _forget(key: str) -> None:
    """What was counted of this key is gone from Redis."""
    with Redis(HOST, PORT) as client:
        for name in client.scan_iter(f"*{{{key.split('_')[1]}}}*"):
            client.delete(name)
