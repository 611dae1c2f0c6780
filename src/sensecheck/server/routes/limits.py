"""`GET /v1/limits`: what the caller may do, and how much of it."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import Request

from sensecheck.checks.policies import POLICIES
from sensecheck.server.caller import Caller
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.parts import Parts
from sensecheck.server.shapes.contract import LONGEST_SELECTED
from sensecheck.server.shapes.limits import Limits, Rates, Sizes
from sensecheck.server.shapes.related import LONGEST_SECTION, MOST_IN_ALL, MOST_SECTIONS

router = APIRouter(route_class=ServiceRoute, tags=["limits"])


@router.get("/v1/limits", operation_id="getLimits", responses=documented())
async def limits(request: Request, caller: Annotated[Caller, Depends(Admits())]) -> Limits:
    """The limits of the key that this is asked with."""
    parts: Parts = request.app.state.parts
    key = caller.key
    return Limits(
        project=key.project_name,
        kind=key.kind,
        scopes=sorted(key.scopes),
        per_minute=Rates(
            key=key.per_minute or None,
            session=key.per_session_minute or None,
            address=(key.per_address_minute or None) if key.kind == "publishable" else None,
        ),
        daily_budget=key.daily_budget or None,
        policy=key.policy,
        policies=sorted(POLICIES),
        sizes=Sizes(
            body_bytes=parts.settings.body_kb * 1024,
            selected_text_characters=LONGEST_SELECTED,
            related_sections=MOST_SECTIONS,
            related_section_characters=LONGEST_SECTION,
            related_characters=MOST_IN_ALL,
        ),
    )
