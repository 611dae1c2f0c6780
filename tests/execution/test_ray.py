"""Actors on a real Ray cluster, which is that of another process and ends with it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import NoWorkers, SpecError, WeightsError
from sensecheck.execution.executor import Task, TaskDone, TaskFailed
from sensecheck.execution.object_store import location_of
from sensecheck.execution.ray import cluster, room_on
from sensecheck.execution.ray_executor import RayExecutor
from tests.execution import contract, working
from tests.execution.runs import as_bytes, driven, manifest_of, pairs, planned, results_in, written
from tests.execution.working import make
from tests.process_table import PATIENCE, is_gone, surroundings_of, until, workers_of

# On a loaded machine a cluster takes minutes to start.
pytestmark = [pytest.mark.cluster, pytest.mark.timeout(900)]


ROOT = Path(__file__).parents[2]
REPORTS = "RAY_USAGE_STATS_ENABLED"
FROM_HERE = {name: value for name, value in os.environ.items() if name != REPORTS} | {"PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster with room for two workers; none of its processes outlives the one that is killed."""
    script = Path(__file__).with_name("ray_host.py")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, script], env=FROM_HERE, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as host:
        assert host.stdout is not None
        address = host.stdout.readline().strip()
        assert address
        yield address
        children = workers_of(host.pid)
        assert all(f"{REPORTS}=0" in surroundings_of(one) for one in children if not is_gone(one))
        theirs = [*children, *(one for child in children for one in workers_of(child))]
        host.kill()
    assert len(theirs) > 2
    until(lambda: all(map(is_gone, theirs)), seconds=240)  # two that Ray keeps beside it take a minute


@pytest.fixture(scope="module", autouse=True)
def joined(address: str) -> Iterator[None]:
    """This process has joined it, which takes seconds, and pools find it joined."""
    with cluster(address, 2):
        yield


def test_every_task_comes_to_its_own_end() -> None:
    contract.every_task_comes_to_its_own_end(RayExecutor(2))


def test_only_a_few_tasks_wait() -> None:
    contract.only_a_few_tasks_wait(RayExecutor(2))


def test_as_many_workers_are_started_as_there_is_room_for_and_are_gone_afterwards() -> None:
    with RayExecutor().pool(make) as pool:
        assert pool.size == 2
        told = contract.ends(pool, [("who", None)] * 20).values()
        pids = {one.result for one in told if isinstance(one, TaskDone)}
        pool.take(Task("long", ("sleep", 600)))

    assert os.getpid() not in pids
    assert 1 <= len(pids) <= 2
    until(lambda: all(is_gone(pid) for pid in pids))


def test_a_process_that_dies_costs_its_own_task_and_no_other() -> None:
    with RayExecutor(2).pool(make) as pool:
        told = contract.ends(pool, [("say", 1), ("kill", None), ("say", 2), ("exit", 3), ("say", 4)])
        assert pool.size == 2

    for key in "13":
        failed = told.pop(key)
        assert isinstance(failed, TaskFailed)
        assert (failed.how, failed.error) == ("died", None)
        assert failed.because.startswith("its process died")
    assert all(isinstance(one, TaskDone) for one in told.values())


def test_a_result_that_cannot_be_sent_is_the_failure_of_its_task() -> None:
    with RayExecutor(1).pool(make) as pool:
        told = contract.ends(pool, [("lock", None), ("say", 1)])

    assert told["0"] == TaskFailed("0", "TypeError", "raised")
    assert told["1"] == TaskDone("1", 1)


def test_a_worker_that_cannot_be_had_is_told_at_the_start() -> None:
    with pytest.raises(WeightsError, match="`small`"), RayExecutor(1).pool(working.make_without_weights):
        pass
    with (
        pytest.raises(NoWorkers, match="ZeroDivisionError: a bug"),
        RayExecutor(1).pool(working.make_with_a_bug),
    ):
        pass


def test_workers_that_die_before_they_are_ready_are_not_started_for_ever() -> None:
    with (
        pytest.raises(NoWorkers, match="died 3 times before it was ready: its process died"),
        RayExecutor(1).pool(working.make_and_die),
    ):
        pass


def test_more_workers_than_there_is_room_for_are_refused_at_the_start() -> None:
    with (
        pytest.raises(SpecError, match=r"room for 2 workers; wanted: 3, .* got: 3 CPU, 0 GPU on 1 nodes"),
        RayExecutor(3).pool(make),
    ):
        pass
    with pytest.raises(SpecError, match="room for 0 workers; wanted: 1, each with 1 CPU, 1 GPU"):
        RayExecutor(gpus=1).pool(make).__enter__()


def test_a_worker_for_whom_others_leave_no_room_is_not_waited_for_for_ever() -> None:
    with (
        RayExecutor(1, cpus=2).pool(make),
        pytest.raises(NoWorkers, match=r"no worker was ready on Ray for 0.5 s"),
        RayExecutor(1, cpus=2, patience=0.5).pool(make),
    ):
        pass


@pytest.mark.parametrize(
    ("nodes", "each", "room"),
    [
        ([{"CPU": 2.0}], {"CPU": 1, "GPU": 0}, 1),
        ([{"CPU": 2.0}, {"CPU": 2.0}], {"CPU": 2, "GPU": 0}, 1),
        ([{"CPU": 3.0}, {"CPU": 3.0}], {"CPU": 2, "GPU": 0}, 2),
        ([{"CPU": 8.0, "GPU": 1.0}, {"CPU": 8.0}], {"CPU": 1, "GPU": 0.5}, 2),
        ([{"CPU": 1.0, "GPU": 2.0}], {"CPU": 0, "GPU": 1}, 2),
        ([{}], {"CPU": 1, "GPU": 0}, 0),
    ],
)
def test_no_worker_is_on_two_nodes_and_one_cpu_is_left(
    nodes: list[dict[str, float]], each: dict[str, float], room: int
) -> None:
    assert room_on(nodes, each) == room


@pytest.mark.parametrize(
    "wrong", [{"workers": 0}, {"cpus": 0, "gpus": 0}, {"cpus": -1}, {"autoscales": True, "workers": None}]
)
def test_a_pool_of_nobody_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match=r"got:? |say how many `workers`"):
        RayExecutor(**wrong)


def test_on_a_cluster_that_grows_those_work_for_whom_there_is_room_already() -> None:
    with RayExecutor(4, autoscales=True).pool(make) as pool:
        told = contract.ends(pool, [("say", number) for number in range(10)])

    assert {one.result for one in told.values() if isinstance(one, TaskDone)} == set(range(10))


def test_a_run_on_ray_gives_the_same_results_to_the_bit_as_one_process(tmp_path: Path) -> None:
    plan = planned([written(tmp_path / f"{part}.parquet", pairs(1000)) for part in "ab"])
    here, there = location_of(str(tmp_path / "here")), location_of(str(tmp_path / "there"))

    driven(here, plan)
    driven(there, plan, RayExecutor(2))

    assert as_bytes(results_in(here)) == as_bytes(results_in(there))
    assert manifest_of(here) == manifest_of(there)


def test_no_worker_outlives_its_driver(address: str, tmp_path: Path) -> None:
    began = tmp_path / "began"
    driver = _driving(address, f"('note', {str(began)!r})", tmp_path)
    until(began.exists)
    worker = int(began.read_text())

    driver.send_signal(signal.SIGKILL)
    driver.communicate(timeout=PATIENCE)

    until(lambda: is_gone(worker))


def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    _, said = _driving("127.0.0.1:1", "('say', 1)", tmp_path).communicate(timeout=PATIENCE)

    assert "NoWorkers: the Ray cluster at `127.0.0.1:1` could not be joined" in said


def test_a_token_that_is_not_that_of_the_cluster_is_told(address: str, tmp_path: Path) -> None:
    stranger = _driving(address, "('say', 1)", tmp_path, {"RAY_AUTH_TOKEN": "0" * 64})
    _, said = stranger.communicate(timeout=PATIENCE)

    assert f"NoWorkers: the Ray cluster at `{address}` could not be joined" in said
    assert "RAY_AUTH_TOKEN" in said


def _driving(
    address: str, body: str, folder: Path, environment: dict[str, str] | None = None
) -> "subprocess.Popen[str]":
    """A driver in a process of its own, with one task."""
    script = "\n".join(
        (
            "from sensecheck.execution.executor import Task",
            "from sensecheck.execution.ray_executor import RayExecutor",
            "from tests.execution.working import make",
            f"with RayExecutor(1, address={address!r}).pool(make) as pool:",
            f"    pool.take(Task('a', {body}))",
            "    pool.next()",
        )
    )
    (folder / "drive.py").write_text(script)
    named = FROM_HERE | (environment or {})
    command = [sys.executable, str(folder / "drive.py")]
    return subprocess.Popen(command, env=named, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
