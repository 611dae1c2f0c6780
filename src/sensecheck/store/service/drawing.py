"""Which messages reviewers are given: some at random, some near the line, accepted ones and rejected ones.

The random digits at the end of a message's name say for ever how it may be drawn: half of all messages at
random alone, so that rates can be told from their labels; the other half nearest to the line first, which
teaches most where the line should lie, and tells nothing of rates.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, case, func, or_, select
from sqlalchemy.sql.selectable import Subquery

from sensecheck.store.moments import in_utc
from sensecheck.store.service.records import EXCERPT
from sensecheck.store.service_tables import candidates, messages, reviews

Way = Literal["random", "near"]
WAYS: tuple[Way, Way] = ("random", "near")
NEWEST = 50_000
"""Of a project with more messages, the newest ones are drawn from."""
WINDOW = timedelta(days=7)
_ANY_OF_THE_RANDOM_HALF = "8"
"""The last digit of a name is below it, as a text, for half of all names."""


@dataclass(frozen=True, slots=True)
class ToReview:
    """A message that somebody should look at."""

    message: str
    at: datetime
    accepted: bool
    drawn: Way
    question: str | None
    answer: str
    """The answer that was judged, whether the reader got it or not."""
    passage: str
    whole_passage: bool
    """Whether all of the passage is there; of most messages only its beginning is kept."""
    policy: str
    support: float | None
    outcome: str


def way_of(message: str) -> Way:
    """How a message may be drawn, which its name says."""
    return "random" if message[-1:] < _ANY_OF_THE_RANDOM_HALF else "near"


def to_review(
    connection: Connection, project: int, limit: int, *, lines: Mapping[str, float], at: datetime
) -> list[ToReview]:
    """As many messages as are wanted, in turn from all four kinds; `lines` are those of policies, by mark."""
    chance = SystemRandom()
    kinds = [(accepted, way) for accepted in (True, False) for way in WAYS]
    chance.shuffle(kinds)  # who asks for one at a time gets of all kinds too
    drawn = [_drawn(connection, project, limit, accepted, way, lines, at) for accepted, way in kinds]
    in_turn = [pile[turn] for turn in range(limit) for pile in drawn if turn < len(pile)]
    return in_turn[:limit]


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
    found = connection.execute(query.order_by(*order).limit(limit)).mappings()
    return [_in_row(row, way) for row in found]


def _newest(project: int, at: datetime) -> Subquery:
    judged = messages.c.project == project, messages.c.at > at - WINDOW
    return select(messages).where(*judged).order_by(messages.c.at.desc()).limit(NEWEST).subquery()


def _reviewable(newest: Subquery, project: int) -> Select[Any]:
    """Messages whose answer is there to be looked at, and that nobody has drawn and labelled."""
    kept = and_(candidates.c.message == newest.c.id, candidates.c.project == project)
    labelled = select(reviews.c.key).where(
        reviews.c.project == project, reviews.c.message == newest.c.id, reviews.c.drawn.is_not(None)
    )
    has_answer = or_(
        newest.c.validation_passed.is_(True), candidates.c.message.is_not(None), newest.c.mode == "check"
    )
    return (
        select(newest, candidates.c.answer.label("held_back"), candidates.c.passage.label("passage"))
        .join(candidates, kept, isouter=True)
        .where(has_answer, ~labelled.exists())
    )


def _is_of(newest: Subquery, way: Way) -> ColumnElement[bool]:
    last = func.substr(newest.c.id, 36, 1)
    return last < _ANY_OF_THE_RANDOM_HALF if way == "random" else last >= _ANY_OF_THE_RANDOM_HALF


def _distance(newest: Subquery, lines: Mapping[str, float]) -> ColumnElement[Any]:
    """How far the reading is from the line of its policy; NULL where one of them is not known."""
    if not lines:
        return func.abs(newest.c.support)
    return func.abs(newest.c.support - case(lines, value=newest.c.policy, else_=None))


def _in_row(row: RowMapping, way: Way) -> ToReview:
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
