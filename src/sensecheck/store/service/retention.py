"""What is older than it may be, taken away: on PostgreSQL a whole month at once, elsewhere row by row."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement, Engine, FromClause, Table, column, delete, select, table, tuple_
from sqlalchemy.exc import OperationalError

from sensecheck.store.engine import writing
from sensecheck.store.service.ids import first_id
from sensecheck.store.service.partitions import DEFAULT, Month, months_there
from sensecheck.store.service.turns import in_a_moment, is_taken, until_free
from sensecheck.store.service_tables import candidates, erasures, feedback, idempotency, messages, reviews
from sensecheck.store.tables import Moment

LOGGER = logging.getLogger("sensecheck.store")
AT_ONCE = 2000
"""Rows of one transaction: so few that nobody waits for them."""
_DEFAULT = table(DEFAULT, column("at", Moment), column("id"))


@dataclass(frozen=True, slots=True)
class Retained:
    """What was taken away."""

    months: tuple[str, ...] = ()
    """Tables that were dropped."""
    in_use: tuple[str, ...] = ()
    """Tables that somebody was reading all the time: they go next time."""
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
        return Retained(rows=rows + _delete_what_belonged(engine, limit))
    dropped, in_use = _drop_months(engine, limit)
    limit = Month.of(limit).start  # the rest of that month goes with it, once all of it is old
    if not in_use:
        rows += _delete_rows(engine, _DEFAULT, _DEFAULT.c.at < limit) + _delete_what_belonged(engine, limit)
    return Retained(tuple(dropped), tuple(in_use), rows)


def _delete_what_belonged(engine: Engine, limit: datetime) -> int:
    """Labels and votes of messages from before, whose names tell their moment; and erasures from before."""
    oldest = first_id(limit)
    rows = sum(_delete_rows(engine, each, each.c.message < oldest) for each in (reviews, feedback))
    return rows + _delete_rows(engine, erasures, erasures.c.at < limit)


def _delete_rows(engine: Engine, of: FromClause, old: ColumnElement[bool]) -> int:
    """Delete in small transactions; how many rows."""
    key = list(of.primary_key.columns) if isinstance(of, Table) else list(of.c)
    some = select(*key).where(old).limit(AT_ONCE)
    statement, deleted = delete(of).where(tuple_(*key).in_(some)), 0  # type: ignore[arg-type]
    while True:
        with writing(engine) as connection:
            count = connection.execute(statement).rowcount
        deleted += count
        if count < AT_ONCE:
            return deleted


def _drop_months(engine: Engine, limit: datetime) -> tuple[Sequence[str], Sequence[str]]:
    with engine.connect() as connection:
        old = [month.table for month in months_there(connection) if month.next.start <= limit]
    dropped = [name for name in old if _dropped(engine, name)]
    return dropped, [name for name in old if name not in dropped]


def _dropped(engine: Engine, name: str) -> bool:
    try:
        until_free(partial(_drop, engine, name))
    except OperationalError as wrong:
        if not is_taken(wrong):
            raise
        LOGGER.warning("`%s` is in use, and is dropped another time", name)
        return False
    return True


def _drop(engine: Engine, name: str) -> None:
    with writing(engine) as connection:
        in_a_moment(connection)
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")
