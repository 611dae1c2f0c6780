"""`GET /sdk/VERSION/sensecheck.js`: the browser SDK, for any page that wants it."""

import re

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.problem_replies import reply_of
from sensecheck.server.problems import NOT_FOUND, Problem
from sensecheck.server.script import PATH, VERSION, Script, caching, script

router = APIRouter(route_class=ServiceRoute)
_READABLE = {"Access-Control-Allow-Origin": "*"}
"""A page that holds a script to its digest must be able to read it, and to read why it is not there."""
_HEADERS = {**_READABLE, "Cache-Control": caching(VERSION), "Vary": "Accept-Encoding"}
_TAG = re.compile(r'"[^"]*"')
_WEIGHT = re.compile(r"[01](?:\.\d{0,3})?")


@router.head("/sdk/{version}/sensecheck.js", include_in_schema=False)
@router.get("/sdk/{version}/sensecheck.js", include_in_schema=False)
async def sdk_script(request: Request, version: str) -> Response:
    """The script; nobody needs a key for it. It is a file, and no part of what `/openapi.json` describes."""
    if version != VERSION:
        problem = Problem(NOT_FOUND, f"the script that is here has the version {VERSION}: `{PATH}`")
        return reply_of(problem, _READABLE)
    return _reply(request, script())


def _reply(request: Request, held: Script) -> Response:
    packed = _takes_gzip(request.headers.get("accept-encoding", ""))
    mark = f'"{held.integrity}{"-gzip" if packed else ""}"'
    headers = {**_HEADERS, "ETag": mark}
    if _knows(request.headers.get("if-none-match", ""), mark):
        return Response(status_code=304, headers=headers)
    if packed:
        headers["Content-Encoding"] = "gzip"
    body = held.packed if packed else held.plain
    return Response(body, media_type="text/javascript", headers=headers)


def _knows(sent: str, mark: str) -> bool:
    """Whether the client says that it has these very bytes."""
    return sent.strip() == "*" or mark in _TAG.findall(sent)


def _takes_gzip(accepts: str) -> bool:
    """Whether the client can unpack: `*` speaks for what is not named, and a weight of 0 is a no."""
    weights = dict(map(_weighted, accepts.lower().split(",")))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _weighted(named: str) -> tuple[str, float]:
    """An encoding and its weight; one that nobody can read is taken for a no."""
    name, _, after = named.partition(";")
    _, _, weight = after.partition("=")
    if not after.strip():
        return name.strip(), 1.0
    return name.strip(), float(weight) if _WEIGHT.fullmatch(weight.strip()) else 0.0
