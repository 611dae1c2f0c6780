"""What reviewers say of messages: rows that are only ever added."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select, tuple_

from sensecheck.core.run import storable
from sensecheck.store.moments import now
from sensecheck.store.names import kept_name
from sensecheck.store.service.days import Days
from sensecheck.store.service.drawing import Way
from sensecheck.store.service.ids import moment_of
from sensecheck.store.service.records import Review
from sensecheck.store.service_tables import messages, reviews

AT_ONCE = 400
_READ = (
    messages.c.id,
    messages.c.validation_passed,
    messages.c.support,
    messages.c.encoder,
    messages.c.policy,
    messages.c.selected_text,
)


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message, and what its reviewers think of it."""

    message: str
    grounded: bool
    accepted: bool
    at_random: bool
    """Whether it was drawn at random, so that it speaks for the others of its stratum."""
    support: float | None
    encoder: str | None
    policy: str
    passage: str
    """A digest of what is kept of the passage: answers from one passage are alike."""


def add_review(connection: Connection, project: int, review: Review, drawn: Way | None) -> None:
    """Keep what a reviewer says of a message of this project; `drawn` is None where nobody drew it."""
    row = {
        "project": project,
        "message": review.message,
        "reviewer": kept_name(review.reviewer, "the name of a reviewer"),
        "grounded": review.grounded,
        "note": storable(review.note),
        "drawn": drawn,
        "at": now(),
    }
    connection.execute(reviews.insert(), row)


def labelled_messages(connection: Connection, project: int, days: Days) -> list[LabelledMessage]:
    """The messages of these days that were judged and labelled, each once, in order of time.

    The newest word of each reviewer counts, and most of the reviewers decide; where they are split evenly,
    nobody knows, and the message is left out.
    """
    decided = {message: found for message, found in _decided(connection, project, days) if found is not None}
    rows = _judged(connection, project, list(decided))
    return [
        LabelledMessage(
            message=row["id"],
            grounded=decided[row["id"]][0],
            accepted=row["validation_passed"],
            at_random=decided[row["id"]][1],
            support=row["support"],
            encoder=row["encoder"],
            policy=row["policy"],
            passage=sha256(row["selected_text"].encode("utf-8", "surrogatepass")).hexdigest(),
        )
        for row in rows
    ]


def _decided(
    connection: Connection, project: int, days: Days
) -> Iterator[tuple[str, tuple[bool, bool] | None]]:
    """Each message with what most say of it, and whether somebody drew it at random."""
    first, end = days.names
    query = (
        select(reviews.c.message, reviews.c.reviewer, reviews.c.grounded, reviews.c.drawn)
        .where(reviews.c.project == project, reviews.c.message >= first, reviews.c.message < end)
        .order_by(reviews.c.message, reviews.c.key)
    )
    for message, said in groupby(connection.execute(query), key=lambda row: row.message):
        yield message, _together(list(said))


def _together(said: Sequence[Any]) -> tuple[bool, bool] | None:
    newest = {row.reviewer: row.grounded for row in said}
    grounded = sum(newest.values())
    if 2 * grounded == len(newest):
        return None
    return 2 * grounded > len(newest), any(row.drawn == "random" for row in said)


def _judged(connection: Connection, project: int, ids: Sequence[str]) -> Iterator[Any]:
    """Those of these messages that are still there, and whose answer was judged."""
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        places = [(at, name) for name in some if (at := moment_of(name)) is not None]
        query = select(*_READ).where(
            messages.c.project == project,
            tuple_(messages.c.at, messages.c.id).in_(places),
            messages.c.validation_passed.is_not(None),
        )
        yield from connection.execute(query.order_by(messages.c.at, messages.c.id)).mappings()


def newest_encoder(connection: Connection, project: int, until: datetime) -> str | None:
    """The encoder that the newest message was judged with; None where none was."""
    query = select(messages.c.encoder).where(
        messages.c.project == project, messages.c.at < until, messages.c.encoder.is_not(None)
    )
    found: str | None = connection.execute(query.order_by(messages.c.at.desc()).limit(1)).scalar_one_or_none()
    return found
