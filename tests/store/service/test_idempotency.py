"""A request with an idempotency key is done once."""

import threading
from datetime import timedelta

from sensecheck.store.columns import now
from sensecheck.store.service.idempotency import Done, Fresh, Other, Reserved, UnderWay
from sensecheck.store.service.records import Completed
from sensecheck.store.service.store import ServiceStore
from tests.store.service.made import entry


def taken(store: ServiceStore, project: int, *, seconds: float = 60) -> Fresh:
    """The name, taken for a request."""
    found = store.reserve(project, "n1", "asked", seconds=seconds)
    assert isinstance(found, Fresh)
    return found


def test_of_many_who_try_at_once_one_gets_the_name(store: ServiceStore, project: int) -> None:
    found: list[Reserved] = []
    together = [
        threading.Thread(target=lambda: found.append(store.reserve(project, "n1", "asked", seconds=60)))
        for _ in range(8)
    ]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()

    assert sum(isinstance(one, Fresh) for one in found) == 1
    assert found.count(UnderWay()) == 7


def test_once_it_is_done_it_is_answered_from_memory(store: ServiceStore, project: int) -> None:
    assert isinstance(store.reserve(project, "n1", "asked", seconds=60), Fresh)
    done = entry(project, done="n1", at=now())
    store.write([done])

    assert done.completed is not None
    assert store.reserve(project, "n1", "asked", seconds=60) == Done(done.completed)
    assert store.reserve(project, "n1", "asked otherwise", seconds=60) == Other()


def test_another_request_does_not_get_the_name_of_one_that_is_under_way(
    store: ServiceStore, project: int
) -> None:
    store.reserve(project, "n1", "asked", seconds=60)

    assert store.reserve(project, "n1", "asked otherwise", seconds=60) == Other()


def test_who_took_too_long_has_lost_the_name(store: ServiceStore, project: int) -> None:
    store.reserve(project, "n1", "asked", seconds=-1)

    assert isinstance(store.reserve(project, "n1", "asked otherwise", seconds=60), Fresh)
    assert store.reserve(project, "n1", "asked otherwise", seconds=60) == UnderWay()


def test_a_name_that_was_released_can_be_had_again(store: ServiceStore, project: int) -> None:
    store.release(project, "n1", until=taken(store, project).until)

    assert isinstance(store.reserve(project, "n1", "asked otherwise", seconds=60), Fresh)


def test_what_is_done_is_not_released(store: ServiceStore, project: int) -> None:
    mine = taken(store, project)
    store.write([entry(project, done="n1", at=now())])
    store.release(project, "n1", until=mine.until)

    assert isinstance(store.reserve(project, "n1", "asked", seconds=60), Done)


def test_who_took_too_long_does_not_release_what_another_has_by_now(
    store: ServiceStore, project: int
) -> None:
    """The same request, sent again: only the lease is another."""
    late, current = taken(store, project, seconds=-1), taken(store, project)

    store.release(project, "n1", until=late.until)
    assert store.reserve(project, "n1", "asked", seconds=60) == UnderWay()
    store.release(project, "n1", until=current.until)
    assert isinstance(store.reserve(project, "n1", "asked", seconds=60), Fresh)


def test_what_came_first_stays(store: ServiceStore, project: int) -> None:
    first, second = entry(project, done="n1", at=now()), entry(project, at=now())
    late = Completed("n1", "asked", 500, {"other": True})

    store.write([first])
    store.write([type(second)(second.message, completed=late)])

    assert first.completed is not None
    assert store.reserve(project, "n1", "asked", seconds=60) == Done(first.completed)


def test_what_a_request_came_to_is_not_given_to_another_that_has_the_name_now(
    store: ServiceStore, project: int
) -> None:
    store.reserve(project, "n1", "asked", seconds=-1)
    store.reserve(project, "n1", "asked otherwise", seconds=60)

    store.write([entry(project, done="n1", at=now())])

    assert store.reserve(project, "n1", "asked otherwise", seconds=60) == UnderWay()


def test_after_a_day_it_is_as_if_it_had_never_been_sent(store: ServiceStore, project: int) -> None:
    store.write([entry(project, done="n1", at=now() - timedelta(days=2))])

    assert isinstance(store.reserve(project, "n1", "asked otherwise", seconds=60), Fresh)


def test_two_projects_may_choose_the_same_name(store: ServiceStore, project: int) -> None:
    store.reserve(project, "n1", "asked", seconds=60)

    assert isinstance(store.reserve(store.project("borealis"), "n1", "asked", seconds=60), Fresh)
