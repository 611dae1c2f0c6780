"""What is true of every executor; `test_*.py` beside this ask it of each."""

from collections.abc import Iterable
from typing import Any

from sensecheck.execution.executor import Executor, Task, TaskDone, TaskFailed, WorkerPool
from tests.execution.working import make


def ends(pool: WorkerPool, bodies: Iterable[Any]) -> dict[str, TaskDone | TaskFailed]:
    """How tasks end that are called 0, 1, 2, …"""
    queue = [Task(str(number), body) for number, body in enumerate(bodies)]
    told: dict[str, TaskDone | TaskFailed] = {}
    while queue or pool.busy:
        while queue and pool.has_room:
            pool.take(queue.pop(0))
        ended = pool.next()
        assert ended.key not in told
        told[ended.key] = ended
    return told


def every_task_comes_to_its_own_end(executor: Executor) -> None:
    """Results, exceptions and refusals, and all go on after them."""
    with executor.pool(make) as pool:
        told = ends(pool, [("say", "a"), ("divide", 0), ("refuse", "no such check"), ("say", "b")] * 5)

    assert len(told) == 20
    for number in range(0, 20, 4):
        first, divided, refused, last = (told[str(number + more)] for more in range(4))
        assert (first, last) == (TaskDone(str(number), "a"), TaskDone(str(number + 3), "b"))
        assert isinstance(divided, TaskFailed)
        assert (divided.how, divided.error) == ("raised", None)
        assert divided.because.startswith("ZeroDivisionError in working.py:")
        assert isinstance(refused, TaskFailed)
        assert str(refused.error) == "no such check"


def only_a_few_tasks_wait(executor: Executor) -> None:
    """A pool takes at most twice as many as it works on."""
    with executor.pool(make) as pool:
        taken = 0
        while pool.has_room:
            pool.take(Task(str(taken), ("say", taken)))
            taken += 1
        assert pool.size <= taken <= 2 * pool.size
        assert pool.busy == taken
        assert {pool.next().key for _ in range(taken)} == {str(number) for number in range(taken)}
        assert pool.busy == 0
