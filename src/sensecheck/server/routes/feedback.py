"""`POST /v1/messages/{id}/feedback`: what a reader says of what they were told."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.caller import Caller
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.parts import Parts
from sensecheck.server.problems import NOT_FOUND
from sensecheck.server.shapes.feedback import FeedbackRequest, MessageId
from sensecheck.server.stored.messages import say_of_message
from sensecheck.store.service.feedback import add_feedback
from sensecheck.store.service.records import Message

router = APIRouter(route_class=ServiceRoute, tags=["messages"])


@router.post(
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
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)

    def say(connection: Connection, _: Message) -> None:
        add_feedback(connection, caller.key.project, message_id, given.thumb, given.note)

    await say_of_message(parts.desk, parts.keeping, caller, message_id, say)
    return Response(status_code=204)
