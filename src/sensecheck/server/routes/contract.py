"""`POST /query-selected-text`: an answer from the selected text, or the word that it holds none."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.core.errors import Unreadable
from sensecheck.grounding.asking.writer import WriterFailed
from sensecheck.server.answering.answered import Answered, not_written, unread
from sensecheck.server.answering.asking import Asking, Inquiry
from sensecheck.server.answering.kept import keep
from sensecheck.server.caller import Caller
from sensecheck.server.entry.direct import DirectRoute
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.http.leaving import unless_gone
from sensecheck.server.idempotency import Reservation, again, reserved
from sensecheck.server.judging.choosing import chosen
from sensecheck.server.judging.costs import cost_of_asking
from sensecheck.server.parts import Parts
from sensecheck.server.shapes.contract import LONGEST_SELECTED, SelectedTextRequest
from sensecheck.server.shapes.documents import CONTRACT, ONCE

router = APIRouter(route_class=DirectRoute, tags=["answers"])
EXCERPT = 200
CUT = f"Selected text truncated to {LONGEST_SELECTED:,} characters."
INCOMPLETE = b'{"detail":"query and selected_text required"}'


@router.post(
    "/query-selected-text",
    response_model=None,
    responses=CONTRACT,
    operation_id="querySelectedText",
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
    return await unless_gone(request, _answered(request, asked, caller))


async def _answered(request: Request, asked: SelectedTextRequest, caller: Caller) -> Response:
    parts: Parts = request.app.state.parts
    query, text = asked.query or "", asked.selected_text or ""
    passage, is_cut = text[:LONGEST_SELECTED], len(text) > LONGEST_SELECTED
    # all who have no session would share the limit of an empty one
    cost = cost_of_asking(query, passage, caller.key.policy)
    await parts.limiter.take(caller, asked.session_id or None, cost)
    policy = await chosen(parts, caller, None)
    inquiry = Inquiry(
        parts, caller, Asking(query, passage, policy, session_id=asked.session_id, truncated=is_cut)
    )
    async with reserved(parts, caller, request, kept=True) as reservation:
        if reservation is not None and reservation.before is not None:
            return again(reservation.before)
        inquiry.must_have_room()
        answered = await _written_and_checked(inquiry)
        return await _kept(inquiry, answered, reservation)


async def _written_and_checked(inquiry: Inquiry) -> Answered:
    try:
        written = await inquiry.written()
    except Unreadable:
        return unread()
    except WriterFailed as failed:
        inquiry.note_failure(failed)
        return not_written()
    return await inquiry.answered(written)


async def _kept(inquiry: Inquiry, answered: Answered, reservation: Reservation | None) -> Response:
    body = as_contract(reply_data(inquiry.asking, answered))
    headers: dict[str, str] = {
        "Sensecheck-Decision": answered.decision,
        "Sensecheck-Outcome": answered.outcome,
        "Sensecheck-Message-Id": inquiry.id,
    }
    await keep(inquiry, answered, reservation.completed(body, headers) if reservation is not None else None)
    timing = f"write;dur={inquiry.writing_ms:.1f}, check;dur={inquiry.checking_ms:.1f}"
    return Response(body, headers={**headers, "Server-Timing": timing}, media_type="application/json")


def reply_data(asking: Asking, answered: Answered) -> dict[str, Any]:
    """The five fields, in the contract's order."""
    return {
        "response": answered.answer,
        "in_selected_text": answered.in_selected_text,
        "sources": [{"type": "selected_text", "excerpt": asking.passage[:EXCERPT]}],
        "session_id": asking.session_id,
        "truncation_warning": CUT if asking.truncated else None,
    }


def as_contract(data: dict[str, Any]) -> bytes:
    """The bytes that the contract's own framework writes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
