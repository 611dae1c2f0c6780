"""Runs of suites and large runs are read as those of any place; all are found by what people write."""

from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pytest

from sensecheck.core.errors import SampleError, SpecError, StorageError
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.core.verdict import Outcome
from sensecheck.runs.evaluation_page import write_page
from sensecheck.runs.find import existing_place, find_run, is_place, open_place
from sensecheck.runs.folder import FolderPlace
from sensecheck.runs.large_place import LargeRunPlace
from sensecheck.runs.parquet_place import ParquetPlace
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import Label
from sensecheck.runs.rows import AnswerRows, labelled_rows
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.suite import SuiteRuns
from sensecheck.runs.summary import summary_of, totals_of
from tests.runs import kept_runs
from tests.runs.kept_runs import no_answer, result
from tests.runs.large_runs import CARRIED, COUNT, a_run, rows

REPEATS: tuple[Outcome, ...] = ("pass", "fail", "pass")


def a_suite(folder: Path) -> RunPlace:
    kept_runs.kept(folder / "1.jsonl", [result(1), result(2, "fail"), result(3, "unsure"), no_answer(4)])
    repeats = [
        result(1, outcome, repeat=at, runs=3, passes=2, latency_ms=10.0 * at)
        for at, outcome in enumerate(REPEATS, 1)
    ]
    kept_runs.kept(folder / "2.jsonl", [*repeats, result(1, source="other"), result(2, "pass")], cells=6)
    return open_place(str(folder))


def test_a_test_of_a_suite_is_an_item_with_its_scores(tmp_path: Path) -> None:
    place = a_suite(tmp_path)
    run = place.run("1")

    table = place.table(run)

    assert isinstance(place, SuiteRuns)
    assert (run.test.project, run.done, run.whole) == ("bot.battery.yaml", 4, True)
    assert table.names == ("key1", "key2", "key3", "key4")
    assert [one.name for one in table.metrics] == ["latency_ms", "near", "passed", "score"]
    np.testing.assert_array_equal(table.values[:, 2], [1.0, 0.0, np.nan, np.nan])
    np.testing.assert_array_equal(table.values[:, 1], [0.8, 0.8, 0.8, np.nan])
    first, second, third, fourth = place.answers(run)
    assert first.item.question == "Question 1?"
    assert second.scored.readings[2].because == "it is a fail"
    assert third.scored.readings[2].value is None
    assert fourth.scored.answer is None
    assert fourth.scored.error == "the source did not answer: 503"
    totals = totals_of(place, run)
    assert (totals.questions, totals.answered, totals.unanswered_because) == (4, 3, fourth.scored.error)


def test_repeats_of_a_test_are_one_item_and_each_source_another(tmp_path: Path) -> None:
    place = a_suite(tmp_path)
    run = place.run("latest")

    table = place.table(run)

    assert (run.key, run.done, run.whole) == (2, 5, False)
    assert table.names == ("key1 / model", "key1 / other", "key2 / model")
    assert table.slices[1] == {"source": "other"}
    passed, latency = table.column("passed"), table.column("latency_ms")
    assert passed is not None
    assert latency is not None
    assert list(passed) == [1.0, 1.0, 1.0]
    assert latency[0] == 20.0


def test_runs_of_suites_are_found_shown_and_never_changed(tmp_path: Path) -> None:
    place = a_suite(tmp_path / "runs")

    assert place.run("previous").key == 1
    assert place.runs(project="other") == []
    write_page(place, place.run("1"), tmp_path / "page.html")
    assert len(list(AnswerRows.of(place, place.run("1")).rows())) == 4
    with pytest.raises(SpecError, match="is read-only here"):
        place.keep_set("x", [Item("q", "a")])
    with pytest.raises(SpecError, match=r"there is no run `7`; name it by its number.*--store suites:"):
        place.run("7")


def test_answers_of_a_suite_are_labelled_beside_its_file(tmp_path: Path) -> None:
    place = a_suite(tmp_path / "runs")
    run, before = place.run("1"), (tmp_path / "runs" / "1.jsonl").read_bytes()
    names = [one.item.name for one in place.answers(run)]

    assert place.label(run, [Label(names[0], "correct", 1.0, "ann"), Label(names[1], "correct", 1.0, "ann")])
    assert place.relabel(run, Label(names[1], "correct", 0.0, "ann"))
    with pytest.raises(SampleError, match="there is no answer"):
        place.label(run, [Label(names[3], "correct", 1.0, "ann")])
    again = open_place(str(tmp_path / "runs"))
    rows = list(AnswerRows.of(again, again.run("1")).rows())
    assert [row.get("label_correct") for row in rows] == [1.0, 0.0, None, None]
    assert [(row["id"], row["label"]) for row in labelled_rows(again, run, "correct")] == [
        (names[0], 1),
        (names[1], 0),
    ]
    assert (tmp_path / "runs" / "1.jsonl").read_bytes() == before
    assert [one.key for one in again.runs()] == [1, 2]


def test_a_large_run_is_read_as_a_finished_run(tmp_path: Path) -> None:
    labelled = rows().append_column("correct", pa.array(np.arange(COUNT) % 2 == 0))
    a_run(tmp_path / "one", labelled, carried=(*CARRIED, "correct"))
    place = open_place(str(tmp_path / "one"))
    run = place.run("latest")

    totals = totals_of(place, run)

    assert isinstance(place, LargeRunPlace)
    assert (run.key, run.done, run.whole, run.name) == (1, COUNT, True, "one")
    assert run.started_at.year > 2020
    assert run.finished_at is not None
    wanted = {one.metric: one for one in summary_of(place, run).totals.metrics}
    assert totals.questions == COUNT
    for one in totals.metrics:
        same = wanted[one.metric]
        assert (one.n, one.unread, one.inapplicable) == (same.n, same.unread, same.inapplicable)
        assert one.mean == pytest.approx(same.mean, abs=1e-12)
        assert one.error == same.error
    table = place.table(run)
    assert len(table.names) == COUNT
    assert table.slices[3] in ({"topic": "odd"}, {"topic": "even"})
    assert set(table.labels["correct"]) == {0.0, 1.0}
    (answer,) = place.answers(run, [11])
    assert answer.scored.labels == {"correct": table.labels["correct"][11]}
    assert answer.position == 11
    assert answer.item.name == table.names[11]
    write_page(place, run, tmp_path / "page.html")


def test_a_place_is_opened_by_how_its_address_looks(tmp_path: Path) -> None:
    a_run(tmp_path / "large", rows(10))
    a_suite(tmp_path / "suite")
    made: dict[str, type] = {
        f"folder:{tmp_path / 'folder'}": FolderPlace,
        f"parquet:{tmp_path / 'parquet'}": ParquetPlace,
        f"parquet:{tmp_path / 'large'}": LargeRunPlace,
        str(tmp_path / "large"): LargeRunPlace,
        str(tmp_path / "suite"): SuiteRuns,
        f"suites:{tmp_path / 'suite'}": SuiteRuns,
        str(tmp_path / "evals.sqlite3"): EvalStore,
        f"sqlite:///{tmp_path / 'evals.sqlite3'}": EvalStore,
    }
    for address, kind in made.items():
        place = open_place(address)
        assert isinstance(place, kind), address
        place.close()
    for name, kind in (("folder", FolderPlace), ("parquet", ParquetPlace)):
        open_place(f"{name}:{tmp_path / name}").keep_set("x", [Item("q", "a")])
        assert isinstance(existing_place(str(tmp_path / name)), kind)
    with pytest.raises(SpecError, match="holds runs of another kind; name it `folder:"):
        open_place(f"parquet:{tmp_path / 'folder'}")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SpecError, match="is a folder without runs; name a new place as `folder:"):
        open_place(str(tmp_path / "empty"))


@pytest.mark.parametrize("address", ["folder:none", "parquet:none", "suites:none", "none.sqlite3", "none"])
def test_reading_makes_no_place(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError, match=r"there is no store `.*none.*; `sensecheck eval QUESTIONS"):
        existing_place(address)
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_found_by_number_name_path_and_address(tmp_path: Path) -> None:
    store = f"folder:{tmp_path / 'folder'}"
    place = open_place(store)
    chosen = place.keep_set("atlas", [Item("q", "a")])
    test = place.test("atlas", "nightly", embedding={}, generation={})
    for name in ("alpha", "beta"):
        run = place.begin(test, chosen, name=name, encoder="", conditions={})
        place.writer(run).add([(one, ScoredAnswer("x")) for one in place.questions(chosen)])
    place.close()
    a_suite(tmp_path / "suite")

    for reference, key in {
        "1": 1,
        "alpha": 1,
        "latest": 2,
        "previous": 1,
        store: 2,
        f"{store}#alpha": 1,
        str(tmp_path / "folder"): 2,
        str(tmp_path / "suite"): 2,
        f"suites:{tmp_path / 'suite'}#previous": 1,
        str(tmp_path / "suite" / "1.jsonl"): 1,
    }.items():
        opened, found = find_run(reference, store)
        assert found.key == key, reference
        opened.close()
    with pytest.raises(SpecError, match=r"there is no run `alpa`; did you mean `alpha`\?"):
        find_run("alpa", store)


def test_an_object_store_holds_runs_as_a_folder_does() -> None:
    address = f"memory://places/{uuid4().hex}"
    place = open_place(f"parquet:{address}")
    chosen = place.keep_set("atlas", [Item(f"q{n}", "a") for n in range(6)])
    run = place.begin(
        place.test("atlas", "nightly", embedding={}, generation={}), chosen, encoder="", conditions={}
    )
    questions = list(place.questions(chosen))
    place.writer(run).add([(one, ScoredAnswer("x", (MetricScore("bleu", 0.5),))) for one in questions[:4]])

    again = open_place(address)
    again.writer(run).add([(one, ScoredAnswer("y")) for one in questions[4:]])
    again.finish(run)

    assert isinstance(again, ParquetPlace)
    assert again.run("latest").whole
    assert [one.scored.answer for one in again.answers(run)] == [*"xxxxyy"]
    assert again.label(run, [Label(questions[0].item.name, "correct", 1.0, "ann")]) == 1
    assert again.table(run).labels["correct"][0] == 1.0


def test_a_damaged_newest_suite_is_not_passed_over(tmp_path: Path) -> None:
    place = a_suite(tmp_path)
    (tmp_path / "3.jsonl").write_text('{"run"')

    with pytest.raises(
        StorageError, match=r"the run 3 is newer than the run 2, and the run .* was interrupted"
    ):
        place.run("latest")
    assert place.run("2").key == 2
    with pytest.raises(StorageError, match="was interrupted before it began"):
        place.run("3")


def test_a_suite_in_a_file_of_any_name_is_read(tmp_path: Path) -> None:
    a_suite(tmp_path / "suite")
    (tmp_path / "suite/1.jsonl").rename(tmp_path / "suite/nightly.jsonl")

    place, run = find_run(str(tmp_path / "suite/nightly.jsonl"), "")

    assert (run.key, run.id, run.done) == (0, "nightly.jsonl", 4)
    assert place.table(run).names == ("key1", "key2", "key3", "key4")
    assert len(list(place.answers(run))) == 4
    assert totals_of(place, run).questions == 4


def test_a_folder_without_runs_is_the_name_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "baseline").mkdir()
    (tmp_path / "baseline/questions.jsonl").write_text('{"question": "q"}\n')
    place = open_place("folder:runs")
    chosen = place.keep_set("atlas", [Item("q", "a")])
    test = place.test("atlas", "nightly", embedding={}, generation={})
    place.begin(test, chosen, name="baseline", encoder="", conditions={})

    assert not is_place("baseline")
    assert find_run("baseline", "folder:runs")[1].name == "baseline"
    assert is_place("runs")
