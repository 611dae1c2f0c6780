import os

import pytest

from sensecheck.core.errors import WeightsError
from sensecheck.execution.executor import Inline, TaskDone
from tests.execution import contract
from tests.execution.working import make, make_without_weights


def test_every_task_comes_to_its_own_end() -> None:
    contract.every_task_comes_to_its_own_end(Inline())


def test_only_a_few_tasks_wait() -> None:
    contract.only_a_few_tasks_wait(Inline())


def test_the_work_is_done_in_this_process() -> None:
    with Inline().pool(make) as pool:
        assert contract.ends(pool, [("who", None)]) == {"0": TaskDone("0", os.getpid())}


def test_a_worker_that_cannot_be_had_is_told_at_the_start() -> None:
    with pytest.raises(WeightsError, match="`small`"), Inline().pool(make_without_weights):
        pass
