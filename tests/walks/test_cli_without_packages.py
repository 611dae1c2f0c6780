"""Without the packages of databases, every verb that wants them says how to get them."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sensecheck.cli.admin import db
from sensecheck.cli.main import history
from tests.runs.stores import kept

ARGUMENTS = {
    "history export": ["-o", "out.jsonl"],
    "history label": ["1", "labels.csv"],
    "db downgrade": ["--to", "base", "--yes"],
}
VERBS = [f"history {command.name}" for command in history.registered_commands] + [
    f"db {command.name or getattr(command.callback, '__name__', '')}"
    for command in db.app.registered_commands
]
SCRIPT = """
import importlib.abc, json, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from typer.testing import CliRunner
from sensecheck.cli.main import app

told = {}
for verb, arguments in json.loads(sys.argv[2]).items():
    found = CliRunner().invoke(app, [*verb.split(), *arguments, "--store", "evals.sqlite3"])
    told[verb] = [found.exit_code, found.stderr, type(found.exception).__name__]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("without")
    kept(path / "evals.sqlite3", {"bleu": [0.5, 0.6]})
    (path / "labels.csv").write_text("id,label,value\nq0,correct,1\n")
    return path


@cache
def told_without(package: str, folder: Path) -> dict[str, Any]:
    """What each verb says in a process that cannot import a package."""
    asked = json.dumps({verb: ARGUMENTS.get(verb, []) for verb in VERBS})
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, package, asked], cwd=folder, capture_output=True, text=True, check=True
    )
    held: dict[str, Any] = json.loads(done.stdout)
    return held


@pytest.mark.parametrize("verb", VERBS)
def test_without_sqlalchemy_every_verb_says_how_to_get_it(verb: str, folder: Path) -> None:
    code, said, _ = told_without("sqlalchemy", folder)[verb]

    assert "`sqlalchemy` is not installed; it comes with: pip install 'sensecheck[store]'" in said
    assert code == 3


@pytest.mark.parametrize("verb", ["db upgrade", "db downgrade", "db check"])
def test_without_alembic_a_database_cannot_be_moved_or_checked_which_is_said(verb: str, folder: Path) -> None:
    code, said, _ = told_without("alembic", folder)[verb]

    assert "is not installed; it comes with: pip install 'sensecheck[store]'" in said
    assert code == 3


def test_without_alembic_what_is_kept_can_still_be_looked_at(folder: Path) -> None:
    told = told_without("alembic", folder)

    assert [told[f"history {verb}"][0] for verb in ("list", "show", "export", "trend")] == [0, 0, 0, 0]
