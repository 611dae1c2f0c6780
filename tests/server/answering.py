"""Services that answer, and how their events are read."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import select

from sensecheck.grounding.extractive import ExtractiveWriter
from sensecheck.grounding.writer import WriterRequest
from sensecheck.grounding.writers import RecordedWriter
from sensecheck.server.app import app_of
from sensecheck.server.engine.jobs import Extracted, ExtractJob
from sensecheck.server.startup import ServiceParts
from sensecheck.store.service.records import Message
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import messages
from tests.server.running import InProcess, Wanted, parts_of, served
from tests.store.service.made import kept_message

EVENTS = {"Accept": "text/event-stream"}


@dataclass(frozen=True, slots=True)
class Service:
    """A running service, its parts, and somebody who asks it."""

    address: str
    client: httpx.Client
    parts: ServiceParts

    @property
    def engine(self) -> InProcess:
        """The engine, which can be told to be full or away."""
        assert isinstance(self.parts.engine, InProcess)
        return self.parts.engine

    def kept(self) -> list[Message]:
        """The messages in the database, the oldest first."""
        return kept_in(self.parts.database.store)


@contextmanager
def running(wanted: Wanted, *, extractive: bool = False) -> Iterator[Service]:
    """A service with the writer that is wanted, or the extractive one."""
    made: list[ServiceParts] = []

    @asynccontextmanager
    async def parts() -> AsyncIterator[ServiceParts]:
        async with parts_of(wanted) as plain:
            made.append(replace(plain, writer=extractive_writer(plain)) if extractive else plain)
            yield made[0]

    with served(app_of(parts)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield Service(address, client, made[0])


def extractive_writer(parts: ServiceParts) -> ExtractiveWriter:
    """The writer that asks the engine for the sentences that answer."""

    async def find(asked: WriterRequest) -> Sequence[tuple[int, int]]:
        found = await parts.engine.run(ExtractJob(asked.question, asked.passage))
        assert isinstance(found, Extracted)
        return found.spans

    return ExtractiveWriter(find)


def recorded(folder: Path, *lines: dict[str, Any]) -> RecordedWriter:
    """A writer that has these answers."""
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return RecordedWriter.from_file(file)


@dataclass(frozen=True, slots=True)
class Told:
    """One event that a client received."""

    id: int
    name: str
    data: dict[str, Any]


def events_in(text: str) -> list[Told]:
    """The events of a stream; comments are left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append(Told(int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


def text_of(events: Sequence[Told]) -> str:
    """The text that came in pieces."""
    return "".join(event.data["text"] for event in events if event.name == "delta")


def kept_in(store: ServiceStore) -> list[Message]:
    """All messages of all projects, the oldest first."""
    with store.reading() as connection:
        rows = connection.execute(select(messages.c.project, messages.c.id).order_by(messages.c.id)).all()
    found = [kept_message(store, row.project, row.id) for row in rows]
    return [message for message in found if message is not None]
