"""`/metrics`: numbers of this process, for Prometheus."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.entry.addresses import is_this_machine
from sensecheck.server.entry.nearness import is_direct
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.parts import Parts
from sensecheck.server.watching.metrics import MEDIA_TYPE

router = APIRouter(route_class=ServiceRoute, tags=["health"])
_TEXT = {"description": "In the text format of Prometheus.", "content": {"text/plain": {}}}


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=Response,
    responses={**documented(), 200: _TEXT},
)
async def metrics(request: Request) -> Response:
    """Counters and gauges; from another machine, a key with the scope `metrics` is wanted."""
    parts: Parts = request.app.state.parts
    here = is_direct(request) and is_this_machine(request.client.host if request.client else None)
    if not (parts.settings.open_metrics or (here and not parts.settings.proxies)):
        await parts.doorman.admit(request, "metrics")
    return Response(parts.metrics.page(), media_type=MEDIA_TYPE)
