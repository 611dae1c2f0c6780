"""One job for the engine, and what is told when it cannot be done."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter

from sensecheck.core.unicode import Encoding
from sensecheck.server.engine.asking import EngineAway, Overloaded
from sensecheck.server.engine.jobs import Checked, CheckJob, Job, Result
from sensecheck.server.judging.choosing import Chosen
from sensecheck.server.parts import Parts
from sensecheck.server.problems import ENGINE_AWAY, INVALID, OVERLOADED, Problem
from sensecheck.server.watching.metrics import Metrics

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
