"""An answer, or claims, held against sources: what is found of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import perf_counter

from sensecheck.server.caller import Caller
from sensecheck.server.engine.jobs import Checked
from sensecheck.server.judging.choosing import Chosen
from sensecheck.server.judging.include import View
from sensecheck.server.judging.judged import begun, judged, settled
from sensecheck.server.judging.ready import ReadyCheck, made_ready
from sensecheck.server.parts import Parts
from sensecheck.server.shapes.check import CheckRequest
from sensecheck.server.watching.visit import WORST_FIRST
from sensecheck.store.service.ids import new_id


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
