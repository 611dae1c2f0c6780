"""`POST /v1/answers`: an answer from a passage, whole or event by event."""

from contextlib import AsyncExitStack, aclosing
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.answering.asking import Asking, Inquiry
from sensecheck.server.answering.events import Telling, told_again
from sensecheck.server.answering.streaming import MEDIA_TYPE, EventStream, kept, live
from sensecheck.server.caller import Caller
from sensecheck.server.entry.direct import DirectRoute
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.http.leaving import unless_gone
from sensecheck.server.idempotency import Reservation, again, reserved
from sensecheck.server.judging.choosing import chosen
from sensecheck.server.judging.costs import cost_of_asking
from sensecheck.server.judging.include import View
from sensecheck.server.parts import Parts
from sensecheck.server.problems import NOT_ALLOWED, Place, Problem, invalid
from sensecheck.server.shapes.answers import AnswerRequest, Hold
from sensecheck.server.shapes.documents import ANSWERS, ONCE_OR_FROM

router = APIRouter(route_class=DirectRoute, tags=["answers"])
LAST_EVENT = "Last-Event-ID"


@router.post(
    "/v1/answers", response_model=None, responses=ANSWERS, operation_id="answer", openapi_extra=ONCE_OR_FROM
)
async def answer(
    request: Request, asked: AnswerRequest, caller: Annotated[Caller, Depends(Admits("answer"))]
) -> Response:
    """Answer a question from a passage alone.

    With `Accept: text/event-stream` the answer comes as events while it is written: `start`, `delta` with
    text and whether it was `checked`, and `end`, which is told once everything is kept; or `problem`.
    """
    after = _last_event(request)
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return await _events(request, asked, caller, after)
    return await unless_gone(request, _whole(request, asked, caller))


async def _events(request: Request, asked: AnswerRequest, caller: Caller, after: int) -> Response:
    hold = _hold(asked, caller, "claim")
    async with AsyncExitStack() as held:
        inquiry, view, reservation = await _begun(request, asked, caller, held)
        if reservation is not None and reservation.before is not None:
            return EventStream(kept(told_again(reservation.before, hold, after)))
        inquiry.must_have_room()
        return EventStream(live(Telling(inquiry, view, hold, reservation).shown, held.pop_all()))


async def _whole(request: Request, asked: AnswerRequest, caller: Caller) -> Response:
    hold = _hold(asked, caller, "answer")
    async with AsyncExitStack() as held:
        inquiry, view, reservation = await _begun(request, asked, caller, held)
        if reservation is not None and reservation.before is not None:
            return again(reservation.before)
        inquiry.must_have_room()
        async with aclosing(Telling(inquiry, view, hold, reservation).events()) as events:
            last = [event async for event in events][-1]
    return Response(to_json(last.data), media_type="application/json")


async def _begun(
    request: Request, asked: AnswerRequest, caller: Caller, held: AsyncExitStack
) -> tuple[Inquiry, View, Reservation | None]:
    """Everything that can turn a request away before anything is written for it."""
    parts: Parts = request.app.state.parts
    view = View.of(caller, asked.include)
    cost = cost_of_asking(asked.question, asked.passage, asked.policy or caller.key.policy)
    await parts.limiter.take(caller, asked.session_id, cost)
    asking = Asking(
        asked.question,
        asked.passage,
        await chosen(parts, caller, asked.policy),
        session_id=asked.session_id,
        offsets=asked.offsets,
        store=asked.store,
    )
    reservation = await held.enter_async_context(reserved(parts, caller, request, kept=asked.store))
    return Inquiry(parts, caller, asking), view, reservation


def _hold(asked: AnswerRequest, caller: Caller, otherwise: Hold) -> Hold:
    hold = asked.hold or otherwise
    if hold == "none" and caller.key.kind != "secret":
        raise Problem(
            NOT_ALLOWED, "`hold: none` shows what was not checked, which only a secret key may ask for"
        )
    return hold


def _last_event(request: Request) -> int:
    sent = request.headers.get(LAST_EVENT, "0")
    if not (sent.isascii() and sent.isdecimal() and len(sent) <= 9):
        raise invalid([Place(f"header: {LAST_EVENT}", "wants the number that the last event had as its id")])
    return int(sent)
