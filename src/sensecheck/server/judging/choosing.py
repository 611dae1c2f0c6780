"""Which policy decides: the one that a request names, or that of its key."""

from dataclasses import dataclass
from typing import Any

from sensecheck.checks.policies import POLICIES, named
from sensecheck.core.errors import SpecError
from sensecheck.server.caller import Caller
from sensecheck.server.logs import log
from sensecheck.server.parts import Parts
from sensecheck.server.problems import NOT_ALLOWED, POLICY_MISSING, Place, Problem, invalid
from sensecheck.server.watching.visit import request_id


@dataclass(frozen=True, slots=True)
class Chosen:
    """A policy as the engine takes it."""

    base: str
    """One of ours."""
    cutoff: tuple[tuple[str, Any], ...] | None
    """The line that was fitted for the project, if one was."""
    mark: str
    """The name and version that results carry."""


async def chosen(parts: Parts, caller: Caller, wanted: str | None) -> Chosen:
    """The policy of this name, ours or the project's; the database is asked only for the latter.

    A page is judged by the policy of its key: whoever reads the page could choose the weakest.
    """
    if wanted is None:
        return await _of_key(parts, caller)
    if caller.key.kind == "publishable" and wanted != caller.key.policy:
        raise Problem(NOT_ALLOWED, "a publishable key is judged by its own policy; leave `policy` out")
    if (found := await _found(parts, caller, wanted)) is None:
        raise unknown_policy()
    return found


def unknown_policy() -> Problem:
    """Told of every name that is neither ours nor the project's, and of versions that are not there."""
    told = "no such policy, or no such version of it; `GET /v1/policies` lists them"
    return invalid([Place("#/policy", told)])


async def _of_key(parts: Parts, caller: Caller) -> Chosen:
    """The policy of the key; that it is gone is no mistake of whoever asks."""
    if (found := await _found(parts, caller, caller.key.policy)) is None:
        log().error("policy_missing", key=caller.key.id, policy=caller.key.policy, **request_id())
        says = "the key is judged by a policy that its project does not have; tell whoever made the key"
        raise Problem(POLICY_MISSING, says)
    return found


async def _found(parts: Parts, caller: Caller, name: str) -> Chosen | None:
    if name.partition("@")[0] in POLICIES:
        return _ours(name)
    found = await parts.policies.find(parts.desk, caller.key.project, name)
    return None if found is None else Chosen(*found)


def _ours(name: str) -> Chosen | None:
    try:
        policy = named(name)
    except SpecError:
        return None
    return Chosen(policy.name, None, policy.mark)
