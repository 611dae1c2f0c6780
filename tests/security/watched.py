"""A service in a process of its own, as people start it, with all that it and its engines say."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx

from sensecheck.store.service.store import ServiceStore
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.security.conftest import Tenant
from tests.server.running import PEPPER
from tests.servers import serving

COMMAND = Path(sys.executable).with_name("sensecheck")
WRITER_KEY = "a-key-for-the-writer-alone"


@dataclass(frozen=True, slots=True)
class Watched:
    """A running service, and every reply of it."""

    process: "subprocess.Popen[bytes]"
    address: str
    database: str
    writer: str
    """Where the model is."""
    client: httpx.Client
    tenant: Tenant
    folder: Path
    replies: list[httpx.Response] = field(default_factory=list)

    def ask(self, method: str, path: str, **sent: Any) -> httpx.Response | None:
        """Ask, and remember what was said; None where the connection was ended."""
        try:
            reply = self.client.request(method, path, **sent)
        except httpx.RemoteProtocolError:
            return None
        self.replies.append(reply)
        return reply

    @property
    def engines(self) -> list[int]:
        """The processes that it started."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(child) for child in listed.split()]

    def said(self) -> str:
        """All that it and its engines wrote so far."""
        return "".join((self.folder / name).read_text() for name in ("stdout", "stderr"))


@contextmanager
def watched(folder: Path) -> Iterator[Watched]:
    """A service with PostgreSQL, a model that writes, and keys."""
    with postgresql_database() as database, serving("writer.py") as writer:
        make_tables(database)
        store = ServiceStore.open(database)
        tenant = Tenant.new(store, "ours")
        store.close()
        with _started(folder, database, writer) as (process, address), _client(address) as client:
            yield Watched(process, address, database, writer, client, tenant, folder)


def _client(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, timeout=60)


@contextmanager
def _started(folder: Path, database: str, writer: str) -> "Iterator[tuple[subprocess.Popen[bytes], str]]":
    own = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    settings = {
        "SENSECHECK_CACHE": "off",
        "SENSECHECK_STORE": database,
        "SENSECHECK_SERVE_PEPPER": PEPPER,
        "SENSECHECK_SERVE_WRITER_KEY": WRITER_KEY,
        "SENSECHECK_SERVE_WRITER_TIMEOUT": "2",
        "SENSECHECK_SERVE_WRITER_FIRST_TOKEN": "2",
        "SENSECHECK_SERVE_ENGINES": "1",
        "SENSECHECK_SERVE_SPOOL": str(folder / "spool.sqlite3"),
    }
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(
            [COMMAND, "serve", "--port", "0", "--writer", f"openai:{writer}/v1#parrot"],
            cwd=folder,
            env={**own, **settings},
            stdout=out,
            stderr=err,
        )
        try:
            yield process, _address(process, folder)
        finally:
            process.terminate()
            process.wait(timeout=60)


def _address(process: "subprocess.Popen[bytes]", folder: Path) -> str:
    until = monotonic() + 120
    while monotonic() < until and process.poll() is None:
        first = (folder / "stdout").read_text().partition("\n")
        if first[1]:
            return first[0]
        sleep(0.05)
    raise AssertionError((folder / "stderr").read_text())
