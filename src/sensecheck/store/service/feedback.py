"""What readers say of what they were told: thumbs, and a word."""

from sqlalchemy import Connection, func, select

from sensecheck.core.run import storable
from sensecheck.store.moments import now
from sensecheck.store.service.days import Days
from sensecheck.store.service.records import Thumb
from sensecheck.store.service_tables import feedback


def add_feedback(connection: Connection, project: int, message: str, thumb: Thumb, note: str) -> None:
    """Keep what a reader says of a message of this project; the newest counts."""
    row = {"project": project, "message": message, "thumb": thumb, "note": storable(note), "at": now()}
    connection.execute(feedback.insert(), row)


def thumbs(connection: Connection, project: int, days: Days) -> dict[str, int]:
    """How many messages of these days were praised, and how many were not; the newest of each counts."""
    first, end = days.names
    of_these = feedback.c.project == project, feedback.c.message >= first, feedback.c.message < end
    newest = select(func.max(feedback.c.key)).where(*of_these).group_by(feedback.c.message)
    query = (
        select(feedback.c.thumb, func.count()).where(feedback.c.key.in_(newest)).group_by(feedback.c.thumb)
    )
    found: dict[str, int] = {row[0]: row[1] for row in connection.execute(query)}
    return {"up": found.get("up", 0), "down": found.get("down", 0)}
