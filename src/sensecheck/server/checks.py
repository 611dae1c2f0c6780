"""A check from request to engine, and what is shown of it.

Which policy decides: the one that a request names, or that of its key.

What of a result is shown: what was asked for, and what the caller may see.

One job for the engine, and what is told when it cannot be done.

A check as the engine is asked it; whatever is wrong with it is told before the engine hears of it.

An answer, or claims, held against sources: what is found of them.

What requests take of a day's budget: about as many tokens as are read and written for them.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, get_args

from sensecheck.checks.policies import POLICIES, may_read_pairs, named
from sensecheck.core.errors import SpecError
from sensecheck.core.unicode import Encoding
from sensecheck.server.caller import Caller
from sensecheck.server.engine.jobs import Checked, CheckJob, EngineAway, Job, Overloaded, Result
from sensecheck.server.engine.lane import EVIDENCE, tokens_of, tokens_of_pairs
from sensecheck.server.logging import log
from sensecheck.server.metrics import Metrics
from sensecheck.server.middleware.request import WORST_FIRST, request_id
from sensecheck.server.problems import (
    ENGINE_AWAY,
    INVALID,
    NOT_ALLOWED,
    OVERLOADED,
    POLICY_MISSING,
    Place,
    Problem,
    invalid,
)
from sensecheck.server.schemas.checks import CheckRequest, Include
from sensecheck.server.startup import Parts
from sensecheck.store.service.records import new_id


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


@dataclass(frozen=True, slots=True)
class View:
    """How one caller sees results."""

    include: frozenset[Include]
    numbers: bool
    """Whether reasons may tell what was read."""

    @classmethod
    def of(cls, caller: Caller, wanted: Sequence[Include] | None) -> "View":
        """What was asked for; asking for what the key may not see is a problem."""
        allowed = EVERYTHING if caller.sees_scores else EVERYTHING - NUMBERS
        if wanted is None:
            return cls(allowed, caller.sees_scores)
        hidden = sorted(set(wanted) - allowed)
        if hidden:
            told = ", ".join(f"`{name}`" for name in hidden)
            raise Problem(NOT_ALLOWED, f"a publishable key does not show {told}; leave it out of `include`")
        return cls(_with_claims(wanted), caller.sees_scores)

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
        read = {
            "support": checked.value,
            "similarity": checked.similarity,
            "keyword_overlap": checked.overlap,
        }
        return {"scores": read}

    def calibration(self, checked: Checked) -> dict[str, Any]:
        """The line and its certificate, where they are shown."""
        return {"calibration": checked.data["cutoff"]} if "calibration" in self.include else {}

    def claims(self, checked: Checked, names: Names = ()) -> dict[str, Any]:
        """Claim by claim, and what claims nothing, where that is shown."""
        if "claims" not in self.include:
            return {}
        return {
            "claims": [self.claim(claim, names) for claim in checked.data["claims"]],
            "non_claims": [
                {name: one[name] for name in ("text", "start", "end", "kind")}
                for one in checked.data["non_claims"]
            ],
        }

    def claim(self, claim: Mapping[str, Any], names: Names = (), own: str = "answer") -> dict[str, Any]:
        """One claim, its evidence, and what does not fit; `own` is what the caller calls the judged text."""
        support = claim["support"]
        told: dict[str, Any] = {
            "text": claim["text"],
            "start": claim["start"],
            "end": claim["end"],
            "support": support,
            "because": claim["because"] if self.numbers else PLAIN[support],
        }
        if "scores" in self.include:
            told["value"] = claim["value"]
        if "evidence" in self.include:
            told["evidence"] = [included(span, names) for span in claim["evidence"]]
        if "reasons" in self.include:
            told["reasons"] = [self._reason(reason, names, own) for reason in claim["reasons"]]
        return told

    def _reason(self, reason: Mapping[str, Any], names: Names, own: str) -> dict[str, Any]:
        told = {
            name: value for name, value in reason.items() if name != "closeness" or "scores" in self.include
        }
        if own != "answer" and "answer" in told:
            told["answer"] = {**told["answer"], "where": own}
        if "source" in told:
            told["source"] = included(told["source"], names)
        return told


def included(span: Mapping[str, Any], names: Names) -> Mapping[str, Any]:
    """A span of a source, with the name that the caller gave the source, if any."""
    if not any(names):
        return span
    name = names[int(span["where"][len("passages[") : -1])]
    return span if name is None else {**span, "id": name}


def _with_claims(wanted: Sequence[Include]) -> frozenset[Include]:
    """Evidence and reasons are shown with the claims that they are about."""
    claims: tuple[Include, ...] = ("claims",) if {"evidence", "reasons"} & set(wanted) else ()
    return frozenset((*wanted, *claims))


SOON = 1.0
"""Seconds after which an engine that fell over is usually there again."""


def job_of(
    answer: str,
    passages: tuple[str, ...],
    *,
    question: str | None,
    policy: Chosen,
    offsets: Encoding = "code_points",
    trusting: bool = True,
) -> CheckJob:
    """The job that holds an answer against passages under a policy."""
    return CheckJob(answer, passages, question, policy.base, policy.cutoff, offsets, trusting)


async def judged(parts: Parts, job: CheckJob, *, promised: bool = False) -> tuple[Checked, float]:
    """What is found of an answer, and in how many milliseconds; `promised` where the request was admitted."""
    began = perf_counter()
    with told_by(parts.metrics):
        found = await parts.engine.run(job, promised=promised)
    return _checked(found), (perf_counter() - began) * 1000


def begun(parts: Parts, jobs: Sequence[Job]) -> "Sequence[asyncio.Future[Result]]":
    """The jobs of a large request under way, all of them; or the problem, before any of them began."""
    with told_by(parts.metrics):
        return parts.engine.begin(jobs)


async def settled(
    parts: Parts, under_way: "Sequence[asyncio.Future[Result]]"
) -> tuple[tuple[Checked, ...], float]:
    """What is found of each, and in how many milliseconds; where one cannot be done, the others end too."""
    began = perf_counter()
    found = await finished(parts, under_way)
    return tuple(map(_checked, found)), (perf_counter() - began) * 1000


async def finished(parts: Parts, under_way: "Sequence[asyncio.Future[Result]]") -> list[Result]:
    """What each came to, whatever it was; where one cannot be done, the others end too."""
    try:
        with told_by(parts.metrics):
            return await asyncio.gather(*under_way)
    finally:
        for job in under_way:
            job.cancel()


def _checked(found: Result) -> Checked:
    if not isinstance(found, Checked):
        # what is wrong with the texts may quote them, so it is not repeated
        raise Problem(INVALID, "these texts cannot be judged under this policy")
    return found


def must_have_room(parts: Parts, job: CheckJob) -> None:
    """Turn a request away before anything is written for it, rather than after."""
    with told_by(parts.metrics):
        parts.engine.admit(job)


@contextmanager
def told_by(metrics: Metrics) -> Iterator[None]:
    """What an engine that is full, or away, is told as; who is turned away is counted."""
    try:
        yield
    except Overloaded as full:
        metrics.shed()
        says = "more is waiting than can be done in time"
        raise Problem(OVERLOADED, says, retry_after=full.retry_after) from full
    except EngineAway as away:
        raise Problem(ENGINE_AWAY, "no engine is ready; try again soon", retry_after=SOON) from away


@dataclass(frozen=True, slots=True)
class ReadyCheck:
    """A check that can be made."""

    asked: CheckRequest
    view: View
    policy: Chosen
    jobs: tuple[CheckJob, ...]
    """One for the answer, or one for each claim; they share their passages."""
    began: float
    """When it was asked for, as `perf_counter` counts."""


async def made_ready(parts: Parts, caller: Caller, asked: CheckRequest) -> ReadyCheck:
    """What the engine is to be asked; raises the problem where the caller may not, or names no policy."""
    began = perf_counter()
    view = View.of(caller, asked.include)
    policy = await chosen(parts, caller, asked.policy)
    passages = asked.passages
    jobs = [
        job_of(
            text,
            passages,
            question=asked.question,
            policy=policy,
            offsets=asked.offsets,
            trusting=asked.trusting,
        )
        for text in asked.texts
    ]
    return ReadyCheck(asked, view, policy, tuple(jobs), began)


@dataclass(frozen=True, slots=True)
class Found:
    """A check that was made."""

    id: str
    asked: CheckRequest
    view: View
    policy: Chosen
    whole: Checked
    """The verdict on the answer, or on the worst of the claims."""
    each: tuple[Checked, ...]
    """What was found of each claim that was given; of the answer alone where none were."""
    engine_ms: float
    total_ms: float


async def check(parts: Parts, caller: Caller, asked: CheckRequest) -> Found:
    """Judge what was asked; raises the problem where that cannot be done."""
    ready = await made_ready(parts, caller, asked)
    if len(ready.jobs) > 1:
        return found_of(parts, ready, *await settled(parts, begun(parts, ready.jobs)))
    checked, spent = await judged(parts, ready.jobs[0])
    return found_of(parts, ready, (checked,), spent)


def found_of(parts: Parts, ready: ReadyCheck, each: tuple[Checked, ...], spent: float) -> Found:
    """What the engine's findings come to."""
    asked, policy = ready.asked, ready.policy
    whole = each[0] if asked.claims is None else worst(each)
    parts.metrics.checked(whole.outcome, policy.mark, spent, whole.similarity, whole.overlap)
    total = (perf_counter() - ready.began) * 1000
    return Found(new_id(datetime.now(UTC)), asked, ready.view, policy, whole, each, spent, total)


def worst(each: Sequence[Checked]) -> Checked:
    """The verdict on claims together: that of the worst, and accepted only when all of them are."""
    found = min(each, key=lambda checked: WORST_FIRST.index(checked.outcome))
    supports = {checked.data["support"] for checked in each}
    mixed = found.outcome == "fail" and "supported" in supports
    support = "partially_supported" if mixed else found.data["support"]
    unread = sum(checked.data["unread_chars"] for checked in each)
    data = {**found.data, "support": support, "unread_chars": unread}
    return replace(found, accepted=all(checked.accepted for checked in each), data=data)


CHARS_A_TOKEN = 4
ANSWER = 200
"""Tokens of an answer that is not written yet, about."""
CLAIMS = 8
"""Of such an answer, about."""


def cost_of_reading(texts: Iterable[str]) -> int:
    """Tokens of these texts, and one at least."""
    return 1 + sum(map(len, texts)) // CHARS_A_TOKEN


def cost_of_checking(texts: Iterable[str], passages: Iterable[str], policy: str) -> int:
    """Tokens of the texts and the passages, and of the pairs of them that the policy has read."""
    held, sources = tuple(texts), tuple(passages)
    pairs = sum(tokens_of_pairs(text, sources) for text in held) if may_read_pairs(policy) else 0.0
    return cost_of_reading((*held, *sources)) + int(pairs)


def cost_of_asking(question: str, passage: str, policy: str) -> int:
    """Tokens that a writer reads and writes, and that are read again to check what it wrote."""
    pairs = ANSWER + CLAIMS * min(EVIDENCE, tokens_of(passage)) if may_read_pairs(policy) else 0.0
    return 2 * cost_of_reading((question, passage)) + 2 * ANSWER + int(pairs)
