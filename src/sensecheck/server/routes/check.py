"""`POST /v1/check`: does this answer come from these sources?"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.caller import Caller
from sensecheck.server.entry.direct import DirectRoute
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.idempotency import Reservation, again, name_in, reserved
from sensecheck.server.judging.checking import Found, check
from sensecheck.server.judging.costs import cost_of_checking
from sensecheck.server.judging.kept import message_of
from sensecheck.server.judging.replies import reply_data
from sensecheck.server.parts import Parts
from sensecheck.server.shapes.check import CheckRequest
from sensecheck.server.shapes.documents import CHECK, ONCE
from sensecheck.store.service.records import Entry

router = APIRouter(route_class=DirectRoute, tags=["checks"])


@router.post("/v1/check", response_model=None, responses=CHECK, operation_id="check", openapi_extra=ONCE)
async def check_answer(
    request: Request, asked: CheckRequest, caller: Annotated[Caller, Depends(Admits("check"))]
) -> Response:
    """Hold an answer, or claims one by one, against sources.

    With `store: true` the check is kept before it is told; the header `Idempotency-Key` then makes sure that
    a request that is sent again is done once.
    """
    parts: Parts = request.app.state.parts
    cost = cost_of_checking(asked.texts, asked.passages, asked.policy or caller.key.policy)
    await parts.limiter.take(caller, asked.session_id, cost)
    name_in(request)
    if not asked.store:  # the same twice, and no trace of either: there is nothing to be done only once
        return _json(await checked(parts, caller, asked))
    async with reserved(parts, caller, request, kept=True) as reservation:
        if reservation is not None and reservation.before is not None:
            return again(reservation.before)
        return _json(await checked(parts, caller, asked, reservation))


async def checked(
    parts: Parts, caller: Caller, asked: CheckRequest, reservation: Reservation | None = None
) -> bytes:
    """What is told of a check, which is kept by then if it should be."""
    return await told(parts, caller, await check(parts, caller, asked), reservation)


async def told(parts: Parts, caller: Caller, found: Found, reservation: Reservation | None = None) -> bytes:
    """What was found, kept if it should be, as it is told."""
    body = as_json(reply_data(found))
    if found.asked.store:
        completed = None if reservation is None else reservation.completed(body)
        await parts.keeping.keep(Entry(message_of(found, caller), None, completed))
    return body


def as_json(data: Any) -> bytes:
    """Compact JSON; a result was made by us, so nothing looks at it again."""
    return to_json(data, inf_nan_mode="null")


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")
