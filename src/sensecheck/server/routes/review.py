"""The routes of feedback, reviews, policies, figures and sessions."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.calibration.target import Target
from sensecheck.checks.policies import POLICIES
from sensecheck.server.auth import Admits
from sensecheck.server.caller import Caller
from sensecheck.server.database import say_of_message
from sensecheck.server.openapi import POLICY, WHOLE, documented
from sensecheck.server.problems import (
    NOT_CERTIFIABLE,
    NOT_FOUND,
    NOT_HERE,
    OVERLOADED,
    Problem,
    RequestMistake,
    invalid,
)
from sensecheck.server.requests import ServiceRoute
from sensecheck.server.review.calibration import FitRequest, lines_of, new_policy, ours, theirs
from sensecheck.server.review.dashboard import Stratum, stats_of
from sensecheck.server.schemas.checks import SessionId
from sensecheck.server.schemas.review import (
    CalibrateRequest,
    FeedbackRequest,
    LabelRequest,
    MessageId,
    PolicyId,
    PolicyList,
    PolicyReply,
    ReviewItem,
    ReviewQueue,
    Stats,
)
from sensecheck.server.startup import ServiceParts
from sensecheck.store.columns import now
from sensecheck.store.service.figures import Days
from sensecheck.store.service.policies import each_policy, find_policy
from sensecheck.store.service.records import Message
from sensecheck.store.service.reviews import ToReview, add_feedback, add_review, to_review, way_of

feedback_router = APIRouter(route_class=ServiceRoute, tags=["messages"])
reviews_router = APIRouter(route_class=ServiceRoute, tags=["reviews"])
policies_router = APIRouter(route_class=ServiceRoute, tags=["policies"])
Managing = Annotated[Caller, Depends(Admits("policies"))]
Named = Annotated[PolicyId, Path(description="The name of a policy, without a version.")]
stats_router = APIRouter(route_class=ServiceRoute, tags=["figures"])
sessions_router = APIRouter(route_class=ServiceRoute, tags=["sessions"])


@feedback_router.post(
    "/v1/messages/{message_id}/feedback",
    status_code=204,
    response_class=Response,
    responses=documented(NOT_FOUND, body=True, counted=True),
    operation_id="give_feedback",
)
async def give_feedback(
    request: Request,
    message_id: Annotated[MessageId, Path()],
    given: FeedbackRequest,
    caller: Annotated[Caller, Depends(Admits("feedback"))],
) -> Response:
    """Say whether an answer was any good; who says so again replaces what they said."""
    parts = await _counted(request, caller)

    def say(connection: Connection, _: Message) -> None:
        add_feedback(connection, caller.key.project, message_id, given.thumb, given.note)

    await say_of_message(parts.database, parts.write_queue, caller, message_id, say)
    return Response(status_code=204)


@reviews_router.get("/v1/reviews/next", responses=documented(counted=True), operation_id="draw_reviews")
async def next_reviews(
    request: Request,
    caller: Annotated[Caller, Depends(Admits("review"))],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> ReviewQueue:
    """Messages of the last seven days that nobody has labelled.

    Accepted and rejected answers in turn, half of them at random and half of them near the line. Rejected
    answers are there for keys that keep them for review.
    """
    parts = await _counted(request, caller)

    def draw(connection: Connection) -> list[ToReview]:
        lines = lines_of(connection, caller.key.project)
        return to_review(connection, caller.key.project, limit, lines=lines, at=now())

    return ReviewQueue(items=[_item(item) for item in await parts.database.read(draw)])


@reviews_router.post(
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
    parts = await _counted(request, caller)
    if given.drawn is not None and given.drawn != way_of(message_id):
        raise invalid(
            [RequestMistake("#/drawn", "is not how this message is drawn; repeat what the queue said of it")]
        )

    def say(connection: Connection, stored: Message) -> None:
        if stored.validation_passed is None:
            raise Problem(NOT_FOUND, "there is no answer in this message that was judged")
        add_review(connection, caller.key.project, message_id, **given.model_dump())

    message = await say_of_message(parts.database, parts.write_queue, caller, message_id, say)
    if given.drawn == "random":
        parts.metrics.labelled(bool(message.validation_passed), given.grounded)
    return Response(status_code=204)


@policies_router.get("/v1/policies", responses=documented(counted=True), operation_id="list_policies")
async def list_policies(request: Request, caller: Managing) -> PolicyList:
    """The policies that requests of this project may name."""
    parts = await _counted(request, caller)
    fitted = await parts.database.read(lambda connection: list(each_policy(connection, caller.key.project)))
    return PolicyList(policies=[*map(ours, POLICIES.values()), *map(theirs, fitted)])


@policies_router.get(
    f"/v1/policies/{{policy_id:{POLICY}}}",
    responses=documented(NOT_FOUND, counted=True),
    operation_id="get_policy",
)
async def show_policy(request: Request, policy_id: Named, caller: Managing) -> PolicyReply:
    """One policy in its newest version, with the card of its fit."""
    parts = await _counted(request, caller)
    if policy_id in POLICIES:
        return ours(POLICIES[policy_id])
    project = caller.key.project
    policy = await parts.database.read(lambda connection: find_policy(connection, project, policy_id))
    if policy is None:
        raise Problem(NOT_FOUND, "the project has no such policy")
    return theirs(policy, with_card=True)


@policies_router.post(
    "/v1/policies/{policy_id}:calibrate",
    status_code=201,
    responses=documented(NOT_CERTIFIABLE, NOT_HERE, OVERLOADED, body=True, counted=True),
    operation_id="calibrate_policy",
)
async def calibrate_policy(
    request: Request, policy_id: Named, asked: CalibrateRequest, caller: Managing
) -> PolicyReply:
    """Fit a line on the labels of the project, as the next version of this policy.

    Labels that were drawn at random count, of messages that were judged with the encoder in use. Where there
    are too few for the promise, the problem says how many more it takes.
    """
    parts = await _counted(request, caller)
    if policy_id in POLICIES:
        raise invalid([RequestMistake("path: policy_id", "is the name of a policy of ours; choose another")])
    days = Days.until(now().date(), asked.days)
    fit_request = FitRequest(caller.key.project, policy_id, asked.base, _targets(asked), days)
    return theirs(await new_policy(parts.database, parts.fitting, fit_request), with_card=True)


@stats_router.get("/v1/stats", responses=documented(counted=True), operation_id="get_stats")
async def stats(
    request: Request,
    caller: Annotated[Caller, Depends(Admits("stats"))],
    days: Annotated[int, Query(ge=1, le=366)] = 7,
) -> Stats:
    """How many answers pass, how many are judged wrongly as far as labels tell, and how long it takes.

    Days are those of UTC, and today is one of them.
    """
    parts = await _counted(request, caller)
    span = Days.until(now().date(), days)
    return await parts.database.read(lambda connection: stats_of(connection, caller.key.project, span))


class Erased(BaseModel):
    """What was forgotten."""

    erased: int = Field(description="Messages that were there; 0 where there were none.")


@sessions_router.delete(
    f"/v1/sessions/{{session_id:{WHOLE}}}", responses=documented(counted=True), operation_id="erase_session"
)
async def erase_session(
    request: Request,
    session_id: Annotated[SessionId, Path(description="As it was sent with questions and checks.")],
    caller: Annotated[Caller, Depends(Admits("sessions"))],
) -> Erased:
    """Erase all messages of a session, with answers that were held back, labels and feedback.

    What waits to be written on this or another machine is not written any more.
    """
    parts = await _counted(request, caller)
    project = caller.key.project
    return Erased(erased=await parts.database.ask(lambda store: store.erase_session(project, session_id)))


async def _counted(request: Request, caller: Caller) -> ServiceParts:
    """The parts of the service, once the request was counted."""
    parts: ServiceParts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)
    return parts


def _item(item: ToReview) -> ReviewItem:
    same = {name: value for name, value in asdict(item).items() if name in ReviewItem.model_fields}
    stratum: Stratum = "accepted" if item.accepted else "rejected"
    return ReviewItem(message_id=item.message, stratum=stratum, **same)


def _targets(request: CalibrateRequest) -> tuple[Target, ...]:
    promise = request.promise
    targets = [Target("false_accepts", promise.false_positive, promise.confidence)]
    if promise.false_negative is not None:
        targets.append(Target("false_rejects", promise.false_negative, promise.confidence))
    return tuple(targets)
