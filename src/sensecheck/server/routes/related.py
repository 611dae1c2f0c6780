"""`POST /v1/related`: which sections of a page answer a question."""

from math import ceil
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.answering.relating import sections_that_answer
from sensecheck.server.caller import Caller
from sensecheck.server.entry.direct import DirectRoute
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.http.documented import documented
from sensecheck.server.http.leaving import unless_gone
from sensecheck.server.judging.costs import cost_of_reading
from sensecheck.server.parts import Parts
from sensecheck.server.problems import BUDGET_SPENT, ENGINE_AWAY, OVERLOADED
from sensecheck.server.shapes.related import RelatedReply, RelatedRequest

router = APIRouter(route_class=DirectRoute, tags=["answers"])
A_REQUEST = 10_000
"""Characters of sections that count as one request: to look through all that is allowed takes seconds."""
RELATED = {
    **documented(BUDGET_SPENT, OVERLOADED, ENGINE_AWAY, body=True, counted=True),
    200: {"model": RelatedReply, "description": "The sections that answer, or none."},
}


@router.post("/v1/related", response_model=None, responses=RELATED, operation_id="findRelated")
async def find_related(
    request: Request, asked: RelatedRequest, caller: Annotated[Caller, Depends(Admits("answer"))]
) -> Response:
    """Find the sections that answer a question, for a reader whose own selection does not.

    Nothing of it is kept. It counts as one request for every 10,000 characters of sections or part of them.
    The engine takes all sections or none: one that is busy turns the request away.
    """
    return await unless_gone(request, _found(request, asked, caller))


async def _found(request: Request, asked: RelatedRequest, caller: Caller) -> Response:
    parts: Parts = request.app.state.parts
    texts = [section.text for section in asked.sections]
    cost, requests = cost_of_reading((asked.question, *texts)), ceil(asked.characters / A_REQUEST)
    await parts.limiter.take(caller, asked.session_id, cost, requests=requests)
    sections = await sections_that_answer(parts, asked)
    return Response(to_json(RelatedReply(sections=sections)), media_type="application/json")
