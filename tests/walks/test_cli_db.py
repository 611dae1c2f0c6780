"""`sensecheck db upgrade`, `downgrade` and `check`, as people type them."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from sensecheck.core.run import Item
from sensecheck.runs.sql import EvalStore
from sensecheck.store.migrations.base import HEAD
from sensecheck.store.upgrade import downgrade, upgrade
from tests.databases import postgresql_database, postgresql_server
from tests.walks.cli import started, typed


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A file that is not there yet."""
    return str(tmp_path / "evals.sqlite3")


def on_a_terminal(*arguments: str, types: str) -> tuple[int, str]:
    """The exit code of a command whose question is answered, and what the terminal showed."""
    ours, theirs = os.openpty()
    command = [str(Path(sys.executable).with_name("sensecheck")), *arguments]
    os.write(ours, types.encode())
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        shown, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    return process.returncode, shown.decode()


@pytest.mark.core
def test_an_upgrade_says_what_it_does_and_where_it_came(file: str) -> None:
    done = typed("db", "upgrade", "--store", file)

    assert done.exit_code == 0
    assert done.stdout == f"base → {HEAD}  sqlite:///{file}\n"
    assert "to v0001: The first revision" in done.stderr
    assert "to v0002: Revisions of labels" in done.stderr
    assert typed("db", "upgrade", "--store", file).stdout == f"at {HEAD} already  sqlite:///{file}\n"


def test_the_store_is_the_one_in_the_environment(file: str) -> None:
    done = typed("db", "upgrade", "--to", "v0001", "--json", SENSECHECK_STORE=file)

    assert json.loads(done.stdout) == {
        "store": f"sqlite:///{file}",
        "before": None,
        "after": "v0001",
        "steps": ["v0001"],
    }
    assert done.stderr == ""


def test_as_sql_nothing_is_done(file: str) -> None:
    done = typed("db", "upgrade", "--store", file, "--sql")

    assert "CREATE VIEW evals AS" in done.stdout
    assert not Path(file).exists()
    assert typed("db", "upgrade", "--store", file, "--sql", "--json").exit_code == 2
    upgrade(file)
    assert typed("db", "upgrade", "--store", file, "--sql").stdout == "-- there is nothing to do\n"


@pytest.mark.core
def test_a_downgrade_wants_a_yes(file: str) -> None:
    upgrade(file)

    refused = typed("db", "downgrade", "--to", "base", "--store", file)
    done = typed("db", "downgrade", "--to", "base", "--store", file, "--yes")

    assert refused.exit_code == 2
    assert "pass `--yes`" in refused.stderr
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{HEAD} → base  ")


@pytest.mark.parametrize(
    ("answer", "code", "says"), [("y\n", 0, f"{HEAD} → base"), ("n\n", 130, "nothing was done")]
)
def test_on_a_terminal_a_downgrade_asks(file: str, answer: str, code: int, says: str) -> None:
    upgrade(file)

    found, shown = on_a_terminal("db", "downgrade", "--to", "base", "--store", file, types=answer)

    assert "Back to base? This version of sensecheck will not open it then. [y/N]" in shown
    assert says in shown
    assert found == code


def test_an_upgrade_that_fails_says_where_the_database_is(file: str) -> None:
    upgrade(file)
    store = EvalStore.open(file)
    store.keep_set("atlas", [Item("What is it?", "It.")])
    store.close()

    done = typed("db", "downgrade", "--to", "base", "--yes", "--store", file)

    assert done.exit_code == 2
    assert "these have rows: `projects`, `pairs`, `sets`, `set_pairs`;" in done.stderr
    assert f"it is at the revision `{HEAD}`, and no row was lost" in done.stderr
    assert typed("db", "check", "--store", file).exit_code == 0


def test_a_check_of_what_is_sound_says_so(file: str) -> None:
    upgrade(file)

    done = typed("db", "check", "--store", file)

    assert done.exit_code == 0
    assert done.stdout.endswith(f"sound  sqlite:///{file}\n")
    assert "ok     guards    17 tables whose rows cannot be changed" in done.stdout


def test_a_check_of_what_is_not_says_how_to_fix_it(file: str) -> None:
    upgrade(file)
    downgrade(file, "base")

    done = typed("db", "check", "--store", file)
    told = json.loads(typed("db", "check", "--store", file, "--json").stdout)

    assert done.exit_code == 3
    assert "wrong  revision  there are no tables yet" in done.stdout
    assert f"fix: sensecheck db upgrade --store sqlite:///{file}\n" in done.stdout
    assert told["sound"] is False
    assert [finding["name"] for finding in told["findings"]] == ["revision"]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("upgrade",), 2),
        (("upgrade", "--sql"), 2),
        (("downgrade", "--to", "base", "--yes"), 2),
        (("check",), 3),
    ],
)
def test_a_database_of_a_development_version_is_refused_with_what_to_do(
    file: str, command: tuple[str, ...], code: int
) -> None:
    upgrade(file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE sensecheck_version SET version_num = '0003'")
    connection.close()

    done = typed("db", *command, "--store", file)

    said = " ".join(done.output.split())
    assert done.exit_code == code
    assert "is at the revision `0003`, made by a development version from before the first release" in said
    assert "create a new database: name another one with `--store`, or delete this one" in said
    assert "Traceback" not in said


def test_a_server_that_does_not_answer_is_one_line_without_the_password() -> None:
    for verb in ("upgrade", "check"):
        done = typed("db", verb, "--store", "postgresql://me:my-secret@127.0.0.1:1/evals")

        assert done.exit_code == 3
        assert len(done.stderr.splitlines()) == 1
        assert "the store `postgresql://me:***@127.0.0.1:1/evals` cannot be reached" in done.stderr
        assert "name another one with SENSECHECK_STORE or `--store`" in done.stderr
        assert "my-secret" not in done.output


@pytest.mark.database
def test_a_database_that_is_not_there_is_reported_with_the_commands_that_make_it() -> None:
    address = f"{postgresql_server()}/nobody_made_it"
    done = typed("db", "upgrade", "--store", address)

    said = " ".join(done.stderr.split())
    assert done.exit_code == 3
    assert f"make it with `createdb nobody_made_it`, then `sensecheck db upgrade --store {address}`" in said


@pytest.mark.parametrize(
    "command",
    [("worker",), ("keys", "list"), ("keys", "create"), ("db", "upgrade")],
    ids=" ".join,
)
@pytest.mark.parametrize("place", ["folder:.", "parquet:.", "suites:."])
def test_what_needs_a_database_refuses_a_place_of_runs_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    by_option, by_setting = typed(*command, "--store", place), typed(*command, SENSECHECK_STORE=place)

    for done in (by_option, by_setting):
        assert done.exit_code == 2
        assert f"the store must be a database; got `{place}`" in done.stderr
    assert not list(tmp_path.iterdir())


def test_an_address_that_is_none_is_told() -> None:
    done = typed("db", "check", "--store", "mysql://somewhere/evals")

    assert done.exit_code == 2
    assert "is no store" in done.stderr


@pytest.mark.database
def test_in_a_process_of_its_own_a_server_is_made_ready_and_found_sound() -> None:
    with postgresql_database() as address:
        made = started("db", "upgrade", "--store", address)
        looked = started("db", "check", "--store", address, "--json")

    assert made.returncode == 0, made.stderr
    assert json.loads(looked.stdout)["sound"] is True


def test_help_is_had_without_the_packages_of_databases() -> None:
    script = "import sys\nimport sensecheck.cli.admin.db\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert not {"sqlalchemy", "alembic", "numpy", "psycopg"} & set(done.stdout.split())
