"""The queue of reviewers, and what they say."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.caller import Caller
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.parts import Parts
from sensecheck.server.problems import NOT_FOUND, Place, Problem, invalid
from sensecheck.server.reviewing.policy_lines import lines_of
from sensecheck.server.shapes.feedback import MessageId
from sensecheck.server.shapes.reviews import LabelRequest, ReviewItem, ReviewQueue
from sensecheck.server.stored.messages import say_of_message
from sensecheck.store.moments import now
from sensecheck.store.service.drawing import ToReview, to_review, way_of
from sensecheck.store.service.records import Message, Review
from sensecheck.store.service.reviews import add_review
from sensecheck.store.service.service_store import ServiceStore

router = APIRouter(route_class=ServiceRoute, tags=["reviews"])


@router.get("/v1/reviews/next", responses=documented(counted=True), operation_id="next_reviews")
async def next_reviews(
    request: Request,
    caller: Annotated[Caller, Depends(Admits("review"))],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> ReviewQueue:
    """Messages of the last seven days that nobody has labelled.

    Accepted and rejected answers in turn, half of them at random and half of them near the line. Rejected
    answers are there for keys that keep them for review.
    """
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)

    def draw(store: ServiceStore) -> list[ToReview]:
        with store.reading() as connection:
            lines = lines_of(connection, caller.key.project)
            return to_review(connection, caller.key.project, limit, lines=lines, at=now())

    return ReviewQueue(items=[_item(one) for one in await parts.desk.ask(draw)])


@router.post(
    "/v1/messages/{message_id}/labels",
    status_code=204,
    response_class=Response,
    responses=documented(NOT_FOUND, body=True, counted=True),
    operation_id="label_message",
)
async def label_message(
    request: Request,
    message_id: Annotated[MessageId, Path()],
    given: LabelRequest,
    caller: Annotated[Caller, Depends(Admits("review"))],
) -> Response:
    """Say whether an answer comes from its passage; the newest label of each reviewer counts."""
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)
    if given.drawn is not None and given.drawn != way_of(message_id):
        raise invalid(
            [Place("#/drawn", "is not how this message is drawn; repeat what the queue said of it")]
        )

    def say(connection: Connection, found: Message) -> None:
        if found.validation_passed is None:
            raise Problem(NOT_FOUND, "there is no answer in this message that was judged")
        review = Review(message_id, given.reviewer, given.grounded, given.note)
        add_review(connection, caller.key.project, review, given.drawn)

    await say_of_message(parts.desk, parts.keeping, caller, message_id, say)
    return Response(status_code=204)


def _item(one: ToReview) -> ReviewItem:
    return ReviewItem(
        message_id=one.message,
        at=one.at,
        stratum="accepted" if one.accepted else "rejected",
        drawn=one.drawn,
        question=one.question,
        answer=one.answer,
        passage=one.passage,
        whole_passage=one.whole_passage,
        policy=one.policy,
        outcome=one.outcome,
        support=one.support,
    )
