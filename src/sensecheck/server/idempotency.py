"""Idempotent requests: one that is sent again is answered as it was the first time, and done once."""

import re
from asyncio import shield
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from threading import Lock

from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.caller import Caller
from sensecheck.server.database import AsyncStore
from sensecheck.server.problems import ANOTHER_REQUEST, UNDER_WAY, Problem, RequestMistake, invalid
from sensecheck.server.settings import LEASE
from sensecheck.server.startup import ServiceParts
from sensecheck.store.service.idempotency import Done, Fresh, Other, Reserved, UnderWay
from sensecheck.store.service.records import Completed
from sensecheck.store.service.store import ServiceStore

HEADER = "Idempotency-Key"
_PRINTABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?", re.ASCII)
SOON = 1.0


@dataclass(slots=True)
class Reservation:
    """The promise that this request, and no second one like it, is under way."""

    name: str
    request: str
    before: Completed | None
    """What it came to, if it was sent before."""
    until: datetime | None = None
    """How long the name is ours; None where it is not."""
    finished: bool = False

    def completed(self, body: bytes, headers: Mapping[str, str] | None = None) -> Completed:
        """What it came to now, to be stored with the rest; as text, so that no byte of it changes."""
        self.finished = True
        return Completed(
            self.name, self.request, 200, {"text": body.decode(), "headers": dict(headers or {})}
        )


@asynccontextmanager
async def reserved(
    parts: ServiceParts, caller: Caller, request: Request, *, kept: bool
) -> AsyncIterator[Reservation | None]:
    """Holds the name that the client gave its request, if it gave one; lets go of it if the request fails."""
    reservation = await _reserve(parts, caller, request, is_stored=kept)
    try:
        yield reservation
    except BaseException as error:
        # once the entry is on its way, it is unknown whether it was stored, unless a problem says that it was
        # not: the name stays reserved
        unknown = reservation is not None and reservation.finished and not isinstance(error, Problem)
        if reservation is not None and reservation.until is not None and not unknown:
            name, until = reservation.name, reservation.until
            await shield(_release(parts.database, caller.key.project, name, until))
        raise


def name_in(request: Request) -> str | None:
    """What the client calls its request, if anything; a name that is none is a mistake."""
    chosen = request.headers.get(HEADER)
    if chosen is not None and not _PRINTABLE.fullmatch(chosen):
        raise _invalid_key("must have 1 to 255 printable ASCII characters")
    return chosen


def again(before: Completed) -> Response:
    """The answer of the first time, byte for byte."""
    stored = before.body
    return Response(stored["text"].encode(), before.status, stored["headers"], "application/json")


class NameLease:
    """Takes a name for one request, and gives it back by itself where nobody waits for it any more."""

    def __init__(self, project: int, name: str, request: str) -> None:
        self._project, self._name, self._request = project, name, request
        self._lock = Lock()
        self._has_left = False
        self._lease: Fresh | None = None

    async def take(self, database: AsyncStore) -> Reserved:
        """What becomes of the name."""
        try:
            return await database.ask(self._reserve)
        except BaseException:
            # The client left, or the database was too slow: the thread may have the name, or still get it.
            with self._lock:
                self._has_left, lease = True, self._lease
            if lease is not None:
                await shield(_release(database, self._project, self._name, lease.until))
            raise

    def _reserve(self, store: ServiceStore) -> Reserved:
        reservation = store.reserve(self._project, self._name, self._request, seconds=LEASE)
        with self._lock:
            self._lease = reservation if isinstance(reservation, Fresh) else None
            left_behind = self._has_left
        if left_behind and isinstance(reservation, Fresh):
            store.release(self._project, self._name, until=reservation.until)
        return reservation


async def _reserve(
    parts: ServiceParts, caller: Caller, request: Request, *, is_stored: bool
) -> Reservation | None:
    if (chosen := name_in(request)) is None:
        return None
    if not is_stored:
        raise _invalid_key("needs `store: true`: what is not stored cannot be returned again")
    name = _digest(caller.key.id.encode(), chosen.encode())
    digest = _digest(request.url.path.encode(), await request.body())
    reservation = await NameLease(caller.key.project, name, digest).take(parts.database)
    if isinstance(reservation, UnderWay):
        raise Problem(UNDER_WAY, "a request with this idempotency key is under way", retry_after=SOON)
    if isinstance(reservation, Other):
        raise Problem(ANOTHER_REQUEST, "this idempotency key came with another request; choose a new one")
    before = reservation.completed if isinstance(reservation, Done) else None
    return Reservation(name, digest, before, reservation.until if isinstance(reservation, Fresh) else None)


def _invalid_key(says: str) -> Problem:
    return invalid([RequestMistake(f"header: {HEADER}", says)])


def _digest(*texts: bytes) -> str:
    """A name for the texts together, of which each is named first, so that no two lists have the same."""
    return sha256(b"".join(sha256(text).digest() for text in texts)).hexdigest()


async def _release(database: AsyncStore, project: int, name: str, until: datetime) -> None:
    # without the database it expires by itself; the client gets the first failure
    with suppress(Problem):
        await database.ask(lambda store: store.release(project, name, until=until))
