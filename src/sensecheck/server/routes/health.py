"""`/livez` and `/readyz`: whether the process runs, and whether it should be sent anybody."""

from time import monotonic
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.parts import Parts
from sensecheck.server.problems import Problem
from sensecheck.server.shapes.health import Readiness

router = APIRouter(route_class=ServiceRoute, tags=["health"])
SECONDS_REMEMBERED = 1.0
"""Strangers may ask as often as they like; the database is asked once."""
PATIENCE = 1.0


@router.head("/livez", include_in_schema=False)
@router.get("/livez", operation_id="live", response_model=dict[str, bool])
async def live() -> dict[str, bool]:
    """Whether the process answers; nothing else is asked."""
    return {"alive": True}


@router.head("/readyz", include_in_schema=False)
@router.get(
    "/readyz",
    operation_id="ready",
    response_model=Readiness,
    responses={503: {"description": "Not ready.", "model": Readiness}},
)
async def ready(request: Request) -> Response:
    """Whether requests can be answered, and which part is missing if not."""
    parts: Parts = request.app.state.parts
    engine = parts.engine.load().alive > 0
    store = await _store_answers(request)
    keeps, room = parts.keeping.alive, parts.keeping.has_room
    is_ready = engine and keeps and (store or room)  # while the database is away, messages wait here
    told: dict[str, Any] = {"ready": is_ready, "engine": engine, "store": store, "spool": keeps and room}
    return JSONResponse(told, status_code=200 if is_ready else 503)


async def _store_answers(request: Request) -> bool:
    state, parts = request.app.state, request.app.state.parts
    at, answered = getattr(state, "store_answered", (float("-inf"), False))
    if monotonic() - at < SECONDS_REMEMBERED:
        return bool(answered)
    state.store_answered = monotonic(), answered  # whoever asks meanwhile is told what was so before
    try:
        await parts.desk.ask(lambda store: store.ping(), patience=PATIENCE)
    except Problem:
        state.store_answered = monotonic(), False
    else:
        state.store_answered = monotonic(), True
    return bool(state.store_answered[1])
