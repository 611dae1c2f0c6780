"""A check from its request to the engine and back: its policy, its jobs, its cost, what is shown of it."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from math import ceil
from time import perf_counter
from typing import Any, get_args

from sensecheck.checks.policies import POLICIES, named
from sensecheck.core.errors import SpecError
from sensecheck.server.caller import Caller, counted_as
from sensecheck.server.engine.cost import JOB_TOKENS, cost_of, pairs_cost, search_cost, tokens_of
from sensecheck.server.engine.jobs import Checked, CheckJob, Client, EngineAway, Job, Overloaded, Result
from sensecheck.server.logging import log
from sensecheck.server.metrics import Metrics
from sensecheck.server.middleware.request import WORST_FIRST, request_id
from sensecheck.server.problems import (
    ENGINE_AWAY,
    INVALID,
    LIMITED,
    NOT_ALLOWED,
    OVERLOADED,
    POLICY_MISSING,
    TOO_COSTLY,
    Problem,
    RequestMistake,
    invalid,
)
from sensecheck.server.schemas.checks import CheckRequest, Include
from sensecheck.server.startup import ServiceParts
from sensecheck.store.service.records import new_id

EVERYTHING: frozenset[Include] = frozenset(get_args(Include))
NUMBERS: frozenset[Include] = frozenset(("calibration", "scores"))
"""What a stranger could search with for a text that just passes."""
PLAIN = {
    "supported": "the passages support it",
    "partially_supported": "the passages support a part of it, and not all",
    "unsupported": "the passages do not support it",
    "abstained": "it says that the passages do not say",
    "undetermined": "it cannot be told whether the passages support it",
}
"""Why, without any reading, for those who may not see numbers."""
Names = Sequence[str | None]
SOON = 1.0
"""Seconds after which an engine that fell over is usually there again."""
TYPICAL_ANSWER = "It says that this is so, as far as the text goes, and no further. " * 6
"""Stands for an answer that is not written yet, when its cost is estimated."""
WRITER_TOKENS = 600
"""What a writer reads and writes besides the passage and the question, about."""


@dataclass(frozen=True, slots=True)
class ChosenPolicy:
    """A policy as the engine takes it."""

    base: str
    """One of ours."""
    cutoff: tuple[tuple[str, Any], ...] | None
    """The threshold that was fitted for the project, if one was."""
    mark: str
    """The name and version that results carry."""


@dataclass(frozen=True, slots=True)
class View:
    """How one caller sees results."""

    include: frozenset[Include]
    numbers: bool
    """Whether reasons may show what was measured."""

    @classmethod
    def of(cls, caller: Caller, wanted: Sequence[Include] | None) -> "View":
        """What is included on request; to request what the key may not see is a problem."""
        allowed = EVERYTHING if caller.sees_scores else EVERYTHING - NUMBERS
        if wanted is None:
            return cls(allowed, caller.sees_scores)
        hidden = sorted(set(wanted) - allowed)
        if hidden:
            names = ", ".join(f"`{name}`" for name in hidden)
            raise Problem(NOT_ALLOWED, f"a publishable key does not show {names}; leave it out of `include`")
        # Evidence and reasons are shown with the claims that they are about.
        claims: tuple[Include, ...] = ("claims",) if {"evidence", "reasons"} & set(wanted) else ()
        return cls(frozenset((*wanted, *claims)), caller.sees_scores)

    def verdict(self, checked: Checked) -> dict[str, Any]:
        """The decision and why."""
        support = checked.data["support"]
        return {
            "outcome": checked.outcome,
            "support": support,
            "accepted": checked.accepted,
            "because": checked.because if self.numbers else PLAIN[support],
        }

    def scores(self, checked: Checked) -> dict[str, Any]:
        """The readings, where they are shown."""
        if "scores" not in self.include:
            return {}
        scores = {
            "support": checked.value,
            "similarity": checked.similarity,
            "keyword_overlap": checked.overlap,
        }
        return {"scores": scores}

    def calibration(self, checked: Checked) -> dict[str, Any]:
        """The threshold and its certificate, where they are shown."""
        return {"calibration": checked.data["cutoff"]} if "calibration" in self.include else {}

    def claims(self, checked: Checked, names: Names = ()) -> dict[str, Any]:
        """Claim by claim, and what claims nothing, where that is shown."""
        if "claims" not in self.include:
            return {}
        return {
            "claims": [self.claim(claim, names) for claim in checked.data["claims"]],
            "non_claims": [
                {name: non_claim[name] for name in ("text", "start", "end", "kind")}
                for non_claim in checked.data["non_claims"]
            ],
        }

    def claim(self, claim: Mapping[str, Any], names: Names = (), own: str = "answer") -> dict[str, Any]:
        """One claim, its evidence, and what does not fit; `own` is what the caller calls the judged text."""
        support = claim["support"]
        reply: dict[str, Any] = {
            "text": claim["text"],
            "start": claim["start"],
            "end": claim["end"],
            "support": support,
            "because": claim["because"] if self.numbers else PLAIN[support],
        }
        if "scores" in self.include:
            reply["value"] = claim["value"]
        if "evidence" in self.include:
            reply["evidence"] = [included(span, names) for span in claim["evidence"]]
        if "reasons" in self.include:
            reply["reasons"] = [self._reason(reason, names, own) for reason in claim["reasons"]]
        return reply

    def _reason(self, reason: Mapping[str, Any], names: Names, text_name: str) -> dict[str, Any]:
        reply = {
            name: value for name, value in reason.items() if name != "closeness" or "scores" in self.include
        }
        if text_name != "answer" and "answer" in reply:
            reply["answer"] = {**reply["answer"], "where": text_name}
        if "source" in reply:
            reply["source"] = included(reply["source"], names)
        return reply


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check that was made."""

    id: str
    request: CheckRequest
    view: View
    policy: ChosenPolicy
    whole: Checked
    """The verdict on the answer, or on the worst of the claims."""
    each: tuple[Checked, ...]
    """What was found of each claim that was given; of the answer alone where none were."""
    engine_ms: float
    total_ms: float


async def check(parts: ServiceParts, caller: Caller, request: CheckRequest) -> CheckResult:
    """Judge what a request holds; raises the problem where that cannot be done."""
    ready = await prepare_check(parts, caller, request)
    under_way = begin_jobs(parts, ready.jobs, caller)
    return check_result(parts, ready, *await finish_checks(parts, under_way))


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    """A check that can be made."""

    request: CheckRequest
    view: View
    policy: ChosenPolicy
    jobs: tuple[CheckJob, ...]
    """One for the answer, or one for each claim; they share their passages."""
    began: float
    """When the request began, as `perf_counter` counts."""


async def prepare_check(parts: ServiceParts, caller: Caller, request: CheckRequest) -> ReadyCheck:
    """The jobs of a request; raises the problem where the caller may not, or names no policy."""
    began = perf_counter()
    view = View.of(caller, request.include)
    policy = await choose_policy(parts, caller, request.policy)
    job_of = partial(
        CheckJob,
        passages=request.passages,
        question=request.question,
        policy=policy.base,
        cutoff=policy.cutoff,
        offsets=request.offsets,
        trusting=request.trusting,
        max_claims=parts.settings.max_claims,
    )
    jobs = tuple(map(job_of, request.texts))
    require_affordable(parts, jobs)
    return ReadyCheck(request, view, policy, jobs, began)


def check_result(
    parts: ServiceParts, ready: ReadyCheck, each: tuple[Checked, ...], spent: float
) -> CheckResult:
    """What the engine's findings come to."""
    request, policy = ready.request, ready.policy
    whole = each[0] if request.claims is None else worst(each)
    parts.metrics.checked(whole.outcome, policy.mark, spent, whole.similarity, whole.overlap)
    total = (perf_counter() - ready.began) * 1000
    return CheckResult(new_id(datetime.now(UTC)), request, ready.view, policy, whole, each, spent, total)


def worst(each: Sequence[Checked]) -> Checked:
    """The verdict on claims together: that of the worst, and accepted only when all of them are."""
    worst_result = min(each, key=lambda checked: WORST_FIRST.index(checked.outcome))
    supports = {checked.data["support"] for checked in each}
    mixed = worst_result.outcome == "fail" and "supported" in supports
    support = "partially_supported" if mixed else worst_result.data["support"]
    unread = sum(checked.data["unread_chars"] for checked in each)
    data = {**worst_result.data, "support": support, "unread_chars": unread}
    accepted, unread = all(one.accepted for one in each), sum(one.unread_claims for one in each)
    return replace(worst_result, accepted=accepted, data=data, unread_claims=unread)


async def choose_policy(parts: ServiceParts, caller: Caller, wanted: str | None) -> ChosenPolicy:
    """The policy of this name, ours or the project's; the database is used only for the latter.

    A page is judged by the policy of its key: whoever reads the page could choose the weakest.
    """
    if wanted is None:
        return await _policy_of_key(parts, caller)
    if caller.key.kind == "publishable" and wanted != caller.key.policy:
        raise Problem(NOT_ALLOWED, "a publishable key is judged by its own policy; leave `policy` out")
    if (policy := await _find_policy(parts, caller, wanted)) is None:
        raise unknown_policy()
    return policy


def unknown_policy() -> Problem:
    """The problem of a name that is neither ours nor the project's, or of a version that is not there."""
    says = "no such policy, or no such version of it; `GET /v1/policies` lists them"
    return invalid([RequestMistake("#/policy", says)])


def client_of(caller: Caller, jobs: int = 1) -> Client:
    """Whose turn a request is: those of a page are told apart by address, and large requests wait apart."""
    if jobs > 1:
        return Client(str(caller.key.id), "large")
    return Client(str(caller.key.id), counted_as(caller.address) if caller.key.kind == "publishable" else "")


@contextmanager
def admitted(parts: ServiceParts, jobs: Sequence[Job], caller: Caller) -> Iterator[None]:
    """Room in the engine for what a request will need, taken at once; or the problem."""
    require_affordable(parts, jobs)
    with engine_problems(parts.metrics):
        room = parts.engine.admit(jobs, client_of(caller))
        room.__enter__()
    try:
        yield
    finally:
        room.__exit__(None, None, None)


def require_affordable(parts: ServiceParts, jobs: Sequence[Job]) -> None:
    """Refuse a job that costs more than any may, before anything is done for it."""
    most = parts.settings.max_tokens
    cost = max(map(cost_of, jobs), default=0.0)
    if most and cost > most:
        says = (
            f"one check may cost {most} tokens, and this costs about {cost:.0f}; "
            "send fewer claims, or a shorter text"
        )
        raise Problem(TOO_COSTLY, says, more={"cost": round(cost), "max_cost": most})


async def run_check(parts: ServiceParts, job: CheckJob) -> tuple[Checked, float]:
    """What is found of an answer whose request was admitted, and in how many milliseconds."""
    began = perf_counter()
    with engine_problems(parts.metrics):
        result = await parts.engine.run(job)
    return _require_checked(result), (perf_counter() - began) * 1000


def begin_jobs(
    parts: ServiceParts, jobs: Sequence[Job], caller: Caller
) -> "Sequence[asyncio.Future[Result]]":
    """The jobs of a request under way, all of them; or the problem, before any of them began."""
    with engine_problems(parts.metrics):
        return parts.engine.begin(jobs, client_of(caller, len(jobs)))


async def finish_checks(
    parts: ServiceParts, under_way: "Sequence[asyncio.Future[Result]]"
) -> tuple[tuple[Checked, ...], float]:
    """What is found of each, and in how many milliseconds; where one cannot be done, the others end too."""
    began = perf_counter()
    results = await finish_jobs(parts, under_way)
    return tuple(map(_require_checked, results)), (perf_counter() - began) * 1000


def included(span: Mapping[str, Any], names: Names) -> Mapping[str, Any]:
    """A span of a source, with the name that the caller gave the source, if any."""
    if not any(names):
        return span
    name = names[int(span["where"][len("passages[") : -1])]
    return span if name is None else {**span, "id": name}


async def finish_jobs(parts: ServiceParts, under_way: "Sequence[asyncio.Future[Result]]") -> list[Result]:
    """What each came to, whatever it was; where one cannot be done, the others end too."""
    try:
        with engine_problems(parts.metrics):
            return await asyncio.gather(*under_way)
    finally:
        for job in under_way:
            job.cancel()


@contextmanager
def engine_problems(metrics: Metrics) -> Iterator[None]:
    """Reports an engine that is full or away as a problem; requests that are turned away are counted."""
    try:
        yield
    except Overloaded as full:
        metrics.shed()
        if full.own:
            says = "more requests of this key are waiting than its share of the engine can do in time"
            raise Problem(LIMITED, says, retry_after=full.retry_after, more={"limit": "engine"}) from full
        says = "more is waiting than can be done in time"
        raise Problem(OVERLOADED, says, retry_after=full.retry_after) from full
    except EngineAway as away:
        raise Problem(ENGINE_AWAY, "no engine is ready; try again soon", retry_after=SOON) from away


def cost_of_reading(texts: Iterable[str]) -> int:
    """What it costs to look through texts, in tokens, and one at least."""
    return 1 + int(search_cost(texts))


def cost_of_checking(texts: Iterable[str], passages: Iterable[str], policy: str, max_claims: int = 0) -> int:
    """What it costs to check texts against passages, in tokens."""
    sources = tuple(passages)
    return 1 + int(
        sum(cost_of(CheckJob(text, sources, policy=policy, max_claims=max_claims)) for text in texts)
    )


def cost_of_asking(question: str, passage: str, policy: str) -> int:
    """What a writer reads and writes, and what it costs to check what it wrote, in tokens."""
    writer_tokens = tokens_of(question) + tokens_of(passage) + WRITER_TOKENS
    pairs = pairs_cost(3, TYPICAL_ANSWER, (passage,), policy)
    return 1 + int(JOB_TOKENS + search_cost((question, passage)) + writer_tokens + pairs)


def requests_of(cost: int, parts: ServiceParts) -> int:
    """How many requests a request counts as: one for each so many tokens that it costs."""
    return max(1, ceil(cost / parts.settings.request_tokens))


async def _policy_of_key(parts: ServiceParts, caller: Caller) -> ChosenPolicy:
    """The policy of the key; a missing one is not the caller's mistake."""
    if (policy := await _find_policy(parts, caller, caller.key.policy)) is None:
        log().error("policy_missing", key=caller.key.id, policy=caller.key.policy, **request_id())
        says = "the key is judged by a policy that its project does not have; tell the owner of the key"
        raise Problem(POLICY_MISSING, says)
    return policy


async def _find_policy(parts: ServiceParts, caller: Caller, name: str) -> ChosenPolicy | None:
    if name.partition("@")[0] in POLICIES:
        try:
            policy = named(name)
        except SpecError:
            return None
        return ChosenPolicy(policy.name, None, policy.mark)
    fitted = await parts.policies.find((caller.key.project, name))
    return None if fitted is None else ChosenPolicy(*fitted)


def _require_checked(result: Result) -> Checked:
    if not isinstance(result, Checked):
        # what is wrong with the texts may quote them, so it is not repeated
        raise Problem(INVALID, "these texts cannot be judged under this policy")
    return result
