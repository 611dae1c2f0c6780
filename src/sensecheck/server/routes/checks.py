"""The routes that check: `/v1/check`, and `/v1/checks:batch` for many checks in one request."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import ValidationError
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.answers.persistence import message_of
from sensecheck.server.answers.replies import check_reply_data
from sensecheck.server.auth import Admits
from sensecheck.server.caller import Caller
from sensecheck.server.checks import (
    CheckResult,
    ReadyCheck,
    begin_jobs,
    check,
    check_result,
    cost_of_checking,
    finish_checks,
    prepare_check,
    requests_of,
)
from sensecheck.server.engine.jobs import Result
from sensecheck.server.idempotency import Reservation, again, name_in, reserved
from sensecheck.server.middleware.errors import in_body, mistakes_in
from sensecheck.server.openapi import BATCH, CHECK, ONCE
from sensecheck.server.problems import Problem, RequestMistake, invalid
from sensecheck.server.requests import DirectRoute
from sensecheck.server.schemas.checks import MOST_JUDGED, MOST_READ, BatchRequest, CheckRequest
from sensecheck.server.startup import ServiceParts
from sensecheck.store.service.records import Entry

router = APIRouter(route_class=DirectRoute, tags=["checks"])


@router.post(
    "/v1/check", response_model=None, responses=CHECK, operation_id="check_answer", openapi_extra=ONCE
)
async def check_answer(
    request: Request, asked: CheckRequest, caller: Annotated[Caller, Depends(Admits("check"))]
) -> Response:
    """Hold an answer, or claims one by one, against sources.

    With `store: true` the check is kept before it is told; the header `Idempotency-Key` then makes sure that
    a request that is sent again is done once.
    """
    parts: ServiceParts = request.app.state.parts
    policy, most = asked.policy or caller.key.policy, parts.settings.max_claims
    cost = cost_of_checking(asked.texts, asked.passages, policy, most)
    await parts.limiter.take(caller, asked.session_id, cost, requests=requests_of(cost, parts))
    name_in(request)
    if not asked.store:  # the same twice, and no trace of either: there is nothing to be done only once
        return _json(await checked(parts, caller, asked))
    async with reserved(parts, caller, request, kept=True) as reservation:
        if reservation is not None and reservation.before is not None:
            return again(reservation.before)
        return _json(await checked(parts, caller, asked, reservation))


async def checked(
    parts: ServiceParts, caller: Caller, asked: CheckRequest, reservation: Reservation | None = None
) -> bytes:
    """The reply to a check, which is stored by then if it should be."""
    return await keep_and_reply(parts, caller, await check(parts, caller, asked), reservation)


async def keep_and_reply(
    parts: ServiceParts, caller: Caller, found: CheckResult, reservation: Reservation | None = None
) -> bytes:
    """The reply to a check that was made, which is stored first if it should be."""
    body = as_json(check_reply_data(found))
    if found.request.store:
        completed = None if reservation is None else reservation.completed(body)
        await parts.write_queue.keep(Entry(message_of(found, caller), None, completed))
    return body


def as_json(data: Any) -> bytes:
    """Compact JSON; a result was made by us, so nothing looks at it again."""
    return to_json(data, inf_nan_mode="null")


@router.post("/v1/checks:batch", response_model=None, responses=BATCH, operation_id="check_batch")
async def check_batch(
    request: Request, asked: BatchRequest, caller: Annotated[Caller, Depends(Admits("check"))]
) -> Response:
    """Hold many answers against their sources; the results come in the order of the checks.

    The engine takes all of them or none: one that is busy turns the whole batch away, to be sent again.
    """
    parts: ServiceParts = request.app.state.parts
    names = request.app.known_names
    checks = [_read_check(item, names) for item in asked.checks]
    _require_bounded(checks)
    cost = sum(
        cost_of_checking(
            item.texts, item.passages, item.policy or caller.key.policy, parts.settings.max_claims
        )
        for item in checks
        if isinstance(item, CheckRequest)
    )
    requests = max(len(checks), requests_of(cost, parts))
    await parts.limiter.take(caller, None, max(cost, 1), requests=requests)
    ready = await asyncio.gather(*(_prepare(parts, caller, item) for item in checks))
    results = await _batch_replies(parts, caller, ready)
    return Response(b'{"results":[' + b",".join(results) + b"]}", media_type="application/json")


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


def _read_check(item: Any, names: frozenset[str]) -> CheckRequest | Problem:
    try:
        return CheckRequest.model_validate(item)
    except ValidationError as wrong:
        return invalid(mistakes_in(in_body(wrong), names, CheckRequest))


def _require_bounded(items: Sequence[CheckRequest | Problem]) -> None:
    checks = [item for item in items if isinstance(item, CheckRequest)]
    if sum(len(check.texts) for check in checks) > MOST_JUDGED:
        detail = f"must have at most {MOST_JUDGED} answers and claims in all"
        raise invalid([RequestMistake("#/checks", detail)])
    if sum(check.to_read for check in checks) > MOST_READ:
        detail = f"must have at most {MOST_READ} characters of sources, counted once for each claim"
        raise invalid([RequestMistake("#/checks", detail)])


async def _prepare(
    parts: ServiceParts, caller: Caller, request: CheckRequest | Problem
) -> ReadyCheck | Problem:
    try:
        return request if isinstance(request, Problem) else await prepare_check(parts, caller, request)
    except Problem as problem:
        return problem


async def _batch_replies(
    parts: ServiceParts, caller: Caller, ready: Sequence[ReadyCheck | Problem]
) -> list[bytes]:
    jobs = [job for check in ready if isinstance(check, ReadyCheck) for job in check.jobs]
    under_way = begin_jobs(parts, jobs, caller)
    futures = iter(under_way)
    replies = [
        _batch_reply(parts, caller, check, tuple(islice(futures, len(check.jobs))))
        if isinstance(check, ReadyCheck)
        else _batch_reply(parts, caller, check)
        for check in ready
    ]
    try:
        return await asyncio.gather(*replies)
    finally:
        for future in under_way:  # the caller may have left
            future.cancel()


async def _batch_reply(
    parts: ServiceParts,
    caller: Caller,
    ready: ReadyCheck | Problem,
    futures: "Sequence[asyncio.Future[Result]]" = (),
) -> bytes:
    try:
        if isinstance(ready, Problem):
            return _problem(ready)
        result = check_result(parts, ready, *await finish_checks(parts, futures))
        return b'{"result":' + await keep_and_reply(parts, caller, result) + b"}"
    except Problem as problem:
        return _problem(problem)


def _problem(problem: Problem) -> bytes:
    return b'{"problem":' + as_json(problem.to_data()) + b"}"
