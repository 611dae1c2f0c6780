"""What one project keeps, no other one sees or touches."""

from sensecheck.store.columns import now
from sensecheck.store.service.idempotency import Done, Fresh
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import idempotency, messages
from tests.store.service.made import count, entry, held_back, kept_message


def test_a_message_is_found_by_its_own_project_alone(store: ServiceStore, project: int) -> None:
    theirs = store.project("borealis")
    ours = entry(project, held="It flies.")
    store.write([ours])

    assert kept_message(store, project, ours.message.id) == ours.message
    assert kept_message(store, theirs, ours.message.id) is None
    assert held_back(store, theirs, ours.message.id) is None


def test_a_session_of_the_same_name_is_another_session(store: ServiceStore, project: int) -> None:
    theirs = store.project("borealis")
    store.write([entry(project, at=now()), entry(theirs, at=now())])

    assert store.erase_session(theirs, "s1") == 1
    assert count(store, messages) == 1


def test_what_a_request_came_to_is_told_to_its_own_project_alone(store: ServiceStore, project: int) -> None:
    theirs = store.project("borealis")
    store.write([entry(project, done="n1", at=now())])

    taken = store.reserve(theirs, "n1", "asked", seconds=60)
    assert isinstance(taken, Fresh)
    store.release(theirs, "n1", until=taken.until)

    assert isinstance(store.reserve(project, "n1", "asked", seconds=60), Done)
    assert count(store, idempotency) == 1


def test_a_project_is_made_once(store: ServiceStore, project: int) -> None:
    assert store.project("atlas") == project
    assert store.project("borealis") != project
