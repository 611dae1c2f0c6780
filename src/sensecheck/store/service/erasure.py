"""Everything of a session, erased; also what still waits elsewhere to be written.

Messages carry the time of the machine that took them, and clocks of machines differ. So an erasure carries
the time of the database, and a message is compared by its age: whoever writes it took it, by the same clock.
What waited in a spool for long is dropped even when it seems up to a minute younger than the erasure, since
clocks are set right now and then: rather a message too many is gone than one that was to be erased is back.

An entry that was set aside in the spool of a machine, for a person to look at, is out of reach from here.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, delete, func, insert, literal, select

from sensecheck.core.run import storable
from sensecheck.store.moments import in_utc, now
from sensecheck.store.service.records import Entry
from sensecheck.store.service.turns import write_alone
from sensecheck.store.service_tables import candidates, erasures, feedback, idempotency, messages, reviews
from sensecheck.store.tables import Moment

WAITED = timedelta(seconds=10)
"""What is older when it is written comes from a spool."""
CLOCKS_MOVE = timedelta(seconds=60)
"""As much as a clock may have been set right while an entry waited."""
Erased = dict[tuple[int, str], timedelta]
"""How long ago sessions were erased, the last time."""


def session_digest(project: int, session_id: str) -> str:
    """A name for a session of which only who knows the session can tell whose it is."""
    return sha256(f"{project}:{storable(session_id)}".encode()).hexdigest()


def erase(connection: Connection, project: int, session_id: str) -> int:
    """Erase a session within the transaction of the connection; how many messages there were.

    That it was erased is written down, so that what comes later, from before that moment, is not kept.
    """
    write_alone(connection)
    session, digest = storable(session_id), session_digest(project, session_id)
    own = (messages.c.project == project, messages.c.session_id == session)
    ids = select(messages.c.id).where(*own)
    for table in (feedback, reviews):
        connection.execute(delete(table).where(table.c.project == project, table.c.message.in_(ids)))
    held = (candidates.c.project == project, candidates.c.session_id == session)
    connection.execute(delete(candidates).where(*held))
    connection.execute(
        delete(idempotency).where(idempotency.c.project == project, idempotency.c.session == digest)
    )
    connection.execute(insert(erasures).values(project=project, session=digest, at=_clock(connection)))
    return connection.execute(delete(messages).where(*own)).rowcount


def not_erased(connection: Connection, entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries without those of sessions that were erased after them."""
    oldest = min((entry.message.at for entry in entries), default=None)
    if oldest is None:
        return entries
    gone = _erased_within(connection, max(now() - oldest, timedelta()) + CLOCKS_MOVE)
    if not gone:
        return entries
    moment = now()  # after the database told its time: on the way, everything only becomes older
    return [entry for entry in entries if not _is_gone(entry, gone, moment)]


def _erased_within(connection: Connection, past: timedelta) -> Erased:
    """Sessions that were erased so lately: none, nearly always."""
    clock = _clock(connection)
    since = clock - past if connection.dialect.name == "postgresql" else literal(now() - past, Moment)
    query = select(
        erasures.c.project, erasures.c.session, func.max(erasures.c.at).label("last"), clock.label("moment")
    ).where(erasures.c.at >= since)
    found = connection.execute(query.group_by(erasures.c.project, erasures.c.session))
    return {(row.project, row.session): in_utc(row.moment) - in_utc(row.last) for row in found}


def _is_gone(entry: Entry, gone: Erased, moment: datetime) -> bool:
    message = entry.message
    if message.session_id is None:
        return False
    ago = gone.get((message.project, session_digest(message.project, message.session_id)))
    if ago is None:
        return False
    age = moment - message.at
    if age < -CLOCKS_MOVE:  # from a clock that was wrong, so that nobody knows
        return True
    return age + (CLOCKS_MOVE if age > WAITED else timedelta()) >= ago


def _clock(connection: Connection) -> ColumnElement[datetime]:
    """The time of the database; that of SQLite is ours."""
    if connection.dialect.name == "postgresql":
        return func.statement_timestamp(type_=Moment)
    return literal(now(), Moment)
