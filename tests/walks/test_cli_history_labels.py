"""`sensecheck history label`, `agreement` and `weight`: what people said, and what follows from it."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.core.run import Item
from sensecheck.store.upgrade import upgrade
from tests.databases import postgresql_database
from tests.runs.stores import kept
from tests.walks.cli import typed

COUNT = 80


def history(path: Path | str, *arguments: str) -> Any:
    return typed("history", *arguments, SENSECHECK_STORE=str(path))


def columns() -> tuple[dict[str, list[float | None]], list[int]]:
    """Readings, of which meaning agrees with the labels and words do not."""
    drawn = np.random.default_rng(3)
    good = [at % 2 for at in range(COUNT)]
    words, luck = drawn.uniform(0, 1, (2, COUNT))
    meaning = [0.3 * one + 0.7 * float(chance) for one, chance in zip(good, luck, strict=True)]
    return {"lexical_aggregate": [float(x) for x in words], "semantic_similarity@minilm": [*meaning]}, good


def rows(good: list[int]) -> str:
    return "id,label,value\n" + "".join(f"q{at},correct,{one}\n" for at, one in enumerate(good))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "evals.sqlite3"
    kept(path, columns()[0])
    return path


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


@pytest.fixture
def labelled(store: Path, tmp_path: Path) -> Path:
    (tmp_path / "labels.csv").write_text(rows(columns()[1]))
    assert history(store, "label", "latest", str(tmp_path / "labels.csv")).exit_code == 0
    return store


@pytest.mark.core
def test_labels_are_added_and_shown(store: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(rows(columns()[1]))
    found = history(store, "label", "1", str(tmp_path / "labels.csv"))

    assert found.stdout == "80 added to run 1: correct\n"
    assert "labels     correct (80)" in history(store, "show").stdout
    assert "labels    correct 1" in history(store, "show", "--question", "q1").stdout


def test_several_raters_may_speak_and_their_mean_counts(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"id": "q1", "value": true, "rater": "anna"}\n{"id": "q1", "value": false, "rater": "bert"}\n'
    )
    added = history(store, "label", "1", str(file), "--label", "correct", "--json")

    assert json.loads(added.stdout) == {"run": 1, "added": 2, "skipped": 0, "labels": ["correct"]}
    from sensecheck.runs.sql import EvalStore

    held = EvalStore.open(str(store))
    table = held.table(held.run("1"))
    held.close()
    assert table.labels["correct"][1] == 0.5


def test_one_who_disagrees_does_not_take_auroc_away_from_all(labelled: Path, tmp_path: Path) -> None:
    file = tmp_path / "second.csv"
    file.write_text("id,label,value,rater\nq1,correct,0,bert\nq2,correct,0,bert\n")
    history(labelled, "label", "1", str(file))
    found, weighed = history(labelled, "agreement"), history(labelled, "weight")
    told = json.loads(history(labelled, "agreement", "--json").stdout)

    assert "1 left out of AUROC: as many raters said 0 as 1" in found.stdout
    assert "1 left out: as many raters said 0 as 1" in weighed.stdout
    assert {(one["split"], one["no_auroc"], one["n"]) for one in told} == {(1, "", COUNT)}
    assert json.loads(history(labelled, "weight", "--json").stdout)["by"] == "auroc"


def test_labels_on_a_scale_are_said_to_have_no_auroc(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "stars.csv"
    file.write_text("id,label,value\n" + "".join(f"q{at},stars,{at % 5}\n" for at in range(COUNT)))
    history(store, "label", "1", str(file))

    assert "no AUROC: the labels are numbers on a scale" in history(store, "agreement").stdout


@pytest.mark.parametrize(
    ("text", "arguments", "complaint"),
    [
        (
            "id,label,value\nq1,correct,1\nq1,correct,0\n",
            [],
            "says 1 already, and now 0; history is not changed",
        ),
        ("id,label,value\nq900,correct,1\n", [], "the run 1 has no question `q900`"),
        ("id,label,value\nq1,correct,good\n", [], "`value` must be true, false or a number; got `good`"),
        ("id,label,valeu\nq1,correct,1\n", [], "`valeu` is not a known column; did you mean `value`?"),
        ("id,value\nq1,1\n", [], "lacks the column `label`; or name it with `--label`"),
        ("id,label,value\nq1,correct,1\n", ["--label", "x"], "has a column `label`; leave out `--label`"),
    ],
)
def test_a_label_that_is_wrong_is_an_error_and_nothing_is_added(
    store: Path, tmp_path: Path, text: str, arguments: list[str], complaint: str
) -> None:
    (tmp_path / "labels.csv").write_text(text)
    found = history(store, "label", "1", str(tmp_path / "labels.csv"), *arguments)

    assert complaint in found.stderr
    assert found.exit_code == 2
    assert "labels" not in history(store, "show").stdout


def test_what_was_said_already_is_skipped_and_another_value_wants_another_rater(
    labelled: Path, tmp_path: Path
) -> None:
    file, other = tmp_path / "labels.csv", tmp_path / "other.csv"
    again = history(labelled, "label", "1", str(file))
    first, *rows = file.read_text().splitlines()
    turned = rows[0].rpartition(",")[0] + (",0" if rows[0].endswith(",1") else ",1")
    other.write_text(f"{first}\n{turned}\n")
    against = history(labelled, "label", "1", str(other))

    assert again.stdout == f"0 added to run 1: correct; {len(rows)} were there already\n"
    assert "the label `correct` of the question `q0` says" in against.stderr
    assert "give it as another `--rater`" in against.stderr
    assert against.exit_code == 2
    assert history(labelled, "label", "1", str(other), "--rater", "anna").exit_code == 0


def test_labels_that_are_all_alike_or_few_are_said_to_be_so(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("id,label,value\n" + "".join(f"q{at},correct,1\n" for at in range(6, 10)))
    history(store, "label", "1", str(file))
    alike = history(store, "agreement", "1").stdout
    file.write_text("id,label,value\nq10,correct,0\n")
    history(store, "label", "1", str(file))

    assert alike == "all 4 labels correct say 1: no metric can agree with that; label answers that differ\n"
    assert "5 labels are too few to go by; wanted at least 10" in history(store, "agreement", "1").stdout


def test_an_answer_that_nobody_gave_cannot_be_labelled(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    kept(path, {"bleu": [None, 0.5]})
    (tmp_path / "labels.csv").write_text("id,label,value\nq0,correct,1\n")

    found = history(path, "label", "1", str(tmp_path / "labels.csv"))
    assert "there is no answer to the question `q0` of the run 1" in found.stderr


def test_metrics_are_held_against_labels(labelled: Path) -> None:
    found = history(labelled, "agreement")

    assert found.stdout.splitlines()[0].split()[:4] == ["metric", "n", "n/a", "AUROC"]
    assert found.stdout.splitlines()[1].startswith("semantic_similarity")
    assert "beside the label correct; intervals by question, of 80" in found.stdout
    told = json.loads(history(labelled, "agreement", "1", "--label", "correct", "--json").stdout)
    assert told[0]["auroc_low"] > 0.5 > told[1]["auroc_low"]


def test_the_same_question_counts_once_whatever_each_system_retrieved_for_it(tmp_path: Path) -> None:
    path, (readings, good) = tmp_path / "evals.sqlite3", columns()
    for passage in ("one", "two"):
        pairs = [Item(f"What is {at}?", str(at), (passage,)) for at in range(COUNT)]
        kept(path, readings, pairs=pairs, labels={"correct": [float(one) for one in good]})
    told = json.loads(history(path, "agreement", "1", "2", "--json").stdout)

    assert {(one["n"], one["questions"]) for one in told} == {(160, 80)}


def test_a_weight_is_suggested_where_labels_support_it(labelled: Path) -> None:
    found = history(labelled, "weight")

    assert found.exit_code == 0
    assert found.stdout.splitlines()[-1].startswith("weight ")
    assert "on questions it was not chosen by, the agreement rises by +" in found.stdout


def test_a_weight_is_not_suggested_from_a_few_labels(store: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(rows(columns()[1][:30]))
    history(store, "label", "1", str(tmp_path / "labels.csv"))
    found = history(store, "weight", "--json")

    told = json.loads(found.stdout)
    assert told["weight"] is None
    assert told["because"].startswith("no weight can be recommended: 30 questions have a label")
    assert found.exit_code == 4


def test_an_unknown_label_is_an_error(labelled: Path) -> None:
    found = history(labelled, "agreement", "--label", "corect")

    assert "did you mean `correct`?" in found.stderr
    assert found.exit_code == 2


@pytest.mark.database
def test_labels_are_kept_by_postgresql_too(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(rows(columns()[1]))
    with postgresql_database() as address:
        upgrade(address)
        kept(address, columns()[0])
        once, again = (history(address, "label", "1", str(tmp_path / "labels.csv")) for _ in range(2))

        assert once.exit_code == 0, once.stderr
        assert "0 added to run 1" in again.stdout
        assert "semantic_similarity" in history(address, "agreement").stdout
