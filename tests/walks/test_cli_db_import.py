"""`sensecheck db import`: a database of another service, brought in from a terminal."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sensecheck.store.upgrading import upgrade
from tests.databases import postgresql_database
from tests.rag_eval.other_database import add_the_column, evals_table, evaluation, fill, fill_old
from tests.walks.cli import typed


@pytest.fixture
def source(tmp_path: Path) -> str:
    """A file with two runs from before there was a semantic similarity."""
    path = str(tmp_path / "their.db")
    fill_old(path)
    return path


def test_runs_are_brought_in_once_and_each_is_told(source: str, tmp_path: Path) -> None:
    into = ("--project", "atlas", "--store", str(tmp_path / "ours.sqlite3"))

    first, second = typed("db", "import", source, *into), typed("db", "import", source, *into)

    assert "imported        run-1  2 evaluations, test nightly" in first.stdout
    assert "note: `evals` has no `semantic_similarity` yet" in first.stdout
    assert "2 imported" in first.stdout
    assert "already there   run-1  2 evaluations" in second.stdout
    assert "2 already there" in second.stdout
    assert (first.exit_code, second.exit_code) == (0, 0)


def test_programs_get_json(source: str, tmp_path: Path) -> None:
    add_the_column(source)

    done = typed("db", "import", source, "--project", "p", "--json", SENSECHECK_STORE=str(tmp_path / "o.db"))
    told = json.loads(done.stdout)

    assert (told["imported"], told["already_there"], told["kept_otherwise"]) == (3, 0, 0)
    assert told["project"] == "p"
    assert told["runs"][0] == {
        "run": "run-1",
        "state": "imported",
        "evaluations": 2,
        "test": "nightly",
        "unknown": 0,
    }


def test_a_run_that_has_changed_since_is_told_by_the_exit_code(source: str, tmp_path: Path) -> None:
    into = ("--project", "atlas", "--store", str(tmp_path / "ours.sqlite3"))
    typed("db", "import", source, *into)
    fill(source, ["UPDATE evals SET bleu = 0.75 WHERE test_run_id = 'run-1'"], {})

    again = typed("db", "import", source, *into)

    assert "kept otherwise  run-1" in again.stdout
    assert "what is kept is never changed" in again.stdout
    assert again.exit_code == 1


def test_what_is_missing_is_said_in_one_line(source: str, tmp_path: Path) -> None:
    store = str(tmp_path / "ours.sqlite3")
    fill(
        str(tmp_path / "new.db"),
        [evals_table("semantic_similarity REAL")],
        {"evals": [evaluation("r", "a", semantic_similarity=0.5)]},
    )

    no_file = typed("db", "import", str(tmp_path / "none.db"), "--project", "p", "--store", store)
    no_name = typed("db", "import", str(tmp_path / "new.db"), "--project", "p", "--store", store)
    no_project = typed("db", "import", source, "--store", store)

    assert "is no file" in no_file.stderr
    assert "name it with `--encoder-name`" in no_name.stderr
    assert "--project" in no_project.stderr
    assert {no_file.exit_code, no_name.exit_code, no_project.exit_code} == {2}


def test_a_database_that_does_not_answer_is_no_traceback_and_shows_no_password(tmp_path: Path) -> None:
    done = typed(
        "db",
        "import",
        "postgresql://root:hush@127.0.0.1:1/x",
        "--project",
        "p",
        "--store",
        str(tmp_path / "o.db"),
    )

    assert "cannot be reached" in done.stderr
    assert "hush" not in done.stderr + done.stdout
    assert done.exit_code == 3


def test_from_postgresql_into_postgresql() -> None:
    with postgresql_database() as source, postgresql_database() as store:
        fill_old(source)
        add_the_column(source)
        upgrade(store)

        done = typed("db", "import", source, "--project", "atlas", "--store", store)
        again = typed("db", "import", source, "--project", "atlas", "--store", store)

    assert "3 imported" in done.stdout
    assert "3 already there" in again.stdout


WITHOUT = """
import sys
package = sys.argv[1]
class Gone:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Gone())
from sensecheck.cli.main import main
sys.argv = ["sensecheck", *sys.argv[2:]]
main()
"""


@pytest.mark.parametrize(
    ("package", "address", "extra"),
    [("psycopg", "postgresql://127.0.0.1/x", "postgresql"), ("alembic", "their.db", "store")],
)
def test_without_a_package_the_extra_that_brings_it_is_named(
    package: str, address: str, extra: str, tmp_path: Path
) -> None:
    into = ("--project", "p", "--store", str(tmp_path / "ours.sqlite3"))
    command = [sys.executable, "-c", WITHOUT, package, "db", "import", address, *into]
    found = subprocess.run(command, capture_output=True, timeout=60, text=True, cwd=tmp_path)

    assert found.returncode != 0
    assert f"pip install 'sensecheck[{extra}]'" in " ".join(found.stderr.split())
    assert "Traceback" not in found.stderr
