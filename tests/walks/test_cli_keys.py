"""Keys from the command line: made, listed, revoked."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.store.service.store import ServiceStore
from tests.walks.cli import typed


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "service.sqlite3")


def keys(store: str, *arguments: str, **environment: str) -> Any:
    return typed("keys", *arguments, "--store", store, **environment)


def made(store: str, *arguments: str) -> dict[str, Any]:
    done = keys(store, "create", "--json", *arguments)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.core
def test_a_key_is_shown_once_and_listed_without_its_secret(store: str) -> None:
    key = made(store, "--project", "docs", "--label", "our server")
    listed = keys(store, "list", "--json")

    assert key["key"].startswith(f"sk_{key['id']}_")
    assert key["key"].removeprefix(f"sk_{key['id']}_") not in listed.stdout  # which may hold a `_` itself
    (only,) = json.loads(listed.stdout)
    assert (only["id"], only["project"], only["kind"]) == (key["id"], "docs", "secret")


def test_a_publishable_key_wants_an_origin(store: str) -> None:
    done = keys(store, "create", "--publishable")

    assert done.exit_code == 2
    assert "at least one origin" in done.stderr


def test_a_publishable_key_cannot_be_given_more_than_it_may(store: str) -> None:
    done = keys(store, "create", "--publishable", "--origin", "https://docs.example.com", "--scope", "stats")

    assert done.exit_code == 2
    assert "`stats`" in done.stderr


def test_a_policy_that_nobody_knows_is_refused(store: str) -> None:
    done = keys(store, "create", "--policy", "nosuch")

    assert done.exit_code == 2
    assert "`nosuch`" in done.stderr


def test_the_common_rule_can_be_chosen_for_a_key(store: str) -> None:
    assert made(store, "--policy", "similarity-or-keywords")["policy"] == "similarity-or-keywords"


@pytest.mark.core
def test_a_key_is_taken_back_by_its_id_or_the_whole_of_it(store: str) -> None:
    first, second = made(store), made(store)

    assert keys(store, "revoke", first["id"]).exit_code == 0
    assert keys(store, "revoke", second["key"]).exit_code == 0
    listed = json.loads(keys(store, "list", "--json").stdout)
    assert all(key["revoked_at"] for key in listed)


def test_a_key_that_is_not_there_cannot_be_taken_back(store: str) -> None:
    made(store)
    done = keys(store, "revoke", "nosuchkey123")

    assert done.exit_code == 2
    assert "sensecheck keys list" in done.stderr


def test_postgresql_wants_a_pepper_of_its_own(store: str) -> None:
    done = keys("postgresql://root@127.0.0.1:5432/test", "list")

    assert done.exit_code == 2
    assert "SENSECHECK_SERVE_PEPPER" in done.stderr


def test_no_keys_are_told_with_what_to_do(store: str) -> None:
    ServiceStore.open(store).close()

    assert f"`sensecheck keys create --store sqlite:///{store}`" in keys(store, "list").stdout


def test_looking_at_keys_makes_no_database(store: str) -> None:
    done = keys(store, "list")

    assert done.exit_code == 2
    assert "sensecheck keys create" in done.stderr
    assert not Path(store).exists()


def test_the_database_of_a_service_is_for_nobody_else(store: str) -> None:
    made(store)

    assert Path(store).stat().st_mode & 0o077 == 0
