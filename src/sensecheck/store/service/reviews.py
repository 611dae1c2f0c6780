"""Reviews of messages, feedback of readers, and which messages reviewers are given.

Reviewers get some messages at random and some near the threshold, accepted and rejected ones. The random
digits at the end of a message's id decide for good how it may be drawn: half of all messages at random alone,
so that rates can be estimated from their labels; the other half nearest to the threshold first, which teaches
most where the threshold should be, and says nothing about rates.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import groupby
from random import SystemRandom
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, case, func, or_, select, tuple_
from sqlalchemy.sql.selectable import Subquery

from sensecheck.core.run import storable
from sensecheck.store.columns import in_utc, now, stored_name
from sensecheck.store.service.figures import Days
from sensecheck.store.service.records import EXCERPT, Thumb, moment_of
from sensecheck.store.service_tables import candidates, feedback, messages, reviews

Way = Literal["random", "near"]
WAYS: tuple[Way, Way] = ("random", "near")
NEWEST = 50_000
"""Of a project with more messages, the newest ones are drawn from."""
WINDOW = timedelta(days=7)
_FIRST_DIGIT_OF_NEAR = "8"
"""The last digit of an id is below it, as a text, for half of all ids."""
BATCH_SIZE = 400
_LABELLED_COLUMNS = (
    messages.c.id,
    messages.c.validation_passed,
    messages.c.support,
    messages.c.encoder,
    messages.c.policy,
    messages.c.selected_text,
)


@dataclass(frozen=True, slots=True)
class ToReview:
    """A message that someone should look at."""

    message: str
    at: datetime
    accepted: bool
    drawn: Way
    question: str | None
    answer: str
    """The answer that was judged, whether the reader got it or not."""
    passage: str
    whole_passage: bool
    """Whether all of the passage is there; of most messages only its beginning is stored."""
    policy: str
    support: float | None
    outcome: str


def to_review(
    connection: Connection, project: int, limit: int, *, lines: Mapping[str, float], at: datetime
) -> list[ToReview]:
    """As many messages as are wanted, in turn from all four kinds; `lines`: thresholds by mark."""
    chance = SystemRandom()
    kinds = [(accepted, way) for accepted in (True, False) for way in WAYS]
    chance.shuffle(kinds)  # a caller that asks for one at a time gets all kinds too
    drawn = [_drawn(connection, project, limit, accepted, way, lines, at) for accepted, way in kinds]
    in_turn = [pile[turn] for turn in range(limit) for pile in drawn if turn < len(pile)]
    return in_turn[:limit]


def way_of(message: str) -> Way:
    """How a message may be drawn, which its id says."""
    return "random" if message[-1:] < _FIRST_DIGIT_OF_NEAR else "near"


def add_review(
    connection: Connection,
    project: int,
    message: str,
    *,
    reviewer: str,
    grounded: bool,
    drawn: Way | None,
    note: str = "",
) -> None:
    """Store whether an answer, released or held back, does come from its passage, as a reviewer says.

    `drawn` is None where no one drew the message.
    """
    row = {
        "project": project,
        "message": message,
        "reviewer": stored_name(reviewer, "the name of a reviewer"),
        "grounded": grounded,
        "note": storable(note),
        "drawn": drawn,
        "at": now(),
    }
    connection.execute(reviews.insert(), row)


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
    """A digest of what is stored of the passage: answers from one passage are alike."""


def labelled_messages(connection: Connection, project: int, days: Days) -> list[LabelledMessage]:
    """The messages of these days that were judged and labelled, each once, in order of time.

    The newest word of each reviewer counts, and most of the reviewers decide; where they are split evenly,
    no one knows, and the message is left out.
    """
    decided = _decided(connection, project, days)
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


def newest_encoder(connection: Connection, project: int, until: datetime) -> str | None:
    """The encoder that the newest message was judged with; None where none was."""
    query = select(messages.c.encoder).where(
        messages.c.project == project, messages.c.at < until, messages.c.encoder.is_not(None)
    )
    encoder: str | None = connection.execute(
        query.order_by(messages.c.at.desc()).limit(1)
    ).scalar_one_or_none()
    return encoder


def add_feedback(connection: Connection, project: int, message: str, thumb: Thumb, note: str) -> None:
    """Store what a reader says of a message of this project; the newest counts."""
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
    counts: dict[str, int] = {row[0]: row[1] for row in connection.execute(query)}
    return {"up": counts.get("up", 0), "down": counts.get("down", 0)}


def _drawn(
    connection: Connection,
    project: int,
    limit: int,
    accepted: bool,
    way: Way,
    lines: Mapping[str, float],
    at: datetime,
) -> list[ToReview]:
    newest = _newest(project, at)
    query = _reviewable(newest, project).where(newest.c.validation_passed.is_(accepted), _is_of(newest, way))
    order = (
        (func.random(),) if way == "random" else (_distance(newest, lines).asc().nulls_last(), func.random())
    )
    rows = connection.execute(query.order_by(*order).limit(limit)).mappings()
    return [_to_review_in(row, way) for row in rows]


def _newest(project: int, at: datetime) -> Subquery:
    judged = messages.c.project == project, messages.c.at > at - WINDOW
    return select(messages).where(*judged).order_by(messages.c.at.desc()).limit(NEWEST).subquery()


def _reviewable(newest: Subquery, project: int) -> Select[Any]:
    """Messages whose answer is there to be looked at, and that no one has drawn and labelled."""
    own_candidate = and_(candidates.c.message == newest.c.id, candidates.c.project == project)
    labelled = select(reviews.c.key).where(
        reviews.c.project == project, reviews.c.message == newest.c.id, reviews.c.drawn.is_not(None)
    )
    has_answer = or_(
        newest.c.validation_passed.is_(True), candidates.c.message.is_not(None), newest.c.mode == "check"
    )
    return (
        select(newest, candidates.c.answer.label("held_back"), candidates.c.passage.label("passage"))
        .join(candidates, own_candidate, isouter=True)
        .where(has_answer, ~labelled.exists())
    )


def _is_of(newest: Subquery, way: Way) -> ColumnElement[bool]:
    last = func.substr(newest.c.id, 36, 1)
    return last < _FIRST_DIGIT_OF_NEAR if way == "random" else last >= _FIRST_DIGIT_OF_NEAR


def _distance(newest: Subquery, lines: Mapping[str, float]) -> ColumnElement[Any]:
    """How far the reading is from the threshold of its policy; NULL where one of them is not known."""
    if not lines:
        return func.abs(newest.c.support)
    return func.abs(newest.c.support - case(lines, value=newest.c.policy, else_=None))


def _to_review_in(row: RowMapping, way: Way) -> ToReview:
    excerpt: str = row["selected_text"]
    whole = row["passage"] is not None or len(excerpt) < EXCERPT
    return ToReview(
        message=row["id"],
        at=in_utc(row["at"]),
        accepted=row["validation_passed"],
        drawn=way,
        question=row["user_message"],
        answer=row["assistant_response"] if row["held_back"] is None else row["held_back"],
        passage=excerpt if row["passage"] is None else row["passage"],
        whole_passage=whole,
        policy=row["policy"],
        support=row["support"],
        outcome=row["outcome"],
    )


def _decided(connection: Connection, project: int, days: Days) -> dict[str, tuple[bool, bool]]:
    """What most say of each message, and whether someone drew it at random; not where they are split."""
    first, end = days.names
    query = (
        select(reviews.c.message, reviews.c.reviewer, reviews.c.grounded, reviews.c.drawn)
        .where(reviews.c.project == project, reviews.c.message >= first, reviews.c.message < end)
        .order_by(reviews.c.message, reviews.c.key)
    )
    decided: dict[str, tuple[bool, bool]] = {}
    for message, message_reviews in groupby(connection.execute(query), key=lambda row: row.message):
        rows = list(message_reviews)
        newest = {row.reviewer: row.grounded for row in rows}
        grounded = sum(newest.values())
        if 2 * grounded != len(newest):
            decided[message] = 2 * grounded > len(newest), any(row.drawn == "random" for row in rows)
    return decided


def _judged(connection: Connection, project: int, ids: Sequence[str]) -> Iterator[Any]:
    """Those of these messages that are still there, and whose answer was judged."""
    for start in range(0, len(ids), BATCH_SIZE):
        batch = ids[start : start + BATCH_SIZE]
        keys = [(moment, name) for name in batch if (moment := moment_of(name)) is not None]
        query = select(*_LABELLED_COLUMNS).where(
            messages.c.project == project,
            tuple_(messages.c.at, messages.c.id).in_(keys),
            messages.c.validation_passed.is_not(None),
        )
        yield from connection.execute(query.order_by(messages.c.at, messages.c.id)).mappings()
