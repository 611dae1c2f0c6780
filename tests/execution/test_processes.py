import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sensecheck.core.errors import NoWorkers, SpecError, WeightsError
from sensecheck.execution.executor import Task, TaskDone, TaskFailed
from sensecheck.execution.processes import Processes
from tests.execution import contract, working
from tests.execution.working import make
from tests.process_table import PATIENCE, is_gone, until, workers_of


def test_every_task_comes_to_its_own_end() -> None:
    contract.every_task_comes_to_its_own_end(Processes(2))


def test_only_a_few_tasks_wait() -> None:
    contract.only_a_few_tasks_wait(Processes(2))


def test_others_do_the_work_and_are_gone_afterwards() -> None:
    with Processes(2).pool(make) as pool:
        pids = {
            told.result
            for told in contract.ends(pool, [("who", None)] * 20).values()
            if isinstance(told, TaskDone)
        }

    assert os.getpid() not in pids
    assert 1 <= len(pids) <= 2
    assert all(is_gone(pid) for pid in pids)


@pytest.mark.parametrize(
    ("body", "because"),
    [
        (("exit", 3), "its process ended with exit code 3"),
        (("kill", None), "its process was ended by SIGKILL, as it happens when the memory is full"),
    ],
)
def test_a_process_that_dies_costs_its_own_task_and_no_other(
    body: tuple[str, int | None], because: str
) -> None:
    with Processes(2).pool(make) as pool:
        told = contract.ends(pool, [("say", 1), body, ("say", 2), ("say", 3), ("say", 4)])
        assert pool.size == 2

    assert told.pop("1") == TaskFailed("1", because, "died")
    assert all(isinstance(one, TaskDone) for one in told.values())


def test_a_process_that_is_killed_while_it_waits_costs_nothing() -> None:
    with Processes(1).pool(make) as pool:
        first = contract.ends(pool, [("who", None)])["0"]
        assert isinstance(first, TaskDone)
        os.kill(first.result, signal.SIGKILL)
        until(lambda: is_gone(first.result))

        told = contract.ends(pool, [("say", 1), ("say", 2)])

    assert isinstance(told["1"], TaskDone)  # the first may have been sent to the one that was dead already


def test_a_worker_that_cannot_be_had_is_told_at_the_start() -> None:
    with pytest.raises(WeightsError, match="`small`"), Processes(2).pool(working.make_without_weights):
        pass
    with (
        pytest.raises(NoWorkers, match="ZeroDivisionError in working"),
        Processes(1).pool(working.make_with_a_bug),
    ):
        pass


def test_workers_that_die_before_they_are_ready_are_not_started_for_ever() -> None:
    with (
        pytest.raises(
            NoWorkers, match="died 3 times before it was ready: its process ended with exit code 9"
        ),
        Processes(1).pool(working.make_and_die),
    ):
        pass


def test_tasks_under_way_are_given_up_when_the_pool_is_left() -> None:
    with Processes(1).pool(make) as pool:
        worker = contract.ends(pool, [("who", None)])["0"]
        pool.take(Task("long", ("sleep", 600)))

    assert isinstance(worker, TaskDone)
    assert is_gone(worker.result)


def test_a_pool_of_nobody_is_refused() -> None:
    with pytest.raises(SpecError, match="at least 1; got 0"):
        Processes(0)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_driver(sent: signal.Signals, tmp_path: Path) -> None:
    began = tmp_path / "began"
    script = "\n".join(
        (
            "from pathlib import Path",
            "from sensecheck.execution.executor import Task",
            "from sensecheck.execution.processes import Processes",
            "from tests.execution.working import make",
            "if __name__ == '__main__':",
            "    with Processes(2).pool(make) as pool:",
            "        pool.take(Task('a', ('sleep', 600)))",
            "        pool.take(Task('b', ('sleep', 600)))",
            f"        Path({str(began)!r}).touch()",
            "        pool.next()",
        )
    )
    (tmp_path / "drive.py").write_text(script)
    driver = subprocess.Popen(
        [sys.executable, tmp_path / "drive.py"],
        env={**os.environ, "PYTHONPATH": "."},
        stderr=subprocess.DEVNULL,
    )
    until(began.exists)
    workers = workers_of(driver.pid)

    driver.send_signal(sent)
    driver.wait(PATIENCE)

    assert len(workers) == 2
    until(lambda: all(is_gone(one) for one in workers))
