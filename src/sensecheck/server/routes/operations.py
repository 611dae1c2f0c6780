"""The routes of operations: health, metrics, limits, and the script of the browser SDK."""

import gzip
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha384
from html import escape
from importlib.resources import files
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sensecheck.checks.policies import POLICIES
from sensecheck.server.auth import Admits
from sensecheck.server.caller import Caller, is_direct, is_this_machine
from sensecheck.server.metrics import MEDIA_TYPE
from sensecheck.server.middleware.errors import reply_of
from sensecheck.server.openapi import documented
from sensecheck.server.problems import NOT_FOUND, Problem
from sensecheck.server.requests import ServiceRoute
from sensecheck.server.schemas.answers import LONGEST_SECTION, LONGEST_SELECTED, MOST_IN_ALL, MOST_SECTIONS
from sensecheck.server.schemas.review import Limits, Rates, Readiness, Sizes
from sensecheck.server.startup import ServiceParts

health_router = APIRouter(route_class=ServiceRoute, tags=["health"])
SECONDS_REMEMBERED = 1.0
"""Strangers may ask as often as they like; the database is asked once."""
PATIENCE = 1.0
metrics_router = APIRouter(route_class=ServiceRoute, tags=["health"])
_TEXT = {"description": "In the text format of Prometheus.", "content": {"text/plain": {}}}
limits_router = APIRouter(route_class=ServiceRoute, tags=["limits"])
VERSION = "0.1.0"
"""That of `sdk/package.json`; what a version holds never changes once it was released."""
PATH = f"/sdk/{VERSION}/sensecheck.js"
SDK_LANGUAGES = ("de", "es", "fr", "it", "ja", "nl", "pl", "pt", "zh")
SDK_FILES = {
    "sensecheck.js": "text/javascript",
    "answers.js": "text/javascript",
    **{f"languages/{language}.json": "application/json" for language in SDK_LANGUAGES},
}
"""By name, the media type: what loads first, what it loads with the first question, and its languages."""
_HOUR = 3600
_YEAR = 365 * 24 * _HOUR
sdk_router = APIRouter(route_class=ServiceRoute)
_READABLE = {"Access-Control-Allow-Origin": "*"}
"""A page that holds a script to its digest must be able to read it, and to read why it is not there."""
_TAG = re.compile(r'"[^"]*"')
_WEIGHT = re.compile(r"[01](?:\.\d{0,3})?")


@health_router.head("/livez", include_in_schema=False)
@health_router.get("/livez", operation_id="get_liveness", response_model=dict[str, bool])
async def live() -> dict[str, bool]:
    """Whether the process answers; nothing else is asked."""
    return {"alive": True}


@health_router.head("/readyz", include_in_schema=False)
@health_router.get(
    "/readyz",
    operation_id="get_readiness",
    response_model=Readiness,
    responses={503: {"description": "Not ready.", "model": Readiness}},
)
async def ready(request: Request) -> Response:
    """Whether requests can be answered, and which part is missing if not."""
    parts: ServiceParts = request.app.state.parts
    engine = parts.engine.load().alive > 0
    store = await _store_answers(request)
    keeps, has_room = parts.write_queue.queue.alive, parts.write_queue.has_room
    is_ready = engine and keeps and (store or has_room)  # without the database, messages wait here
    state: dict[str, Any] = {"ready": is_ready, "engine": engine, "store": store, "spool": keeps and has_room}
    return JSONResponse(state, status_code=200 if is_ready else 503)


@metrics_router.get(
    "/metrics",
    operation_id="get_metrics",
    response_class=Response,
    responses={**documented(), 200: _TEXT},
)
async def metrics(request: Request) -> Response:
    """Counters and gauges; from another machine, a key with the scope `metrics` is wanted."""
    parts: ServiceParts = request.app.state.parts
    here = is_direct(request) and is_this_machine(request.client.host if request.client else None)
    if not (parts.settings.open_metrics or (here and not parts.settings.proxies)):
        await parts.authenticator.admit(request, "metrics")
    return Response(parts.metrics.page(), media_type=MEDIA_TYPE)


@limits_router.get("/v1/limits", operation_id="get_limits", responses=documented())
async def limits(request: Request, caller: Annotated[Caller, Depends(Admits())]) -> Limits:
    """The limits of the key that this is asked with."""
    parts: ServiceParts = request.app.state.parts
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


def caching(version: str) -> str:
    """How long a browser keeps the script of a version: for ever; but for an hour before 1.0.0, while it may
    be one that is still being built, with the number of the one to come.
    """
    return f"public, max-age={_HOUR}" if version.startswith("0.") else f"public, max-age={_YEAR}, immutable"


@dataclass(frozen=True, slots=True)
class SdkScript:
    """The script, plain and packed, and what a page holds it to."""

    plain: bytes
    packed: bytes
    """By gzip, once, so that no request waits for it."""
    integrity: str
    """As the attribute `integrity` of a tag wants it."""

    def tag(self, service: str, key: str | None) -> str:
        """The tag for a page that asks the service at this address."""
        key_attribute = "" if key is None else f' data-key="{escape(key)}"'
        source = f'src="{escape(service)}{PATH}" integrity="{self.integrity}" crossorigin="anonymous"'
        return f"<script defer {source}{key_attribute}></script>"


@cache
def script(name: str = "sensecheck.js") -> SdkScript:
    """The script, or another file of `SDK_FILES`, read once."""
    plain = files("sensecheck.server").joinpath("sdk", *name.split("/")).read_bytes()
    integrity = "sha384-" + b64encode(sha384(plain).digest()).decode()
    return SdkScript(plain, gzip.compress(plain, mtime=0), integrity)


@sdk_router.head("/sdk/{version}/{name:path}", include_in_schema=False)
@sdk_router.get("/sdk/{version}/{name:path}", include_in_schema=False)
async def sdk_script(request: Request, version: str, name: str) -> Response:
    """A file of the SDK; no key is needed. It is no part of what `/openapi.json` describes."""
    if version != VERSION:
        problem = Problem(NOT_FOUND, f"the script that is here has the version {VERSION}: `{PATH}`")
        return reply_of(problem, _READABLE)
    if name not in SDK_FILES:
        return reply_of(Problem(NOT_FOUND, f"there is no such file; the script is `{PATH}`"), _READABLE)
    return _reply(request, script(name), SDK_FILES[name])


async def _store_answers(request: Request) -> bool:
    state, parts = request.app.state, request.app.state.parts
    at, answered = getattr(state, "store_answered", (float("-inf"), False))
    if monotonic() - at < SECONDS_REMEMBERED:
        return bool(answered)
    state.store_answered = monotonic(), answered  # requests that come meanwhile get the previous answer
    try:
        await parts.database.ask(lambda store: store.ping(), patience=PATIENCE)
    except Problem:
        state.store_answered = monotonic(), False
    else:
        state.store_answered = monotonic(), True
    return bool(state.store_answered[1])


def _reply(request: Request, sdk: SdkScript, media_type: str) -> Response:
    packed = _takes_gzip(request.headers.get("accept-encoding", ""))
    mark = f'"{sdk.integrity}{"-gzip" if packed else ""}"'
    headers = {**_HEADERS, "ETag": mark}
    if _knows(request.headers.get("if-none-match", ""), mark):
        return Response(status_code=304, headers=headers)
    if packed:
        headers["Content-Encoding"] = "gzip"
    body = sdk.packed if packed else sdk.plain
    return Response(body, media_type=media_type, headers=headers)


def _takes_gzip(accepts: str) -> bool:
    """Whether the client can unpack: `*` speaks for what is not named, and a weight of 0 is a no."""
    weights = dict(map(_weighted, accepts.lower().split(",")))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _weighted(encoding: str) -> tuple[str, float]:
    """An encoding and its weight; an unreadable weight counts as 0."""
    name, _, after = encoding.partition(";")
    _, _, weight = after.partition("=")
    if not after.strip():
        return name.strip(), 1.0
    return name.strip(), float(weight) if _WEIGHT.fullmatch(weight.strip()) else 0.0


_HEADERS = {**_READABLE, "Cache-Control": caching(VERSION), "Vary": "Accept-Encoding"}


def _knows(header: str, mark: str) -> bool:
    """Whether the client says that it has these very bytes."""
    return header.strip() == "*" or mark in _TAG.findall(header)
