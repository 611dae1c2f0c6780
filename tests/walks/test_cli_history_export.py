"""`sensecheck history export`: an evaluation as a file, with nothing for what is n/a."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from sensecheck.core.run import MetricScore, ScoredAnswer
from sensecheck.runs.rows import AnswerRows
from sensecheck.runs.sql import EvalStore
from tests.runs.stores import kept, questions
from tests.walks.cli import typed

FIRST = ("id", "test_run_id", "qa_pair_id", "bleu", "rouge_l")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "evals.sqlite3"
    columns = {
        "bleu": [0.5, None, None],
        "semantic_similarity@minilm": [0.9, 0.8, None],
        "semantic_similarity@large": [0.7, 0.6, None],
        "correctness": [1.0, 0.0, None],
    }
    kept(path, columns, labels={"correct": [1.0, 0.0, 0.0]})
    return path


def export(store: Path, name: str, *more: str) -> Any:
    return typed(
        "history", "export", "1", "-o", str(store.with_name(name)), *more, SENSECHECK_STORE=str(store)
    )


@pytest.mark.core
def test_a_row_an_answer_has_the_columns_of_the_record_and_null_where_nothing_was_read(store: Path) -> None:
    found = export(store, "out.jsonl")
    rows = [json.loads(line) for line in (store.with_name("out.jsonl")).read_text().splitlines()]

    assert found.stdout.startswith("3 rows written to ")
    assert tuple(rows[0])[:5] == FIRST
    assert (rows[0]["bleu"], rows[1]["bleu"], rows[0]["rouge_l"]) == (0.5, None, None)
    assert (rows[0]["semantic_similarity"], rows[0]["semantic_similarity@large"]) == (0.9, 0.7)
    assert (rows[0]["correctness"], rows[0]["label_correct"], rows[0]["slice_topic"]) == (1.0, 1.0, "even")
    assert (rows[2]["answer"], rows[2]["error"]) == (None, "the model did not answer")
    assert rows[1]["qa_pair_id"] == "q1"


def test_a_table_for_spreadsheets_has_empty_cells(store: Path) -> None:
    export(store, "out.csv")
    with store.with_name("out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))

    assert [row["bleu"] for row in rows] == ["0.5", "", ""]
    assert tuple(rows[0])[:5] == FIRST


def test_parquet_has_numbers_and_nulls(store: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(store, "out.parquet")
    table = parquet.read_table(store.with_name("out.parquet"))

    assert table.column("bleu").to_pylist() == [0.5, None, None]
    assert str(table.schema.field("semantic_similarity").type) == "double"


def test_readings_are_rows_of_their_own_with_their_reasons(store: Path) -> None:
    found = export(store, "out.jsonl", "--readings", "--json")
    rows = [json.loads(line) for line in (store.with_name("out.jsonl")).read_text().splitlines()]

    assert json.loads(found.stdout)["rows"] == len(rows) == 8
    (broken,) = (row for row in rows if row["value"] is None)
    assert (broken["metric"], broken["error"]) == ("bleu", "the encoder broke")


def test_an_unknown_form_writes_nothing(store: Path) -> None:
    found = export(store, "out.xlsx")

    assert "names no form of export by its ending; known: `.jsonl`, `.csv`, `.parquet`" in found.stderr
    assert found.exit_code == 2
    assert not store.with_name("out.xlsx").exists()


def test_a_formula_of_a_stranger_stays_a_text(tmp_path: Path) -> None:
    path = tmp_path / "evals.sqlite3"
    kept(path, {"bleu": [0.5]}, pairs=questions(1, q0="=1+1"))
    typed("history", "export", "-o", str(tmp_path / "out.csv"), SENSECHECK_STORE=str(path))

    assert "'=1+1" in (tmp_path / "out.csv").read_text()


def test_names_that_our_own_columns_have_get_a_prefix_and_every_cell_stays_under_its_head(
    tmp_path: Path,
) -> None:
    path = tmp_path / "evals.sqlite3"
    columns = {"question": [0.1], "cost": [0.2], "label_correct": [0.3], "metric_cost": [0.4], "bleu": [0.5]}
    kept(path, columns, labels={"correct": [1.0], "cost": [0.0]})
    export(path, "out.jsonl")
    export(path, "out.csv")
    row = json.loads(path.with_name("out.jsonl").read_text())
    with path.with_name("out.csv").open(newline="") as file:
        (cells,) = csv.DictReader(file)

    assert (row["question"], row["cost"], row["label_correct"], row["bleu"]) == ("What is 0?", None, 1.0, 0.5)
    read = ("metric_question", "metric_cost", "metric_label_correct", "metric_metric_cost", "label_cost")
    assert [row[name] for name in read] == [0.1, 0.2, 0.3, 0.4, 0.0]
    assert [cells[name] for name in read] == ["0.1", "0.2", "0.3", "0.4", "0.0"]
    assert list(cells) == list(row)


def test_labelled_answers_are_samples_that_calibrate_reads(tmp_path: Path) -> None:
    kept(tmp_path / "evals.sqlite3", {"bleu": [0.5, 0.2, 0.1]}, labels={"correct": [1.0, 0.0, 1.0]})
    found = export(tmp_path / "evals.sqlite3", "out.jsonl", "--label", "correct")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]

    assert found.stdout.startswith("3 labelled answers written to ")
    assert [(row["id"], row["label"]) for row in rows] == [("q0", 1), ("q1", 0), ("q2", 1)]
    assert set(rows[0]) == {"id", "question", "expected", "answer", "passages", "label"}
    calibrated = typed(
        *("calibrate", str(tmp_path / "out.jsonl"), "--preset", "means", "--policy", "similarity"),
        *("--fpr", "0.1", "--name", "mine", "--out", str(tmp_path)),
    )
    assert calibrated.exit_code == 4, calibrated.stderr  # it was read, and has too few labels


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("out.jsonl", ("--label", "nice"), "`nice` is not a known label; known: `correct`"),
        ("out.csv", ("--label", "correct"), "`--label` writes samples to a `.jsonl`"),
        ("out.jsonl", ("--label", "correct", "--readings"), "without `--readings`"),
    ],
)
def test_labelled_answers_that_cannot_be_written(
    store: Path, name: str, more: tuple[str, ...], says: str
) -> None:
    found = export(store, name, *more)

    assert (found.exit_code, says in found.stderr) == (2, True), found.stderr
    assert not store.with_name(name).exists()


def test_two_encoders_of_one_name_have_a_column_each(tmp_path: Path) -> None:
    store = EvalStore.open(str(tmp_path / "evals.sqlite3"))
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(test, store.keep_set("atlas", questions(1)), encoder="own", conditions={})
    read = [MetricScore("semantic_similarity", at / 10, None, None, "mini", f"mark{at}") for at in (1, 2)]
    store.writer(run).add([(next(store.questions(run.set)), ScoredAnswer("One.", tuple(read)))])
    store.close()
    export(tmp_path / "evals.sqlite3", "out.jsonl")
    row = json.loads((tmp_path / "out.jsonl").read_text())

    assert (row["semantic_similarity@mini#mark1"], row["semantic_similarity@mini#mark2"]) == (0.1, 0.2)


def test_the_columns_are_known_without_reading_the_numbers(store: Path) -> None:
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        held = EvalStore.open(str(store))
        columns = AnswerRows.of(held, held.run("1")).columns
        held.close()
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert {"bleu", "semantic_similarity@large", "label_correct", "slice_topic"} <= set(columns)
    assert not [one for one in asked if "readings.value" in one]
