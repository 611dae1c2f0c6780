"""The address of a store is read as people write it, and never shows a password."""

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.store.address import database_url, shown


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("evals.sqlite3", "sqlite:///evals.sqlite3"),
        ("sqlite:///evals.sqlite3", "sqlite:///evals.sqlite3"),
        ("postgres://ann@host/db", "postgresql://ann@host/db"),
        ("postgresql://ann:secret@host:5433/db", "postgresql://ann:***@host:5433/db"),
        ("postgresql+psycopg://host/db?password=secret", "postgresql://host/db"),
    ],
)
def test_an_address_is_shown_as_it_was_given_without_what_is_secret(written: str, read: str) -> None:
    assert shown(database_url(written)) == read


@pytest.mark.parametrize(
    "written",
    [
        "",
        " ",
        "mysql://ann:secret@host/db",
        "postgresql://ann:secret@host",
        "sqlite://",
        "secret://[",
        "://secret",
    ],
)
def test_what_is_no_store_is_told_without_what_is_secret(written: str) -> None:
    with pytest.raises(SpecError, match="wanted `postgresql://USER@HOST/DATABASE`") as told:
        database_url(written)

    assert "secret@" not in str(told.value)


@pytest.mark.parametrize("written", ["folder:.", "parquet:s3://bucket/runs", "suites:.sensecheck/runs"])
def test_a_place_that_holds_runs_alone_is_no_database(written: str) -> None:
    with pytest.raises(SpecError, match="the store must be a database; got `") as told:
        database_url(written)

    assert f"got `{written}`, which holds runs alone" in str(told.value)


@pytest.mark.parametrize(
    "written", ["postgresql://ann:pw:hidden@host:5a33/db", "postgresql://ann@host:hidden/db"]
)
def test_a_port_that_is_none_is_told_without_repeating_it(written: str) -> None:
    with pytest.raises(SpecError, match="the address of a store cannot be read") as told:
        database_url(written)

    assert "hidden" not in str(told.value)
    assert told.value.__suppress_context__
    assert told.value.__cause__ is None
