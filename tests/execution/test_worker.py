from collections.abc import Iterator
from typing import NoReturn

import pytest

from sensecheck.execution.driver import worked
from sensecheck.execution.executor import Inline
from sensecheck.execution.tasks import Job, RoutePiece, Unread


def nothing_to_read(task: RoutePiece) -> Unread:
    return Unread(task.piece, "it is only a test")


def test_jobs_are_made_only_as_they_are_taken() -> None:
    made: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(100):
            made.append(number)
            yield Job(RoutePiece(number))

    with Inline().pool(lambda: nothing_to_read) as pool:
        done = worked(jobs(), lambda: pool)
        first = next(done)
        assert len(made) <= pool.size + 1
        pieces = [one.piece for one in (first, *done) if isinstance(one, Unread)]

    assert pieces == made == list(range(100))


def test_without_a_job_no_pool_is_started() -> None:
    def start_pool() -> NoReturn:
        pytest.fail("there is nothing to do")

    assert list(worked([], start_pool)) == []
