"""The example of `sensecheck eval` runs as its README says."""

import shlex
import shutil
from pathlib import Path

import pytest

from sensecheck.runs.sql import EvalStore
from tests.walks.cli import typed

EXAMPLE = Path(__file__).parents[2] / "examples" / "rag-eval"


def commands() -> list[list[str]]:
    """The evaluations of the README that ask nobody."""
    lines = (EXAMPLE / "README.md").read_text(encoding="utf-8").splitlines()
    evaluations = [shlex.split(line) for line in lines if line.startswith("sensecheck eval ")]
    return [words[1:] for words in evaluations if "--model" not in words]


def test_the_commands_of_the_example_work_and_tell_the_two_systems_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "rag-eval")
    monkeypatch.chdir(tmp_path / "rag-eval")
    for command in commands():
        found = typed(*command, SENSECHECK_ENCODER="minilm")
        assert found.exit_code == 0, found.stderr
        assert "20 questions, 20 answered\n" in found.stdout
        assert "note: " not in found.stderr
    store = EvalStore.open(".sensecheck/evals.sqlite3")
    careful, chatty, _ = (store.table(run) for run in store.runs())
    store.close()

    assert careful.labels["correct"].sum() == 18
    assert chatty.labels["correct"].sum() == 12
    assert {one["topic"] for one in careful.slices} == {
        *("hours", "prices", "history", "people", "travel", "exhibits")
    }
    lexical, semantic = chatty.column("lexical_aggregate"), chatty.column("semantic_similarity")
    assert lexical is not None
    assert semantic is not None
    assert semantic.mean() > lexical.mean()
