"""Problems as answers."""

import json

from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.problems import MEDIA_TYPE, Problem
from sensecheck.server.watching.visit import note_trouble


def reply_of(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """The answer that tells a problem."""
    note_trouble(problem.kind.name)
    body = json.dumps(problem.to_data(), ensure_ascii=False, allow_nan=False).encode()
    told = {**(headers or {}), **_retry(problem.wait), **_challenge(problem.kind.status)}
    return Response(body, status_code=problem.kind.status, headers=told, media_type=MEDIA_TYPE)


def _retry(seconds: int | None) -> dict[str, str]:
    return {} if seconds is None else {"Retry-After": str(seconds)}


def _challenge(status: int) -> dict[str, str]:
    return {"WWW-Authenticate": "Bearer"} if status == 401 else {}


async def reply_to_problem(request: Request, problem: Exception) -> Response:
    """Answer with a problem that was raised on purpose."""
    assert isinstance(problem, Problem)
    return reply_of(problem)
