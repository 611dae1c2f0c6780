import pytest

from sensecheck.core.errors import StorageError
from sensecheck.execution.executor import How, TaskFailed
from sensecheck.execution.tasks import AssessShard, Job, RoutePiece, Shard, Unread, after

SHARD = Shard("ab12", 0, (), 10)


def failed(job: Job, how: How = "died") -> TaskFailed:
    return TaskFailed(job.key, "its process was ended by SIGSEGV", how)


def one(job: Job, how: How = "died") -> Job:
    """The only job that comes after a failure."""
    instead = after(job, failed(job, how))
    assert isinstance(instead, tuple)
    (again,) = instead
    return again


def rows_after(job: Job) -> list[tuple[int, int] | None]:
    instead = after(job, failed(job))
    assert isinstance(instead, tuple)
    return [part.body.rows for part in instead if isinstance(part.body, AssessShard)]


def test_what_failed_once_is_tried_again() -> None:
    job = Job(AssessShard(SHARD))

    assert one(job).body == job.body


def test_what_hangs_is_tried_elsewhere_and_then_parted_like_what_died() -> None:
    again = one(Job(AssessShard(SHARD)), "hung")
    parted = after(again, failed(again, "hung"))

    assert (again.body, again.failures) == (AssessShard(SHARD), 1)
    assert parted == (Job(AssessShard(SHARD, (0, 5))), Job(AssessShard(SHARD, (5, 10))))


def test_a_shard_that_failed_twice_is_parted_and_its_halves_at_their_first_failure() -> None:
    twice = one(Job(AssessShard(SHARD)))

    assert rows_after(twice) == [(0, 5), (5, 10)]
    assert rows_after(Job(AssessShard(SHARD, (5, 10)))) == [(5, 7), (7, 10)]


def test_a_single_row_is_tried_twice_and_then_told_as_an_error() -> None:
    again = one(Job(AssessShard(SHARD, (6, 7))))
    last = one(again)

    assert again.body == AssessShard(SHARD, (6, 7))
    assert last.body == AssessShard(SHARD, (6, 7), "it could not be read: its process was ended by SIGSEGV")


def test_a_row_that_cannot_even_be_told_as_an_error_ends_the_run() -> None:
    job = one(Job(AssessShard(SHARD, (6, 7), "it could not be read")))

    with pytest.raises(StorageError, match="row 6 of the shard `ab12` cannot even be stored as an error"):
        after(job, failed(job))


def test_machines_that_go_away_say_nothing_against_the_rows() -> None:
    job = Job(AssessShard(SHARD))
    for _ in range(4):
        job = one(job, "lost")
        assert (job.body, job.failures) == (AssessShard(SHARD), 0)

    assert one(job, "lost").failures == 1


def test_a_piece_that_failed_twice_cannot_be_read() -> None:
    job = one(Job(RoutePiece(3)))

    assert after(job, failed(job)) == Unread(3, "it could not be routed: its process was ended by SIGSEGV")


def test_jobs_are_told_apart_by_their_keys() -> None:
    jobs = (RoutePiece(1), RoutePiece(2), AssessShard(SHARD), AssessShard(SHARD, (0, 5)))

    assert len({Job(body).key for body in jobs}) == 4
