"""The routes that answer: `/v1/answers`, `/v1/related` and `/query-selected-text`."""

import json
from contextlib import AsyncExitStack, aclosing
from math import ceil
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.core.errors import Unreadable
from sensecheck.grounding.writer import WriterFailed
from sensecheck.server.answers.inquiry import (
    NOT_WRITTEN,
    UNREAD,
    Answered,
    AnswerQuery,
    Inquiry,
    sections_that_answer,
)
from sensecheck.server.answers.persistence import keep
from sensecheck.server.answers.stream import (
    MEDIA_TYPE,
    AnswerEvents,
    EventStream,
    live,
    ready_chunks,
    repeated_events,
)
from sensecheck.server.auth import Admits
from sensecheck.server.caller import Caller
from sensecheck.server.checks import View, choose_policy, cost_of_asking, cost_of_reading, requests_of
from sensecheck.server.idempotency import Reservation, again, reserved
from sensecheck.server.middleware.request import unless_gone
from sensecheck.server.openapi import ANSWERS, CONTRACT, ONCE, ONCE_OR_FROM, documented
from sensecheck.server.problems import (
    BUDGET_SPENT,
    ENGINE_AWAY,
    NOT_ALLOWED,
    OVERLOADED,
    Problem,
    RequestMistake,
    invalid,
)
from sensecheck.server.requests import DirectRoute
from sensecheck.server.schemas.answers import (
    LONGEST_SELECTED,
    AnswerRequest,
    Hold,
    RelatedReply,
    RelatedRequest,
    SelectedTextRequest,
)
from sensecheck.server.startup import ServiceParts

router = APIRouter(route_class=DirectRoute, tags=["answers"])
LAST_EVENT = "Last-Event-ID"
A_REQUEST = 10_000
"""Characters of sections that count as one request: to look through all that is allowed takes seconds."""
RELATED = {
    **documented(BUDGET_SPENT, OVERLOADED, ENGINE_AWAY, body=True, counted=True),
    200: {"model": RelatedReply, "description": "The sections that answer, or none."},
}
EXCERPT = 200
CUT = f"Selected text truncated to {LONGEST_SELECTED:,} characters."
INCOMPLETE = b'{"detail":"query and selected_text required"}'


@router.post(
    "/v1/answers",
    response_model=None,
    responses=ANSWERS,
    operation_id="answer_question",
    openapi_extra=ONCE_OR_FROM,
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
        return await _answer_events(request, asked, caller, after)
    return await unless_gone(request, _whole_answer(request, asked, caller))


@router.post("/v1/related", response_model=None, responses=RELATED, operation_id="find_related")
async def find_related(
    request: Request, asked: RelatedRequest, caller: Annotated[Caller, Depends(Admits("answer"))]
) -> Response:
    """Find the sections that answer a question, for a reader whose own selection does not.

    Nothing of it is kept. It counts as one request for every 10,000 characters of sections or part of them.
    The engine takes all sections or none: one that is busy turns the request away.
    """
    return await unless_gone(request, _related(request, asked, caller))


@router.post(
    "/query-selected-text",
    response_model=None,
    responses=CONTRACT,
    operation_id="query_selected_text",
    openapi_extra=ONCE,
)
async def query_selected_text(
    request: Request, asked: SelectedTextRequest, caller: Annotated[Caller, Depends(Admits("answer"))]
) -> Response:
    """Answer a question from a selected text alone.

    What is not found in the text is replaced by one sentence that says so, with `in_selected_text: false`.
    The headers `Sensecheck-Decision` and `Sensecheck-Outcome` say why.
    """
    if not asked.query or not asked.selected_text:
        return Response(INCOMPLETE, status_code=400, media_type="application/json")
    return await unless_gone(request, _answer_selected_text(request, asked, caller))


def reply_data(query: AnswerQuery, answered: Answered) -> dict[str, Any]:
    """The five fields, in the contract's order."""
    return {
        "response": answered.answer,
        "in_selected_text": answered.in_selected_text,
        "sources": [{"type": "selected_text", "excerpt": query.passage[:EXCERPT]}],
        "session_id": query.session_id,
        "truncation_warning": CUT if query.truncated else None,
    }


def as_contract(data: dict[str, Any]) -> bytes:
    """The bytes that the contract's own framework writes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _last_event(request: Request) -> int:
    value = request.headers.get(LAST_EVENT, "0")
    if not (value.isascii() and value.isdecimal() and len(value) <= 9):
        raise invalid(
            [RequestMistake(f"header: {LAST_EVENT}", "must be the number that the last event had as its id")]
        )
    return int(value)


async def _answer_events(request: Request, body: AnswerRequest, caller: Caller, after: int) -> Response:
    hold = _hold(body, caller, "claim")
    async with AsyncExitStack() as resources:
        inquiry, view, reservation = await _begin(request, body, caller, resources)
        if reservation is not None and reservation.before is not None:
            return EventStream(ready_chunks(repeated_events(reservation.before, hold, after)))
        resources.enter_context(inquiry.admitted())
        return EventStream(live(AnswerEvents(inquiry, view, hold, reservation).shown, resources.pop_all()))


def _hold(body: AnswerRequest, caller: Caller, default: Hold) -> Hold:
    hold = body.hold or default
    if hold == "none" and caller.key.kind != "secret":
        raise Problem(
            NOT_ALLOWED, "`hold: none` shows what was not checked, which only a secret key may ask for"
        )
    return hold


async def _begin(
    request: Request, body: AnswerRequest, caller: Caller, resources: AsyncExitStack
) -> tuple[Inquiry, View, Reservation | None]:
    """Every step that can refuse a request, before an answer is written for it."""
    parts: ServiceParts = request.app.state.parts
    view = View.of(caller, body.include)
    cost = cost_of_asking(body.question, body.passage, body.policy or caller.key.policy)
    await parts.limiter.take(caller, body.session_id, cost, requests=requests_of(cost, parts))
    query = AnswerQuery(
        body.question,
        body.passage,
        await choose_policy(parts, caller, body.policy),
        session_id=body.session_id,
        offsets=body.offsets,
        store=body.store,
    )
    reservation = await resources.enter_async_context(reserved(parts, caller, request, kept=body.store))
    return Inquiry(parts, caller, query), view, reservation


async def _whole_answer(request: Request, body: AnswerRequest, caller: Caller) -> Response:
    hold = _hold(body, caller, "answer")
    async with AsyncExitStack() as resources:
        inquiry, view, reservation = await _begin(request, body, caller, resources)
        if reservation is not None and reservation.before is not None:
            return again(reservation.before)
        resources.enter_context(inquiry.admitted())
        async with aclosing(AnswerEvents(inquiry, view, hold, reservation).events()) as events:
            last = [event async for event in events][-1]
    return Response(to_json(last.data), media_type="application/json")


async def _related(request: Request, body: RelatedRequest, caller: Caller) -> Response:
    parts: ServiceParts = request.app.state.parts
    texts = [section.text for section in body.sections]
    cost = cost_of_reading((body.question, *texts))
    requests = max(ceil(body.characters / A_REQUEST), requests_of(cost, parts))
    await parts.limiter.take(caller, body.session_id, cost, requests=requests)
    sections = await sections_that_answer(parts, caller, body)
    return Response(to_json(RelatedReply(sections=sections)), media_type="application/json")


async def _answer_selected_text(request: Request, body: SelectedTextRequest, caller: Caller) -> Response:
    parts: ServiceParts = request.app.state.parts
    query, text = body.query or "", body.selected_text or ""
    passage, is_cut = text[:LONGEST_SELECTED], len(text) > LONGEST_SELECTED
    # all who have no session would share the limit of an empty one
    cost = cost_of_asking(query, passage, caller.key.policy)
    await parts.limiter.take(caller, body.session_id or None, cost, requests=requests_of(cost, parts))
    policy = await choose_policy(parts, caller, None)
    inquiry = Inquiry(
        parts, caller, AnswerQuery(query, passage, policy, session_id=body.session_id, truncated=is_cut)
    )
    async with reserved(parts, caller, request, kept=True) as reservation:
        if reservation is not None and reservation.before is not None:
            return again(reservation.before)
        with inquiry.admitted():
            answered = await _written_and_checked(inquiry)
        return await _keep_and_reply(inquiry, answered, reservation)


async def _written_and_checked(inquiry: Inquiry) -> Answered:
    try:
        written = await inquiry.written()
    except Unreadable:
        return UNREAD
    except WriterFailed as failed:
        inquiry.note_failure(failed)
        return NOT_WRITTEN
    return await inquiry.answered(written)


async def _keep_and_reply(inquiry: Inquiry, answered: Answered, reservation: Reservation | None) -> Response:
    body = as_contract(reply_data(inquiry.query, answered))
    headers: dict[str, str] = {
        "Sensecheck-Decision": answered.decision,
        "Sensecheck-Outcome": answered.outcome,
        "Sensecheck-Message-Id": inquiry.id,
    }
    await keep(inquiry, answered, reservation.completed(body, headers) if reservation is not None else None)
    timing = f"write;dur={inquiry.writing_ms:.1f}, check;dur={inquiry.checking_ms:.1f}"
    return Response(body, headers={**headers, "Server-Timing": timing}, media_type="application/json")
