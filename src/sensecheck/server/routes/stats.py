"""`GET /v1/stats`: the figures of the last days."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request

from sensecheck.server.caller import Caller
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.parts import Parts
from sensecheck.server.reviewing.weekly import stats_of
from sensecheck.server.shapes.stats import Stats
from sensecheck.store.moments import now
from sensecheck.store.service.days import Days
from sensecheck.store.service.service_store import ServiceStore

router = APIRouter(route_class=ServiceRoute, tags=["figures"])


@router.get("/v1/stats", responses=documented(counted=True), operation_id="stats")
async def stats(
    request: Request,
    caller: Annotated[Caller, Depends(Admits("stats"))],
    days: Annotated[int, Query(ge=1, le=366)] = 7,
) -> Stats:
    """How many answers pass, how many are judged wrongly as far as labels tell, and how long it takes.

    Days are those of UTC, and today is one of them.
    """
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)
    span = Days.until(now().date(), days)

    def count(store: ServiceStore) -> Stats:
        with store.reading() as connection:
            return stats_of(connection, caller.key.project, span)

    return await parts.desk.ask(count)
