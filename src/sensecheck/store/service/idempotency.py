"""Requests that are done once, however often they are sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, select

from sensecheck.core.errors import StorageError
from sensecheck.store.bulk import insert_into
from sensecheck.store.service.records import Completed
from sensecheck.store.service_tables import idempotency

_KEY = ("project", "name")
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Fresh:
    """No one has sent it: it is to be done now."""

    until: datetime
    """When the name is free again, if nothing comes of it; it shows whether the name is still one's own."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """Someone else is doing it."""


@dataclass(frozen=True, slots=True)
class Done:
    """It was done; this is what it came to."""

    completed: Completed


@dataclass(frozen=True, slots=True)
class Other:
    """The name was used for another request."""


Reserved = Fresh | UnderWay | Done | Other


def reserve(
    connection: Connection, project: int, name: str, request: str, *, now: datetime, seconds: float
) -> Reserved:
    """Take a name for a request, for so many seconds: of those who try at once, one gets it."""
    until = now + timedelta(seconds=seconds)
    row = {"project": project, "name": name, "request": request, "until": until}
    new = insert_into(connection, idempotency).values(row | dict.fromkeys(("session", "status", "body")))
    taking = new.on_conflict_do_update(
        index_elements=_KEY,
        set_={column.name: new.excluded[column.name] for column in idempotency.c if column.name not in _KEY},
        where=idempotency.c.until <= now,  # its holder has released it, or is long done
    ).returning(idempotency.c.name)
    existing = select(idempotency).where(idempotency.c.project == project, idempotency.c.name == name)
    for _ in range(_TRIES):
        if connection.execute(taking).first() is not None:
            return Fresh(until)
        if (existing_row := connection.execute(existing).mappings().one_or_none()) is not None:
            return _as_found(existing_row, request)
    raise StorageError("the name of a request is taken and released again and again by another client")


def release(connection: Connection, project: int, name: str, *, until: datetime) -> None:
    """Give a name back that was had until then; what is done stays, and so does what someone else took."""
    reservation = (idempotency.c.project == project, idempotency.c.name == name, idempotency.c.until == until)
    connection.execute(delete(idempotency).where(*reservation, idempotency.c.status.is_(None)))


def complete_rows(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write down what requests came to; one that is written down already stays as it is."""
    done = insert_into(connection, idempotency)
    done = done.on_conflict_do_update(
        index_elements=_KEY,
        set_={name: done.excluded[name] for name in ("until", "session", "status", "body")},
        where=idempotency.c.status.is_(None) & (idempotency.c.request == done.excluded.request),
    )
    connection.execute(done, rows)


def _as_found(row: RowMapping, request: str) -> Reserved:
    if row["request"] != request:
        return Other()
    if row["status"] is None:
        return UnderWay()
    return Done(Completed(row["name"], row["request"], row["status"], row["body"]))
