"""An evaluation as a notebook calls it: one request, one call, no command line."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck.config import Settings
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.datasets.columns import Columns
from sensecheck.evaluation import (
    EvaluationProgress,
    EvaluationRequest,
    EvaluationResult,
    evaluation_steps,
    run_evaluation,
)
from sensecheck.retrieval import chain, top
from sensecheck.runs.find import open_place

SETTINGS = Settings(encoder="hashing", cache="off", verifier="off")
METRICS = ("bleu", "semantic_similarity")
ROWS = [
    {"id": "paris", "question": "Capital of France?", "expected": "Paris.", "answer": "Paris.", "ok": 1},
    {"id": "ten", "question": "How many fingers?", "expected": "Ten.", "answer": "Nine.", "ok": 0},
    {"id": "sky", "question": "Colour of the sky?", "expected": "Blue.", "answer": "Blue.", "ok": 1},
]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def asked(rows: list[dict[str, Any]] = ROWS, **named: Any) -> EvaluationRequest:
    Path("questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    given: dict[str, Any] = {"questions": "questions.jsonl", "metrics": METRICS, "settings": SETTINGS}
    return EvaluationRequest(**given | named)


def test_one_call_evaluates_into_the_database_and_says_what_it_came_to() -> None:
    result = run_evaluation(asked(html="page.html"))

    assert (result.complete, result.run.key, result.previous_run) == (True, 1, None)
    assert (result.run.whole, result.run.done) == (True, 3)
    assert result.means["bleu"] is not None
    assert list(result.means) == list(METRICS)
    assert result.to_data()["questions"] == 3
    assert len(result.notes) == 1
    assert result.notes[0].startswith("columns that are not read: `ok`; `--slice`")
    assert Path("page.html").exists()
    again = run_evaluation(asked(columns=Columns(labels=("ok",))))
    assert (again.previous_run, again.notes) == (1, ())


def test_a_column_that_is_called_nearly_as_a_part_that_is_missing_is_asked_about() -> None:
    rows = [{"quesion": "Is it open?", "expected": "Yes.", "answer": "Yes.", "context": "It is open."}]
    result = run_evaluation(asked(rows))

    assert result.notes == (
        "columns that are not read: `quesion`, `context`; did you mean `question` by `quesion`? "
        "`--column question=quesion`; did you mean `passages` by `context`? `--column passages=context`; "
        "`--slice`, `--label`, `--column` or `--ignore-column` say what they are",
    )


def test_a_column_is_not_taken_for_a_part_that_is_there() -> None:
    rows = [{"question": "Is it open?", "questions": 1, "expected": "Yes.", "answer": "Yes."}]

    assert "did you mean" not in run_evaluation(asked(rows)).notes[0]


def test_the_same_request_goes_into_parquet_files_where_the_store_says_so() -> None:
    request = asked(store="parquet:run", on="inline", checks="keeps_facts", shard_rows=2)
    result = run_evaluation(request)
    stored = run_evaluation(replace(request, store=None, on=None, checks=(), shard_rows=None))

    assert (result.complete, result.address, result.totals.questions) == (True, "parquet:run", 3)
    assert {name: result.means[name] for name in METRICS} == pytest.approx(stored.means)
    assert result.means["keeps_facts"] == pytest.approx(2 / 3)
    again = run_evaluation(request)
    assert again.notes[-1] == "this run is finished; nothing was done again"
    assert again.to_data() == result.to_data()


def test_a_large_run_does_not_hide_runs_that_are_stored_there() -> None:
    place = open_place("parquet:mixed")
    with place.session():
        place.test("atlas", "nightly", embedding={}, generation={})

    with pytest.raises(SpecError, match="`mixed` holds stored runs; a large run needs a folder of its own"):
        run_evaluation(asked(store="parquet:mixed", on="inline"))


@pytest.mark.parametrize("store", [None, "parquet:run"])
def test_progress_comes_before_the_result_and_names_the_run_to_resume(store: str | None) -> None:
    *steps, result = evaluation_steps(asked(store=store, on=None if store is None else "inline"))

    assert isinstance(result, EvaluationResult)
    progress = [step for step in steps if isinstance(step, EvaluationProgress)]
    assert len(progress) == len(steps)
    assert progress[-1].done == progress[-1].total == 3
    assert progress[-1].run == ("1" if store is None else "run")
    assert progress[0] == EvaluationProgress(notes=progress[0].notes)


def test_an_evaluation_that_is_given_up_is_resumed_by_its_number() -> None:
    rows = [row | {"id": f"{row['id']}{n}"} for n in range(200) for row in ROWS]
    events = evaluation_steps(asked(rows))
    at = next(step for step in events if isinstance(step, EvaluationProgress) and step.done)
    events.close()

    assert (at.done, at.total) == (512, 600)
    result = run_evaluation(asked(rows, resume=at.run))
    assert (result.run.key, result.totals.questions) == (1, 600)


def test_guards_are_a_chain_or_named_one_by_one() -> None:
    rows = [row | {"passages": [row["expected"], "Something else."]} for row in ROWS]
    by_chain = run_evaluation(asked(rows, guard=chain(top(1)), metrics="retrieval_closeness"))
    by_name = run_evaluation(asked(rows, top_k=1, metrics="retrieval_closeness"))

    assert by_chain.means == by_name.means
    assert by_name.run.conditions["guards"] == [{"top": 1}]
    assert "no question has passages: the guards have nothing to do" in run_evaluation(asked(top_k=1)).notes


def test_an_answer_that_is_missing_makes_a_result_incomplete() -> None:
    result = run_evaluation(asked([*ROWS, {"question": "Why?", "expected": "So."}]))

    assert not result.complete
    assert result.to_data()["unanswered"] == 1


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("question;expected;answer\nWhy?;So.;So.\n", ".questions.csv. must be separated by commas"),
        ("question,expected,answr\nWhy?,So.,So.\n", "is one of them the answer. .--column answer=answr."),
        ("question,expected,answer\n", ".questions.csv. has no row"),
    ],
)
def test_a_table_without_the_columns_that_are_wanted_says_which_it_has(table: str, message: str) -> None:
    Path("questions.csv").write_text(table)

    with pytest.raises(SampleError, match=message):
        run_evaluation(EvaluationRequest(questions="questions.csv", metrics=METRICS, settings=SETTINGS))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"questions": ()}, "name a file of questions"),
        ({"questions": ("a.jsonl", "b.jsonl")}, "got 2 files of questions"),
        ({"workers": 2}, "`--workers` is for `--store parquet:ADDRESS`"),
        ({"store": "parquet:run", "workers": 2, "html": "page.html"}, "`--html` does not go with"),
        ({"store": "parquet:run", "workers": 2, "cached": False}, "`--no-cache` does not go with"),
        ({"store": "parquet:"}, "must name a folder, or a prefix in a store"),
        ({"model": "openai:http://h/v1#m", "concurrency": 0}, "`--concurrency` must be at least 1; got 0"),
        ({"api_key_env": "KEY"}, "`--api-key-env` is for `--model`"),
        ({"encoders": ("hashing", "hashing")}, "was given twice"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_at_once(given: dict[str, Any], message: str) -> None:
    request = replace(asked(), **given)

    with pytest.raises(SpecError, match=message.replace("`", ".")):
        evaluation_steps(request)
    assert not Path(".sensecheck").exists()
    assert not Path("run").exists()
