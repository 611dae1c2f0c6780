"""Policies: ours, and those that were fitted on the labels of a project."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request

from sensecheck.calibration.target import Target
from sensecheck.checks.policies import POLICIES
from sensecheck.server.caller import Caller
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute
from sensecheck.server.http.documented import documented
from sensecheck.server.http.path_parts import POLICY
from sensecheck.server.parts import Parts
from sensecheck.server.problems import (
    NOT_CERTIFIABLE,
    NOT_FOUND,
    NOT_HERE,
    OVERLOADED,
    Place,
    Problem,
    invalid,
)
from sensecheck.server.reviewing.calibrating import Wanted
from sensecheck.server.reviewing.new_policy import new_policy
from sensecheck.server.reviewing.policy_replies import ours, theirs
from sensecheck.server.shapes.policies import CalibrateRequest, PolicyId, PolicyList, PolicyReply
from sensecheck.store.moments import now
from sensecheck.store.service.days import Days
from sensecheck.store.service.policies import each_policy, newest_policy
from sensecheck.store.service.records import FittedPolicy
from sensecheck.store.service.service_store import ServiceStore

router = APIRouter(route_class=ServiceRoute, tags=["policies"])
Managing = Annotated[Caller, Depends(Admits("policies"))]
Named = Annotated[PolicyId, Path(description="The name of a policy, without a version.")]


@router.get("/v1/policies", responses=documented(counted=True), operation_id="list_policies")
async def list_policies(request: Request, caller: Managing) -> PolicyList:
    """The policies that requests of this project may name."""
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)

    def find(store: ServiceStore) -> list[FittedPolicy]:
        with store.reading() as connection:
            return list(each_policy(connection, caller.key.project))

    fitted = await parts.desk.ask(find)
    return PolicyList(policies=[*map(ours, POLICIES.values()), *map(theirs, fitted)])


@router.get(
    f"/v1/policies/{{policy_id:{POLICY}}}",
    responses=documented(NOT_FOUND, counted=True),
    operation_id="show_policy",
)
async def show_policy(request: Request, policy_id: Named, caller: Managing) -> PolicyReply:
    """One policy in its newest version, with the card of its fit."""
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)
    if policy_id in POLICIES:
        return ours(POLICIES[policy_id])

    def find(store: ServiceStore) -> FittedPolicy | None:
        with store.reading() as connection:
            return newest_policy(connection, caller.key.project, policy_id)

    found = await parts.desk.ask(find)
    if found is None:
        raise Problem(NOT_FOUND, "the project has no such policy")
    return theirs(found, with_card=True)


@router.post(
    "/v1/policies/{policy_id}:calibrate",
    status_code=201,
    responses=documented(NOT_CERTIFIABLE, NOT_HERE, OVERLOADED, body=True, counted=True),
    operation_id="calibrate_policy",
)
async def calibrate_policy(
    request: Request, policy_id: Named, asked: CalibrateRequest, caller: Managing
) -> PolicyReply:
    """Fit a line on the labels of the project, as the next version of this policy.

    Labels that were drawn at random count, of messages that were judged with the encoder in use. Where there
    are too few for the promise, the problem says how many more it takes.
    """
    parts: Parts = request.app.state.parts
    await parts.limiter.take(caller, None, 0)
    if policy_id in POLICIES:
        raise invalid([Place("path: policy_id", "is the name of a policy of ours; choose another")])
    days = Days.until(now().date(), asked.days)
    wanted = Wanted(caller.key.project, policy_id, asked.base, _targets(asked), days)
    return theirs(await new_policy(parts.desk, parts.fitting, wanted), with_card=True)


def _targets(asked: CalibrateRequest) -> tuple[Target, ...]:
    promise = asked.promise
    targets = [Target("false_accepts", promise.false_positive, promise.confidence)]
    if promise.false_negative is not None:
        targets.append(Target("false_rejects", promise.false_negative, promise.confidence))
    return tuple(targets)
