"""`POST /v1/checks:batch`: many checks in one request."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.caller import Caller
from sensecheck.server.engine.jobs import Result
from sensecheck.server.entry.direct import DirectRoute
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.http.mistakes import in_body, places_of
from sensecheck.server.judging.checking import found_of
from sensecheck.server.judging.costs import cost_of_checking
from sensecheck.server.judging.judged import begun, settled
from sensecheck.server.judging.ready import ReadyCheck, made_ready
from sensecheck.server.parts import Parts
from sensecheck.server.problems import Place, Problem, invalid
from sensecheck.server.routes.check import as_json, told
from sensecheck.server.shapes.check import BatchRequest, CheckRequest
from sensecheck.server.shapes.documents import BATCH
from sensecheck.server.shapes.texts import MOST_JUDGED, MOST_READ

router = APIRouter(route_class=DirectRoute, tags=["checks"])


@router.post("/v1/checks:batch", response_model=None, responses=BATCH, operation_id="checkBatch")
async def check_batch(
    request: Request, asked: BatchRequest, caller: Annotated[Caller, Depends(Admits("check"))]
) -> Response:
    """Hold many answers against their sources; the results come in the order of the checks.

    The engine takes all of them or none: one that is busy turns the whole batch away, to be sent again.
    """
    parts: Parts = request.app.state.parts
    names = request.app.known_names()
    read = [_read(item, names) for item in asked.checks]
    _must_be_bounded(read)
    cost = sum(
        cost_of_checking(one.texts, one.passages, one.policy or caller.key.policy)
        for one in read
        if isinstance(one, CheckRequest)
    )
    await parts.limiter.take(caller, None, max(cost, 1), requests=len(read))
    ready = await asyncio.gather(*(_made_ready(parts, caller, one) for one in read))
    results = await _all_told(parts, caller, ready)
    return Response(b'{"results":[' + b",".join(results) + b"]}", media_type="application/json")


def _read(item: Any, names: frozenset[str]) -> CheckRequest | Problem:
    try:
        return CheckRequest.model_validate(item)
    except ValidationError as wrong:
        return invalid(places_of(in_body(wrong), names, CheckRequest))


def _must_be_bounded(read: Sequence[CheckRequest | Problem]) -> None:
    checks = [one for one in read if isinstance(one, CheckRequest)]
    if sum(len(check.texts) for check in checks) > MOST_JUDGED:
        raise invalid([Place("#/checks", f"wants at most {MOST_JUDGED} answers and claims in all")])
    if sum(check.to_read for check in checks) > MOST_READ:
        wanted = f"wants at most {MOST_READ} characters of sources, counted once for each claim"
        raise invalid([Place("#/checks", wanted)])


async def _made_ready(parts: Parts, caller: Caller, one: CheckRequest | Problem) -> ReadyCheck | Problem:
    try:
        return one if isinstance(one, Problem) else await made_ready(parts, caller, one)
    except Problem as problem:
        return problem


async def _all_told(parts: Parts, caller: Caller, ready: Sequence[ReadyCheck | Problem]) -> list[bytes]:
    under_way = begun(parts, [job for one in ready if isinstance(one, ReadyCheck) for job in one.jobs])
    jobs = iter(under_way)
    told_of = [
        _told(parts, caller, one, tuple(islice(jobs, len(one.jobs))))
        if isinstance(one, ReadyCheck)
        else _told(parts, caller, one)
        for one in ready
    ]
    try:
        return await asyncio.gather(*told_of)
    finally:
        for job in under_way:  # whoever asked may have left
            job.cancel()


async def _told(
    parts: Parts, caller: Caller, one: ReadyCheck | Problem, jobs: "Sequence[asyncio.Future[Result]]" = ()
) -> bytes:
    try:
        if isinstance(one, Problem):
            return _problem(one)
        found = found_of(parts, one, *await settled(parts, jobs))
        return b'{"result":' + await told(parts, caller, found) + b"}"
    except Problem as problem:
        return _problem(problem)


def _problem(problem: Problem) -> bytes:
    return b'{"problem":' + as_json(problem.to_data()) + b"}"
