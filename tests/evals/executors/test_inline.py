import os

import pytest

from sensecheck.core.errors import WeightsError
from sensecheck.execution.executor import Done, Inline
from tests.evals.executors import contract
from tests.evals.executors.working import make, make_without_weights


def test_every_task_comes_to_its_own_end() -> None:
    contract.every_task_comes_to_its_own_end(Inline())


def test_only_a_few_tasks_wait() -> None:
    contract.only_a_few_tasks_wait(Inline())


def test_the_work_is_done_in_this_process() -> None:
    with Inline().crew(make) as crew:
        assert contract.ends(crew, [("who", None)]) == {"0": Done("0", os.getpid())}


def test_a_worker_that_cannot_be_had_is_told_at_the_start() -> None:
    with pytest.raises(WeightsError, match="`small`"), Inline().crew(make_without_weights):
        pass
