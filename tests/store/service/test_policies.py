"""Policies of projects: versions that are counted up, and never changed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from sensecheck.store.columns import now
from sensecheck.store.service.policies import NewPolicy, add_policy, each_policy, policies_made, resolve
from sensecheck.store.service.records import FittedPolicy
from sensecheck.store.service.store import ServiceStore


def _add(store: ServiceStore, project: int, line: float, name: str = "docs") -> FittedPolicy:
    cutoff = {"at_least": line, "doubt": [line - 0.1, line]}
    with store.writing() as connection:
        return add_policy(connection, NewPolicy(project, name, "default", cutoff, {"promise": "few"}))


def test_each_fit_is_the_next_version(store: ServiceStore, project: int) -> None:
    first, second = _add(store, project, 0.5), _add(store, project, 0.6)

    assert (first.mark, second.mark) == ("docs@1", "docs@2")
    with store.reading() as connection:
        assert list(each_policy(connection, project)) == [second]


def test_a_name_stands_for_the_newest_version_and_a_mark_for_its_own(
    store: ServiceStore, project: int
) -> None:
    for line in (0.5, 0.6):
        _add(store, project, line)

    assert resolve(store, project, "docs") == (
        "default",
        (("at_least", 0.6), ("doubt", [0.5, 0.6])),
        "docs@2",
    )
    found = resolve(store, project, "docs@1")
    assert found is not None
    assert found[2] == "docs@1"


NOT_THERE = ["other", "docs@", "docs@3", "docs@x", "docs@-1", "docs@1@1", "@", "", "a\0b", "\ud800", "docs@٣"]


@pytest.mark.parametrize("name", NOT_THERE)
def test_what_is_not_there_stands_for_nothing(store: ServiceStore, project: int, name: str) -> None:
    _add(store, project, 0.5)

    assert resolve(store, project, name) is None


def test_a_policy_belongs_to_its_project(store: ServiceStore, project: int) -> None:
    _add(store, project, 0.5)
    other = store.project("other")

    assert resolve(store, other, "docs") is None
    with store.reading() as connection:
        assert list(each_policy(connection, other)) == []
    assert _add(store, other, 0.7).version == 1


def test_those_who_fit_at_once_get_versions_of_their_own(store: ServiceStore, project: int) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda i: _add(store, project, i / 10), range(4)))

    assert sorted(policy.version for policy in made) == [1, 2, 3, 4]


def test_versions_that_were_made_in_a_time_are_listed_with_the_oldest_first(
    store: ServiceStore, project: int
) -> None:
    begin = now()
    made = [_add(store, project, 0.5, name) for name in ("b", "a", "b")]
    _add(store, store.project("other"), 0.5, "a")

    with store.reading() as connection:
        found = policies_made(connection, project, begin, now() + timedelta(seconds=1))
        earlier = policies_made(connection, project, begin - timedelta(days=1), begin)

    assert [one.mark for one in found] == [one.mark for one in made] == ["b@1", "a@1", "b@2"]
    assert earlier == []
