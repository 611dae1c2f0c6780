"""The Studio on the service: the same pages as on a laptop, behind keys, each of which sees its own project.

A key with the scope `stats` looks, and one with `review` labels. A page has no place to keep a secret key:
it is typed in once, and a cookie that no script can read stands for it until it ends or the key is revoked.
The page Week is there on the service alone: it is about messages.
"""

from datetime import date
from time import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from sensecheck.io.sockets import is_loopback
from sensecheck.runs.sql import EvalStore
from sensecheck.server.caller import Caller, host_of
from sensecheck.server.problems import NOT_ALLOWED, Problem
from sensecheck.server.review.calibration import ServicePolicies
from sensecheck.server.review.week import week_data, week_page, week_until
from sensecheck.server.startup import ServiceParts
from sensecheck.store.retry import Patience
from sensecheck.studio.access import COOKIE, StudioRefusal, Viewer
from sensecheck.studio.library import Library, StudioPlace
from sensecheck.studio.routes import PREFIX, Studio, StudioRoute, page

SESSION_SECONDS = 12 * 3600
DATABASE_SECONDS = 10.0
"""So long a page waits for the database."""
session_router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)
week_router = APIRouter(prefix=PREFIX, route_class=StudioRoute, include_in_schema=False)


class ServiceAccess:
    """Lets in who has a key: in a session of the page, or in the header `Authorization`."""

    async def viewer(self, request: Request) -> Viewer:
        """Who asks, who sees the runs of their project alone."""
        key = (await self.caller(request)).key
        return Viewer(
            project=key.project_name,
            may_label="review" in key.scopes,
            may_run=False,
            may_apply="policies" in key.scopes,
            may_search_by_pattern=False,
            rater=key.label or key.id,
        )

    async def caller(self, request: Request) -> Caller:
        """The key that the request comes with, one more request of which is counted."""
        parts: ServiceParts = request.app.state.parts
        try:
            caller = await self._caller(parts, request)
            await parts.limiter.take(caller, None, 0)
        except Problem as problem:
            raise StudioRefusal(problem.kind.status, problem.detail) from problem
        return caller

    async def _caller(self, parts: ServiceParts, request: Request) -> Caller:
        session = request.cookies.get(COOKIE)
        if session is None:
            return await parts.authenticator.admit(request, "stats")
        key = await parts.authenticator.key_in_session(session, int(time()))
        _require_scope(key.scopes)
        return Caller(key, parts.authenticator.address(request))


class SignIn(BaseModel):
    """A key that was typed into the page."""

    model_config = ConfigDict(extra="forbid")

    key: Annotated[str, Field(min_length=1, max_length=300)]


@session_router.post("/api/session")
async def sign_in(request: Request, given: SignIn) -> Response:
    """Begin a session of the page with a secret key."""
    parts: ServiceParts = request.app.state.parts
    authenticator = parts.authenticator
    try:
        key = await authenticator.typed_key(given.key, authenticator.address(request))
        _require_scope(key.scopes)
    except Problem as problem:
        raise StudioRefusal(problem.kind.status, problem.detail) from problem
    reply = Response(status_code=204)
    reply.set_cookie(
        COOKIE,
        authenticator.session_of(key, int(time()) + SESSION_SECONDS),
        max_age=SESSION_SECONDS,
        path=PREFIX,
        httponly=True,
        samesite="strict",
        secure=not is_loopback(host_of(f"//{request.headers.get('host', '')}")),
    )
    return reply


async def week_reply(
    request: Request, caller: Annotated[Caller, Depends(ServiceAccess().caller)], until: date | None = None
) -> dict[str, Any]:
    """The week that the address asks for, of the project of the key."""
    parts: ServiceParts = request.app.state.parts
    days = week_until(until)

    key = caller.key
    try:
        return await parts.database.read(
            lambda connection: week_data(connection, key.project, key.project_name, days)
        )
    except Problem as problem:
        raise StudioRefusal(problem.kind.status, problem.detail) from problem


AskedWeek = Annotated[dict[str, Any], Depends(week_reply)]
week_router.get("/week")(page)


@week_router.get("/api/week")
async def week(found: AskedWeek) -> dict[str, Any]:
    """The figures of a week, and of the week before."""
    return found


@week_router.get("/api/week.html")
async def week_file(found: AskedWeek) -> Response:
    """The same as one file that can be sent to others."""
    name = f"week-until-{found['week']['last_day']}.html"
    return HTMLResponse(week_page(found), headers={"Content-Disposition": f'attachment; filename="{name}"'})


def studio_of_service(parts: ServiceParts) -> Studio:
    """The Studio over the evaluations in the database of the service."""
    engine = parts.database.store.engine
    address = engine.url.render_as_string(hide_password=False)
    place = StudioPlace.of(address, EvalStore(engine, Patience(DATABASE_SECONDS)))
    policies = ServicePolicies(parts.database.store)
    return Studio(Library([place]), ServiceAccess(), policies=policies, has_week=True)


def _require_scope(scopes: frozenset[str]) -> None:
    if "stats" not in scopes:
        raise Problem(NOT_ALLOWED, "the key does not have the scope `stats`")
