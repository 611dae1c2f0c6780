"""A check as the engine is asked it; whatever is wrong with it is told before the engine hears of it."""

from dataclasses import dataclass
from time import perf_counter

from sensecheck.server.caller import Caller
from sensecheck.server.engine.jobs import CheckJob
from sensecheck.server.judging.choosing import Chosen, chosen
from sensecheck.server.judging.include import View
from sensecheck.server.judging.judged import job_of
from sensecheck.server.parts import Parts
from sensecheck.server.shapes.check import CheckRequest


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
