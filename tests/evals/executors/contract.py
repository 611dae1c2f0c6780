"""What is true of every executor; `test_*.py` beside this ask it of each."""

from collections.abc import Iterable
from typing import Any

from sensecheck.execution.executor import Crew, Done, Executor, Failed, Task
from tests.evals.executors.working import make


def ends(crew: Crew, bodies: Iterable[Any]) -> dict[str, Done | Failed]:
    """How tasks end that are called 0, 1, 2, …"""
    queue = [Task(str(number), body) for number, body in enumerate(bodies)]
    told: dict[str, Done | Failed] = {}
    while queue or crew.busy:
        while queue and crew.has_room:
            crew.take(queue.pop(0))
        ended = crew.next()
        assert ended.key not in told
        told[ended.key] = ended
    return told


def every_task_comes_to_its_own_end(executor: Executor) -> None:
    """Results, exceptions and refusals, and all go on after them."""
    with executor.crew(make) as crew:
        told = ends(crew, [("say", "a"), ("divide", 0), ("refuse", "no such check"), ("say", "b")] * 5)

    assert len(told) == 20
    for number in range(0, 20, 4):
        first, divided, refused, last = (told[str(number + more)] for more in range(4))
        assert (first, last) == (Done(str(number), "a"), Done(str(number + 3), "b"))
        assert isinstance(divided, Failed)
        assert (divided.how, divided.error) == ("raised", None)
        assert divided.because.startswith("ZeroDivisionError in working.py:")
        assert isinstance(refused, Failed)
        assert str(refused.error) == "no such check"


def only_a_few_tasks_wait(executor: Executor) -> None:
    """A crew takes at most twice as many as it works on."""
    with executor.crew(make) as crew:
        taken = 0
        while crew.has_room:
            crew.take(Task(str(taken), ("say", taken)))
            taken += 1
        assert crew.size <= taken <= 2 * crew.size
        assert crew.busy == taken
        assert {crew.next().key for _ in range(taken)} == {str(number) for number in range(taken)}
        assert crew.busy == 0
