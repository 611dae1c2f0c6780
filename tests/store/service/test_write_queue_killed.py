"""A process that is killed at any moment has lost nothing of what it acknowledged, and doubled nothing.

More often than in CI: `python -m tests.store.service.test_write_queue_killed 100`.
"""

import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import pytest
from sqlalchemy.engine import make_url

from sensecheck.store.service.store import ServiceStore
from tests.databases import postgresql_database, postgresql_place
from tests.faults.kinds import BLACKHOLE, PASS, REFUSE, RESET, latency
from tests.faults.proxy import FaultProxy, fault_proxy
from tests.ready_tables import make_tables
from tests.store.service.keeping import a_keeper, as_written, empty_within

pytestmark = [pytest.mark.database, pytest.mark.fault]


TIMES = 6
A_PROCESS = 1_000_000
"""Numbers that each process may use."""


@pytest.mark.timeout(900)
def test_a_process_that_is_killed_has_lost_and_doubled_nothing(tmp_path: Path) -> None:
    killed_often(TIMES, tmp_path)


def killed_often(times: int, folder: Path, seed: int = 8) -> None:
    """Kill a process that keeps entries, so often, while the database comes and goes."""
    chance = random.Random(seed)
    acknowledged: list[str] = []
    with postgresql_database() as address, fault_proxy(postgresql_place()) as proxy:
        make_tables(address)
        through = make_url(address).set(port=proxy.port).render_as_string()
        for time in range(times):
            acknowledged += killed_once(through, folder, proxy, time * A_PROCESS, chance)
        store = ServiceStore.open(address)
        with a_keeper(store, folder) as keeper:
            empty_within(keeper, 30)
            assert keeper.set_aside == 0
        store.close()
        found = as_written(address)

    assert len(acknowledged) > 20 * times
    assert len(set(found)) == len(found)
    assert set(acknowledged) <= set(found)
    assert [int(said) for said in found] == sorted(int(said) for said in found)


def killed_once(
    address: str, folder: Path, proxy: FaultProxy, first: int, chance: random.Random
) -> list[str]:
    """What one process acknowledged before it was killed."""
    proxy.now(PASS)  # a process that starts wants to see its tables
    command = [sys.executable, "-m", "tests.store.service.kept_process", address, str(folder), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline()]
        sleep(chance.uniform(0, 0.3))
        proxy.now(chance.choice([PASS, REFUSE, RESET, BLACKHOLE, latency(100)]))
        sleep(chance.uniform(0, 0.7))
        proxy.now(chance.choice([PASS, PASS, REFUSE]))
        sleep(chance.uniform(0, 0.3))
        process.kill()
        said += process.stdout.readlines()
    return [line.strip() for line in said if line.endswith("\n")]


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        killed_often(int(sys.argv[1]), Path(made), seed=random.randrange(1_000_000))
