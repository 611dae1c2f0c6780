"""Tasks that hang are given up, and a slow last one is tried twice; by a clock of the test."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sensecheck.execution.executor import Task, TaskDone, TaskFailed
from sensecheck.execution.processes import Processes
from sensecheck.execution.slots import (
    FIRST_TASK_SECONDS,
    HUNG_TIMES,
    MIN_LIMIT_SECONDS,
    MIN_SLOW_SECONDS,
    SLOW_TIMES,
    SlotPool,
)
from tests.execution import contract
from tests.execution.working import make
from tests.process_table import is_gone, until


@dataclass
class Clock:
    """Goes on when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@dataclass
class HandSlot:
    """A slot whose tasks end as the test says."""

    is_ready: bool = True
    task: Task | None = None
    fails: str = ""
    restarts: int = 0

    def give(self, task: Task) -> None:
        """Begin it."""
        self.task = task

    def receive(self) -> TaskDone | TaskFailed | None:
        """End it."""
        task, self.task = self.task, None
        assert task is not None
        return TaskFailed(task.key, self.fails, "raised") if self.fails else TaskDone(task.key, task.body)

    def restart(self) -> None:
        """Begin anew."""
        self.task = None
        self.restarts += 1


class Later(NamedTuple):
    """After so many seconds these slots have news."""

    seconds: float
    slots: tuple[int, ...] = ()


@dataclass
class Hand:
    """A pool of two slots, and what happens in it."""

    clock: Clock = field(default_factory=Clock)
    slots: list[HandSlot] = field(default_factory=lambda: [HandSlot(), HandSlot()])
    script: list[Later] = field(default_factory=list)
    waited: list[float | None] = field(default_factory=list)

    def with_news(self, slots: Sequence[HandSlot], seconds: float | None) -> Sequence[HandSlot]:
        """As the script has it."""
        self.waited.append(seconds)
        step = self.script.pop(0)
        self.clock.now += step.seconds
        return [slots[number] for number in step.slots]

    def pool(self) -> SlotPool[HandSlot]:
        """The pool."""
        return SlotPool(self.slots, self.with_news, clock=self.clock)


def test_the_first_task_has_hours_and_the_others_ten_times_as_long_as_the_longest() -> None:
    hand = Hand(script=[Later(100, (0,)), Later(HUNG_TIMES * 100)])
    pool = hand.pool()
    pool.take(Task("a", 1))
    assert pool.next() == TaskDone("a", 1)
    for key in "bc":
        pool.take(Task(key, 2))

    assert pool.next() == TaskFailed("b", "it did not end within 1,000 s", "hung")
    assert hand.waited == [FIRST_TASK_SECONDS, HUNG_TIMES * 100]
    assert [slot.restarts for slot in hand.slots] == [1, 0]
    assert pool.busy == 1


def test_quick_tasks_are_not_given_up_before_ten_minutes() -> None:
    hand = Hand(script=[Later(1, (0,)), Later(MIN_LIMIT_SECONDS)], slots=[HandSlot()])
    pool = hand.pool()
    pool.take(Task("a", 1))
    pool.next()
    pool.take(Task("b", 1))

    assert pool.next() == TaskFailed("b", "it did not end within 600 s", "hung")
    assert hand.waited == [FIRST_TASK_SECONDS, MIN_LIMIT_SECONDS]


def test_kinds_of_tasks_are_timed_by_themselves() -> None:
    hand = Hand(script=[Later(1, (0,)), Later(5, (0,))])
    pool = hand.pool()
    for body in (1, "text"):
        pool.take(Task(str(body), body))
        pool.next()

    assert hand.waited == [FIRST_TASK_SECONDS, FIRST_TASK_SECONDS]


def test_a_slow_last_task_is_tried_by_a_worker_that_has_nothing_to_do() -> None:
    hand = Hand(script=[Later(20, (0,)), Later(SLOW_TIMES * 20 - 20), Later(5, (0,))])
    pool = hand.pool()
    for key in "ab":
        pool.take(Task(key, 1))
    assert pool.next() == TaskDone("a", 1)
    assert pool.next() == TaskDone("b", 1)

    assert hand.waited[1] == 20  # until it is slow
    assert (pool.busy, hand.slots[0].task) == (0, None)
    assert hand.slots[1].task == Task("b", 1)  # still at it; what comes of it is not reported again
    hand.script = [Later(1, (1,)), Later(1, (0,))]
    pool.take(Task("c", 1))
    assert pool.next() == TaskDone("c", 1)


def test_a_task_that_is_slow_while_others_wait_is_not_tried_twice() -> None:
    hand = Hand(script=[Later(20, (0,))])
    pool = hand.pool()
    for key in "abc":
        pool.take(Task(key, 1))
    pool.next()
    hand.script = [Later(100), Later(1, (1,))]

    assert pool.next() == TaskDone("b", 1)
    assert hand.waited[1] == MIN_LIMIT_SECONDS - 20
    assert hand.slots[0].task == Task("c", 1)


def test_a_copy_that_fails_costs_nothing_and_one_that_hangs_is_replaced() -> None:
    hand = Hand(script=[Later(1, (0,)), Later(MIN_SLOW_SECONDS), Later(1, (0,)), Later(MIN_LIMIT_SECONDS)])
    pool = hand.pool()
    for key in "ab":
        pool.take(Task(key, 1))
    pool.next()
    hand.slots[0].fails = "a bug"

    assert pool.next() == TaskFailed("b", "it did not end within 632 s", "hung")
    assert [slot.restarts for slot in hand.slots] == [0, 1]


def test_a_process_that_hangs_is_ended_and_others_go_on(tmp_path: Path) -> None:
    clock, began = Clock(), tmp_path / "began"
    with Processes(2, clock=clock).pool(make) as pool:
        pool.take(Task("long", ("note", str(began))))
        until(began.exists)
        clock.now += FIRST_TASK_SECONDS

        assert pool.next() == TaskFailed("long", "it did not end within 21,600 s", "hung")
        assert is_gone(int(began.read_text()))
        assert (pool.busy, pool.size) == (0, 2)
        ended = contract.ends(pool, [("say", 1), ("say", 2), ("who", None)])

    assert all(isinstance(one, TaskDone) for one in ended.values())


def test_a_second_process_ends_what_the_first_one_hangs_in(tmp_path: Path) -> None:
    clock, began = Clock(), tmp_path / "began"
    with Processes(2, clock=clock).pool(make) as pool:
        contract.ends(pool, [("say", 1)])
        pool.take(Task("slow", ("hang once", str(began))))
        until(began.exists)
        clock.now += MIN_SLOW_SECONDS

        assert pool.next() == TaskDone("slow", str(began))
        assert contract.ends(pool, [("say", 2)])["0"] == TaskDone("0", 2)
