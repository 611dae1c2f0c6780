"""Old messages removed, monthly partitions made, and sessions erased.

On PostgreSQL each month of `messages` is a table of its own, made before it comes; what was written to a
month that was not made goes to `messages_default`, and moves when the month is made. A whole month is dropped
at once. SQLite keeps all messages in one table, and rows are deleted.

Messages carry the time of the machine that took them, and clocks of machines differ. So an erasure carries
the time of the database, and a message is compared by its age: whoever writes it took it, by the same clock.
What waited in a spool for long is dropped even when it seems up to a minute younger than the erasure, since
clocks are corrected now and then: rather a message too many is gone than one that was to be erased is back.
An entry that was set aside in the spool of a machine, for a person to look at, is out of reach from here.
"""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Self, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    FromClause,
    Table,
    column,
    delete,
    func,
    insert,
    literal,
    select,
    table,
    text,
    tuple_,
)
from sqlalchemy.exc import OperationalError

from sensecheck.core.run import storable
from sensecheck.io.retry import RetryPolicy, run_with_retries
from sensecheck.store.columns import in_utc, now
from sensecheck.store.engine import writing
from sensecheck.store.retry import allow, is_locked
from sensecheck.store.service.records import Entry, first_id
from sensecheck.store.service_tables import candidates, erasures, feedback, idempotency, messages, reviews
from sensecheck.store.tables import Moment

T = TypeVar("T")
PATIENCE_MS = 300
"""All others queue behind whoever waits for a strong lock; this long, at most."""
RETRIES = RetryPolicy(first_pause=0.1, max_pause=0.1, seconds=3.0)
"""In each pause those that queued go on."""
_LOCK_KEY = 0x73656E7366
"""Beside the one of upgrades, which is `sense` in ASCII."""
_WITH_OTHERS = text("SELECT pg_advisory_xact_lock_shared(:key)")
_ALONE = text("SELECT pg_advisory_xact_lock(:key)")
DEFAULT = "messages_default"
AHEAD = 2
"""As many months are made before they come."""
SECONDS_TO_MOVE = 60.0
_MONTH_TABLE = re.compile(r"messages_(\d{4})_(\d{2})")
_PARTITIONS = text(
    "SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid "
    "WHERE i.inhparent = to_regclass('messages') ORDER BY c.relname"
)
LOGGER = logging.getLogger("sensecheck.store")
BATCH_ROWS = 2000
"""Rows of one transaction: so few that no one waits for them."""
_default_table = table(DEFAULT, column("at", Moment), column("id"))
WAITED = timedelta(seconds=10)
"""What is older when it is written comes from a spool."""
CLOCKS_MOVE = timedelta(seconds=60)
"""As much as a clock may have been set right while an entry waited."""
Erased = dict[tuple[int, str], timedelta]
"""How long ago sessions were erased, the last time."""


@dataclass(frozen=True, slots=True)
class Retained:
    """What was taken away."""

    months: tuple[str, ...] = ()
    """Tables that were dropped."""
    in_use: tuple[str, ...] = ()
    """Tables that someone was reading all the time: they go next time."""
    rows: int = 0


def retain(engine: Engine, now: datetime, *, message_days: int, candidate_days: int) -> Retained:
    """Take away what is older than so many days; 0 days of messages keeps them for ever."""
    rows = _delete_rows(engine, candidates, candidates.c.at < now - timedelta(days=candidate_days))
    rows += _delete_rows(engine, idempotency, idempotency.c.until <= now)
    if message_days == 0:
        return Retained(rows=rows)
    limit = now - timedelta(days=message_days)
    if engine.dialect.name != "postgresql":
        rows += _delete_rows(engine, messages, messages.c.at < limit)
        return Retained(rows=rows + _delete_dependents(engine, limit))
    dropped, in_use = _drop_months(engine, limit)
    limit = Month.of(limit).start  # the rest of that month goes with it, once all of it is old
    if not in_use:
        rows += _delete_rows(engine, _default_table, _default_table.c.at < limit) + _delete_dependents(
            engine, limit
        )
    return Retained(tuple(dropped), tuple(in_use), rows)


def make_months(engine: Engine, now: datetime) -> list[str]:
    """Make the month of this moment and those after it, and every month that messages wait for.

    Which tables were made; those that are there are left alone.
    """
    if engine.dialect.name != "postgresql":
        return []
    with engine.connect() as connection:
        existing, expected = months_there(connection), {Month.of(now)}
        for _ in range(AHEAD):
            expected.add(max(expected).next)
        expected |= _waiting_months(connection)
    missing = sorted(expected.difference(existing))
    return [month.table for month in missing if until_free(partial(_make_month, engine, month))]


def erase(connection: Connection, project: int, session_id: str) -> int:
    """Erase a session within the transaction of the connection; how many messages there were.

    That it was erased is written down, so that what comes later, from before that moment, is not kept.
    """
    write_alone(connection)
    session, digest = storable(session_id), session_digest(project, session_id)
    of_session = (messages.c.project == project, messages.c.session_id == session)
    ids = select(messages.c.id).where(*of_session)
    for labels_table in (feedback, reviews):
        connection.execute(
            delete(labels_table).where(labels_table.c.project == project, labels_table.c.message.in_(ids))
        )
    candidates_of_session = (candidates.c.project == project, candidates.c.session_id == session)
    connection.execute(delete(candidates).where(*candidates_of_session))
    connection.execute(
        delete(idempotency).where(idempotency.c.project == project, idempotency.c.session == digest)
    )
    connection.execute(insert(erasures).values(project=project, session=digest, at=_clock(connection)))
    return connection.execute(delete(messages).where(*of_session)).rowcount


def session_digest(project: int, session_id: str) -> str:
    """A name for a session of which only who knows the session can tell whose it is."""
    return sha256(f"{project}:{storable(session_id)}".encode()).hexdigest()


def not_erased(connection: Connection, entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries without those of sessions that were erased after them."""
    oldest = min((entry.message.at for entry in entries), default=None)
    if oldest is None:
        return entries
    erased = _erased_within(connection, max(now() - oldest, timedelta()) + CLOCKS_MOVE)
    if not erased:
        return entries
    moment = now()  # after the database gave its time: on the way, everything only becomes older
    return [entry for entry in entries if not _is_erased(entry, erased, moment)]


def write_with_others(connection: Connection) -> None:
    """Until the transaction ends no one erases: what is seen of erasures holds."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time anyway
        connection.execute(_WITH_OTHERS, {"key": _LOCK_KEY})


def write_alone(connection: Connection) -> None:
    """Until the transaction ends no one else writes, and no lock is waited for longer than a moment."""
    if connection.dialect.name != "postgresql":
        return

    def lock() -> None:
        with connection.begin_nested():  # a turn that was not to be had ends this alone
            connection.execute(_ALONE, {"key": _LOCK_KEY})

    in_a_moment(connection)
    until_free(lock)


def in_a_moment(connection: Connection) -> None:
    """Give up, until the transaction ends, where someone else holds a lock for longer than a moment."""
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {PATIENCE_MS}")


def until_free(work: Callable[[], T]) -> T:
    """Do what wants a strong lock, and again for some seconds while someone else has it."""
    return run_with_retries(RETRIES, work, errors=OperationalError, is_transient=is_locked)


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
    matches = (_MONTH_TABLE.fullmatch(name) for name in connection.execute(_PARTITIONS).scalars())
    return sorted(Month(int(match[1]), int(match[2])) for match in matches if match)


def _delete_rows(engine: Engine, source: FromClause, condition: ColumnElement[bool]) -> int:
    """Delete matching rows in small transactions; how many there were."""
    key = list(source.primary_key.columns) if isinstance(source, Table) else list(source.c)
    some = select(*key).where(condition).limit(BATCH_ROWS)
    statement, deleted = delete(source).where(tuple_(*key).in_(some)), 0  # type: ignore[arg-type]
    while True:
        with writing(engine) as connection:
            count = connection.execute(statement).rowcount
        deleted += count
        if count < BATCH_ROWS:
            return deleted


def _delete_dependents(engine: Engine, limit: datetime) -> int:
    """Delete reviews and feedback of messages before the limit, which their ids tell, and old erasures."""
    oldest = first_id(limit)
    rows = sum(
        _delete_rows(engine, labels_table, labels_table.c.message < oldest)
        for labels_table in (reviews, feedback)
    )
    return rows + _delete_rows(engine, erasures, erasures.c.at < limit)


def _drop_months(engine: Engine, limit: datetime) -> tuple[Sequence[str], Sequence[str]]:
    with engine.connect() as connection:
        old = [month.table for month in months_there(connection) if month.next.start <= limit]
    dropped = [name for name in old if _try_drop(engine, name)]
    return dropped, [name for name in old if name not in dropped]


def _try_drop(engine: Engine, name: str) -> bool:
    def drop() -> None:
        with writing(engine) as connection:
            in_a_moment(connection)
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")

    try:
        until_free(drop)
    except OperationalError as error:
        if not is_locked(error):
            raise
        LOGGER.warning("`%s` is in use, and is dropped another time", name)
        return False
    return True


def _waiting_months(connection: Connection) -> set[Month]:
    query = text(f"SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') FROM {DEFAULT}")
    return {Month(start.year, start.month) for start in connection.execute(query).scalars()}


def _make_month(engine: Engine, month: Month) -> bool:
    """Make one month, in one transaction; False where someone else made it meanwhile."""
    with writing(engine) as connection:
        write_alone(connection)
        allow(connection, SECONDS_TO_MOVE)
        if month in months_there(connection):
            return False
        for statement in _month_statements(month):
            connection.exec_driver_sql(statement)
    return True


def _month_statements(month: Month) -> tuple[str, ...]:
    """First a table by itself, so that only the end of it wants a lock on `messages`, and a weak one."""
    start, end = f"'{month.start.isoformat()}'", f"'{month.next.start.isoformat()}'"
    condition = f"at >= {start} AND at < {end}"
    moved = f"DELETE FROM {DEFAULT} WHERE {condition} RETURNING *"
    return (
        f"CREATE TABLE {month.table} (LIKE messages INCLUDING ALL, CONSTRAINT its_month CHECK ({condition}))",
        f"WITH moved AS ({moved}) INSERT INTO {month.table} SELECT * FROM moved",
        f"ALTER TABLE messages ATTACH PARTITION {month.table} FOR VALUES FROM ({start}) TO ({end})",
        f"ALTER TABLE {month.table} DROP CONSTRAINT its_month",
    )


def _clock(connection: Connection) -> ColumnElement[datetime]:
    """The time of the database; that of SQLite is ours."""
    if connection.dialect.name == "postgresql":
        return func.statement_timestamp(type_=Moment)
    return literal(now(), Moment)


def _erased_within(connection: Connection, age: timedelta) -> Erased:
    """Sessions that were erased within this time: none, nearly always."""
    clock = _clock(connection)
    since = clock - age if connection.dialect.name == "postgresql" else literal(now() - age, Moment)
    query = select(
        erasures.c.project, erasures.c.session, func.max(erasures.c.at).label("last"), clock.label("moment")
    ).where(erasures.c.at >= since)
    rows = connection.execute(query.group_by(erasures.c.project, erasures.c.session))
    return {(row.project, row.session): in_utc(row.moment) - in_utc(row.last) for row in rows}


def _is_erased(entry: Entry, erased: Erased, moment: datetime) -> bool:
    message = entry.message
    if message.session_id is None:
        return False
    ago = erased.get((message.project, session_digest(message.project, message.session_id)))
    if ago is None:
        return False
    age = moment - message.at
    if age < -CLOCKS_MOVE:  # from a clock that was wrong, so that is unknown
        return True
    return age + (CLOCKS_MOVE if age > WAITED else timedelta()) >= ago
