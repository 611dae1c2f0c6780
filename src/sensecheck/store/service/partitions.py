"""The months of `messages` on PostgreSQL, each a table of its own.

A month is made before it comes. What was written to a month that was not made goes to `messages_default`,
and moves when the month is made. SQLite keeps all messages in one table.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Self

from sqlalchemy import Connection, Engine, text

from sensecheck.store.engine import writing
from sensecheck.store.service.deadlines import allow
from sensecheck.store.service.turns import until_free, write_alone

DEFAULT = "messages_default"
AHEAD = 2
"""As many months are made before they come."""
SECONDS_TO_MOVE = 60.0
_NAME = re.compile(r"messages_(\d{4})_(\d{2})")
_THERE = text(
    "SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid "
    "WHERE i.inhparent = to_regclass('messages') ORDER BY c.relname"
)


@dataclass(frozen=True, slots=True, order=True)
class Month:
    """A month of UTC."""

    year: int
    month: int

    @classmethod
    def of(cls, moment: datetime) -> Self:
        """The month of a moment."""
        moment = moment.astimezone(UTC)
        return cls(moment.year, moment.month)

    @property
    def start(self) -> datetime:
        """Its first moment."""
        return datetime(self.year, self.month, 1, tzinfo=UTC)

    @property
    def next(self) -> Self:
        """The month after it."""
        return type(self)(self.year + self.month // 12, self.month % 12 + 1)

    @property
    def table(self) -> str:
        """The table of its messages."""
        return f"messages_{self.year:04}_{self.month:02}"


def months_there(connection: Connection) -> list[Month]:
    """The months that were made, the oldest first."""
    named = (_NAME.fullmatch(name) for name in connection.execute(_THERE).scalars())
    return sorted(Month(int(one[1]), int(one[2])) for one in named if one)


def make_months(engine: Engine, now: datetime) -> list[str]:
    """Make the month of this moment and those after it, and every month that messages wait for.

    Which tables were made; those that are there are left alone.
    """
    if engine.dialect.name != "postgresql":
        return []
    with engine.connect() as connection:
        there, wanted = months_there(connection), {Month.of(now)}
        for _ in range(AHEAD):
            wanted.add(max(wanted).next)
        wanted |= _months_that_wait(connection)
    missing = sorted(wanted.difference(there))
    return [month.table for month in missing if until_free(partial(_make, engine, month))]


def _months_that_wait(connection: Connection) -> set[Month]:
    query = text(f"SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') FROM {DEFAULT}")
    return {Month(start.year, start.month) for start in connection.execute(query).scalars()}


def _make(engine: Engine, month: Month) -> bool:
    """Make one month, in one transaction; False where somebody else made it meanwhile."""
    with writing(engine) as connection:
        write_alone(connection)
        allow(connection, SECONDS_TO_MOVE)
        if month in months_there(connection):
            return False
        for statement in _making(month):
            connection.exec_driver_sql(statement)
    return True


def _making(month: Month) -> tuple[str, ...]:
    """First a table by itself, so that only the end of it wants a lock on `messages`, and a weak one."""
    first, after = f"'{month.start.isoformat()}'", f"'{month.next.start.isoformat()}'"
    own = f"at >= {first} AND at < {after}"
    moved = f"DELETE FROM {DEFAULT} WHERE {own} RETURNING *"
    return (
        f"CREATE TABLE {month.table} (LIKE messages INCLUDING ALL, CONSTRAINT its_month CHECK ({own}))",
        f"WITH moved AS ({moved}) INSERT INTO {month.table} SELECT * FROM moved",
        f"ALTER TABLE messages ATTACH PARTITION {month.table} FOR VALUES FROM ({first}) TO ({after})",
        f"ALTER TABLE {month.table} DROP CONSTRAINT its_month",
    )
