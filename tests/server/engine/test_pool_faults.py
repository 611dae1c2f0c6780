"""Engines that fall: by a signal, by a poisonous job, by hanging; and a service that falls itself."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sensecheck.server.engine.jobs import EngineAway, Overloaded
from sensecheck.server.engine.pool import EnginePool
from tests.server.engine.pools import all_of, checked, fragile, opened, plain

pytestmark = pytest.mark.fault


ROOT = Path(__file__).parents[3]


def pid_of(pool: EnginePool) -> int:
    process = pool.workers[0].process
    assert process is not None
    return process.pid


def is_there(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_an_engine_that_is_killed_under_load_costs_nobody_an_answer() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            asked = asyncio.create_task(all_of(pool, [plain(f"slow {n}") for n in range(24)]))
            await asyncio.sleep(0.3)
            first = pid_of(pool)
            os.kill(first, signal.SIGKILL)
            for one in await asked:
                checked(one)
            assert pid_of(pool) != first
            assert pool.load().alive == 1

    asyncio.run(run())


def test_an_engine_that_is_killed_again_and_again_leaves_nobody_hanging() -> None:
    async def run() -> None:
        async with opened(fragile(workers=2)) as pool:
            asked = asyncio.create_task(all_of(pool, [plain(f"slow {n}") for n in range(40)]))
            for _ in range(5):
                await asyncio.sleep(0.4)
                for worker in pool.workers:
                    worker.kill()
            found = await asked
            assert all(isinstance(one, EngineAway) or checked(one) for one in found)
            while pool.load().alive < 2:
                await asyncio.sleep(0.05)
            checked(await pool.run(plain("all is well again")))

    asyncio.run(run())


def test_a_poisonous_job_fails_alone() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            jobs = [plain(f"answer {n}") for n in range(12)]
            *found, poisoned = await all_of(pool, [*jobs, plain("poison")])
            assert isinstance(poisoned, EngineAway)
            for one in found:
                checked(one)

    asyncio.run(run())


def test_a_job_that_breaks_in_an_unforeseen_way_fails_alone_and_the_engine_goes_on() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            before = pid_of(pool)
            *found, broken = await all_of(pool, [*(plain(f"answer {n}") for n in range(12)), plain("break")])
            assert isinstance(broken, EngineAway)
            for one in found:
                checked(one)
            assert pid_of(pool) == before

    asyncio.run(run())


def test_an_engine_that_hangs_is_ended_and_the_others_are_answered() -> None:
    async def run() -> None:
        async with opened(fragile(patience=2.0)) as pool:
            *found, hanging = await all_of(pool, [*(plain(f"answer {n}") for n in range(6)), plain("hang")])
            assert isinstance(hanging, EngineAway)
            for one in found:
                checked(one)

    asyncio.run(run())


def test_whatever_a_library_prints_does_not_get_between_the_frames() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            for one in await all_of(pool, [plain(f"print {n}") for n in range(8)]):
                checked(one)

    asyncio.run(run())


def test_an_engine_does_not_end_by_the_signals_that_the_service_gets_too() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            before = pid_of(pool)
            for asked in (signal.SIGINT, signal.SIGTERM):
                os.kill(before, asked)
            checked(await pool.run(plain("slow")))
            assert pid_of(pool) == before

    asyncio.run(run())


CONFUSED = """
import sys, time
from multiprocessing.connection import Connection
from sensecheck.server.engine.jobs import WorkerReady

pipe = Connection(int(sys.argv[1]))
pipe.send(WorkerReady("mark", 1000.0))
pipe.recv()
pipe.send({said})
time.sleep(600)
"""


@pytest.mark.parametrize("said", ["(7000, ())", "'what?'", "(1, (2, 3), 4)"])
def test_an_engine_that_answers_what_nobody_asked_is_ended_and_nobody_waits_for_it(said: str) -> None:
    async def run() -> None:
        command = (sys.executable, "-c", CONFUSED.replace("{said}", said))
        async with opened(EnginePool(command=command)) as pool:
            pid = pid_of(pool)
            [away] = await all_of(pool, [plain("hello")])
            assert isinstance(away, EngineAway)
            async with asyncio.timeout(30):
                while is_there(pid):
                    await asyncio.sleep(0.02)

    asyncio.run(run())


SERVICE = """
import asyncio
from tests.server.engine.pools import fragile, plain

async def main():
    pool = fragile()
    await pool.start()
    print(pool.workers[0].process.pid, flush=True)
    await pool.run(plain("{word}"))
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_when_the_service_is_killed_its_engines_are_gone_too_even_amid_a_job() -> None:
    for word in ("hello", "hang"):
        service = subprocess.Popen(
            [sys.executable, "-c", SERVICE.replace("{word}", word)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        with service:
            assert service.stdout is not None
            pid = int(next(line for line in service.stdout if line.strip().isdigit()))
            time.sleep(0.2)
            assert is_there(pid)
            service.kill()
            until = time.monotonic() + 2
            while is_there(pid) and time.monotonic() < until:
                time.sleep(0.02)
            assert not is_there(pid)


def test_nobody_queues_behind_a_job_that_is_long_overdue() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.3)) as pool:
            hanging = asyncio.create_task(all_of(pool, [plain("hang")]))
            await asyncio.sleep(1.0)
            [turned] = await all_of(pool, [plain("one more")])
            assert isinstance(turned, Overloaded)
            worker, killed = pool.workers[0], set[int]()
            while not hanging.done():  # the job is given again, and alone, before it is given up
                await asyncio.sleep(0.3)
                if worker.process is not None and worker.running:
                    killed.add(worker.process.pid)
                    worker.kill()
            [gone] = await hanging
            assert isinstance(gone, EngineAway)
            assert len(killed) > 1

    asyncio.run(run())
