"""The service is killed at random moments, and started again on the same spool."""

import random
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from tests.faults.kinds import BLACKHOLE, PASS, REFUSE, RESET, latency
from tests.faults.service.kept import Kept
from tests.faults.service.readers import Readers
from tests.faults.service.surroundings import surroundings
from tests.faults.service.unit import Unit
from tests.faults.service.waiting import until_spool_is_empty

FAULTS = (PASS, PASS, REFUSE, RESET, BLACKHOLE, latency(150))
"""What may happen to the database before a kill."""
LEFT = "entries of an earlier process wait in the spool"


@dataclass(frozen=True, slots=True)
class Killed:
    """What came of it."""

    kills: int
    while_away: int
    """Kills while the database did not answer."""
    left_in_spool: int
    """Kills after which acknowledged messages were nowhere but in the spool."""
    kept: Kept
    told: dict[str, int]
    worst_start: float
    """Seconds from the start of a process to its first answer."""
    worst_emptying: float
    """Seconds until the last process had emptied the spool."""


def killed_often(times: int, folder: Path, *, seed: int) -> Killed:
    """Kill a service under load so often; then let it empty its spool, and end in good order."""
    chance = random.Random(seed)
    away, starts = 0, [0.0]
    with surroundings() as around, Unit(folder, around.settings(folder)) as unit:
        with Readers(lambda: unit.url, around.key).asking() as readers:
            for _ in range(times):
                readers.wait_for(chance.randint(1, 30))
                fault = chance.choice(FAULTS)
                around.database.now(fault)
                sleep(chance.uniform(0.0, 1.5))
                away += fault in (REFUSE, RESET, BLACKHOLE)
                unit.kill()
                around.heal()
                began = monotonic()
                unit.start()
                readers.wait_for(1)
                starts.append(monotonic() - began)
            readers.wait_for(6)
            emptying = until_spool_is_empty(unit, 30)
        assert unit.end() == 0
        kept = Kept.of(readers.acknowledged, around.kept())
    left = (folder / "log.jsonl").read_text(encoding="utf-8").count(LEFT)
    return Killed(times, away, left, kept, dict(readers.told), max(starts), emptying)
