"""The figures of days that are over, worked out once."""

from datetime import date, datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from sensecheck.core.errors import SpecError
from sensecheck.store.moments import now
from sensecheck.store.service.days import Days
from sensecheck.store.service.deadlines import allow
from sensecheck.store.service.figures import counted
from sensecheck.store.service_tables import daily_figures

AGAIN = 3
"""Days that are counted once more: messages that waited while the database was away come late."""
SECONDS = 600.0
"""A large day takes its time; nobody waits for it."""


def roll_up(connection: Connection, day: date) -> int:
    """Keep the figures of a day that is over, for all projects; how many rows that are.

    Doing it again counts again. A project without messages of that day keeps the figures that it has: what
    was counted outlives what it was counted from.
    """
    if now() < Days(day, day).end:
        raise SpecError(f"the day {day} is not over yet; its figures cannot be kept before")
    allow(connection, SECONDS)
    rows = [
        {
            "project": project,
            "day": day,
            "policy": policy,
            "figures": figures.to_data(),
            "rolled_up_at": now(),
        }
        for (project, _), policies in counted(connection, Days(day, day)).items()
        for policy, figures in policies.items()
    ]
    if rows:
        _put(connection, rows)
    return len(rows)


def days_to_roll_up(moment: datetime) -> tuple[date, ...]:
    """The last days that are over at this moment, oldest first."""
    return tuple((moment - timedelta(days=back)).date() for back in range(AGAIN, 0, -1))


def _put(connection: Connection, rows: list[dict[str, object]]) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    insert = dialect.insert(daily_figures)
    newer = {"figures": insert.excluded.figures, "rolled_up_at": insert.excluded.rolled_up_at}
    keys = [daily_figures.c.project, daily_figures.c.day, daily_figures.c.policy]
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=newer), rows)
