"""Messages and labels for tests, put into the database of a service from the side."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sensecheck.store.columns import now
from sensecheck.store.service.records import Entry, Message
from sensecheck.store.service.reviews import add_review, way_of
from sensecheck.store.service.store import ServiceStore
from tests.store.service.made import entry


def keep(store: ServiceStore, project: int, *, at: datetime | None = None, **other: Any) -> Message:
    """A message of a moment ago."""
    made = entry(project, at=at or now() - timedelta(seconds=1), **{"validation_passed": True, **other})
    store.write([made])
    return made.message


def keep_many(
    store: ServiceStore, project: int, count: int, *, bad_every: int, encoder: str = "mark-1"
) -> list[Message]:
    """Messages of today, of which one in so many is not grounded and reads low; accepted from 0.5 on."""
    made = list(_each(project, count, bad_every, encoder))
    store.write(made)
    return [one.message for one in made]


def _each(project: int, count: int, bad_every: int, encoder: str) -> Iterable[Entry]:
    for i in range(count):
        support = (i % 97) / 300 if i % bad_every == 0 else 0.6 + (i % 89) / 300
        accepted = support >= 0.5
        yield entry(
            project,
            at=now() - timedelta(milliseconds=count - i),
            support=support,
            encoder=encoder,
            selected_text=f"Passage {i} is about something.",
            validation_passed=accepted,
            outcome="pass" if accepted else "fail",
            held=None if accepted else "Something else.",
        )


def label(store: ServiceStore, messages: Iterable[Message], *, below: float = 0.5) -> int:
    """Label messages as a reviewer who sees that those with a reading below are wrong; how many at random."""
    at_random = 0
    with store.writing() as connection:
        for one in messages:
            drawn = way_of(one.id)
            at_random += drawn == "random"
            grounded = one.support is not None and one.support >= below
            add_review(connection, one.project, one.id, reviewer="ann", grounded=grounded, drawn=drawn)
    return at_random
