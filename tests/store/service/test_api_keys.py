"""Keys: what is kept of them, and which ones can be made."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from sensecheck.core.errors import SpecError
from sensecheck.store.service import api_keys
from sensecheck.store.service.api_keys import NewKey, read_key, verify
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import api_keys as table

PEPPER = "a pepper for tests, of forty-odd letters"
SCOPES = frozenset(("check", "answer", "feedback"))
PAGES = frozenset(("answer", "feedback"))


@pytest.fixture
def wanted(project: int) -> NewKey:
    """A key of servers."""
    return NewKey(project, "secret", "the docs", SCOPES)


@pytest.fixture
def for_pages(project: int) -> NewKey:
    """A key of pages."""
    return NewKey(project, "publishable", "the docs", PAGES, ("https://Docs.Example.com:443/",))


def test_a_key_is_shown_once_and_found_by_its_id(store: ServiceStore, wanted: NewKey) -> None:
    with store.writing() as connection:
        made, whole = api_keys.create(connection, wanted, PEPPER, allowed=SCOPES)

    parts = read_key(whole)
    assert parts is not None
    assert parts.kind == "secret"
    with store.reading() as connection:
        found = api_keys.find(connection, parts.id)
    assert found == made
    assert found.project_name == "atlas"
    assert verify(found, parts.secret, PEPPER)
    assert not verify(found, parts.secret[:-1] + "~", PEPPER)
    assert not verify(found, parts.secret, PEPPER + "!")


def test_the_secret_is_nowhere_in_the_database_nor_in_what_is_printed(
    store: ServiceStore, wanted: NewKey
) -> None:
    with store.writing() as connection:
        made, whole = api_keys.create(connection, wanted, PEPPER, allowed=SCOPES)
        row = connection.execute(select(table)).one()

    secret = whole.split("_", 2)[2]
    assert secret not in str(row)
    assert secret not in repr(made)
    assert made.digest.hex() not in repr(made)


def test_two_keys_are_never_the_same(store: ServiceStore, wanted: NewKey) -> None:
    with store.writing() as connection:
        made = [api_keys.create(connection, wanted, PEPPER, allowed=SCOPES) for _ in range(20)]
        listed = list(api_keys.each(connection, wanted.project))

    assert len({whole for _, whole in made}) == 20
    assert {key.id for key in listed} == {key.id for key, _ in made}


def test_keys_of_a_project_are_not_listed_for_another(store: ServiceStore, wanted: NewKey) -> None:
    other = store.project("other")
    with store.writing() as connection:
        api_keys.create(connection, wanted, PEPPER, allowed=SCOPES)

        assert list(api_keys.each(connection, other)) == []
        assert len(list(api_keys.each(connection))) == 1
        assert api_keys.any_key(connection)


def test_a_key_that_is_taken_back_twice_was_taken_back_the_first_time(
    store: ServiceStore, wanted: NewKey
) -> None:
    with store.writing() as connection:
        made, _ = api_keys.create(connection, wanted, PEPPER, allowed=SCOPES)
        first = api_keys.revoke(connection, made.id)
        again = api_keys.revoke(connection, made.id)

    assert first is not None
    assert first == again
    with store.writing() as connection:
        assert api_keys.revoke(connection, "nobody000000") is None


def test_the_origins_of_a_key_of_pages_are_as_browsers_write_them(
    store: ServiceStore, for_pages: NewKey
) -> None:
    with store.writing() as connection:
        made, whole = api_keys.create(connection, for_pages, PEPPER, allowed=PAGES)

    assert made.origins == ("https://docs.example.com",)
    assert whole.startswith("pk_")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"origins": ()}, "at least one origin"),
        ({"scopes": SCOPES}, "cannot have the scope `check`"),
        ({"scopes": frozenset()}, "at least one scope"),
        ({"kind": "secret"}, "can have no origin"),
        ({"per_minute": -1}, "`per_minute` must be from 0"),
        ({"daily_budget": 3_000_000_000}, "`daily_budget` must be from 0"),
        ({"project": 999}, "there is no project 999"),
    ],
)
def test_a_key_that_would_be_wrong_is_not_made(
    store: ServiceStore, for_pages: NewKey, changes: dict[str, object], says: str
) -> None:
    wrong = replace(for_pages, **changes)  # type: ignore[arg-type]  # fields by name
    with store.writing() as connection:
        with pytest.raises(SpecError, match=says):
            api_keys.create(connection, wrong, PEPPER, allowed=PAGES)
        assert not api_keys.any_key(connection)


@pytest.mark.parametrize("text", ["", "sk_", "xk_abcdefghijkl_" + "a" * 43, "sk_ABCDEFGHIJKL_" + "a" * 43])
def test_what_is_no_key_of_ours_is_not_read_as_one(text: str) -> None:
    assert read_key(text) is None
