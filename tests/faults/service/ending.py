"""The service is asked to end, or loses an engine, while it is asked."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from tests.faults.service.kept import Kept
from tests.faults.service.readers import Readers
from tests.faults.service.surroundings import Surroundings
from tests.faults.service.unit import Unit, assert_gone
from tests.faults.service.waiting import seconds_until

ARRIVED = 0.25
"""Seconds after which a question has been taken, wherever its reader's thread was at that moment."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a SIGTERM."""

    code: int
    seconds: float
    unanswered: int
    """Questions that were taken before, and whose connection broke."""
    kept: Kept
    told: dict[str, int]


def ended_under_load(around: Surroundings, folder: Path, *, after: int = 30) -> Ended:
    """SIGTERM after so many answers."""
    with Unit(folder, around.settings(folder), engines=2) as unit:
        with Readers(lambda: unit.url, around.key, readers=12).asking() as readers:
            readers.wait_for(after)
            engines, began = unit.engines(), monotonic()
            code = unit.end()
            seconds = monotonic() - began
            assert_gone(engines)
        unanswered = sum(sent < began - ARRIVED for sent, _ in readers.broken)
        kept = Kept.of(readers.acknowledged, around.kept())
    return Ended(code, seconds, unanswered, kept, dict(readers.told))


@dataclass(frozen=True, slots=True)
class Fallen:
    """What came of engines that were killed."""

    kills: int
    worst_recovery: float
    """Seconds until as many engines as wanted were ready again, and readers were answered."""
    slowest: float
    """Seconds until the slowest answer, or refusal."""
    broken: int
    """Connections that broke: none should."""
    kept: Kept
    told: dict[str, int]


def engines_killed(around: Surroundings, folder: Path, *, times: int, engines: int) -> Fallen:
    """SIGKILL for one engine after the other, under load."""
    recoveries = []
    with Unit(folder, around.settings(folder), engines=engines) as unit:
        seconds_until(lambda: unit.metric("sensecheck_engines_alive") == engines, 30, "all engines ready")
        with Readers(lambda: unit.url, around.key).asking() as readers:
            for _ in range(times):
                readers.wait_for(20)
                before = unit.engines()
                os.kill(before[0], signal.SIGKILL)
                assert_gone(before[:1])
                began = monotonic()
                sleep(0.1)
                seconds_until(lambda: _is_whole(unit, engines), 10, "as many engines as wanted")
                readers.wait_for(6, 10)
                recoveries.append(monotonic() - began)
        assert unit.end() == 0
        kept = Kept.of(readers.acknowledged, around.kept())
    return Fallen(times, max(recoveries), readers.slowest, len(readers.broken), kept, dict(readers.told))


def _is_whole(unit: Unit, engines: int) -> bool:
    return unit.metric("sensecheck_engines_alive") == engines == len(unit.engines())
