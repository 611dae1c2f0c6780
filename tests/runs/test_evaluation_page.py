"""The page of a kept run holds what the run has, and says what it leaves out."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.core.run import Item, MetricScore, QuestionSet, Run, ScoredAnswer
from sensecheck.core.run import Test as StoredTest
from sensecheck.runs.evaluation_page import LONGEST, Besides, write_page
from sensecheck.runs.page_selection import MOST, Axes, chosen
from sensecheck.runs.record import RunMetric, RunTable
from tests.runs.page_read import blobs
from tests.runs.stored_page import FIVE, HOSTILE, MARK, a_store, keep, read


def page(folder: Path, rows: Any = FIVE, **more: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with a_store(folder) as store:
        write_page(store, keep(store, rows), folder / "page.html", **more)
    held = blobs(folder / "page.html")
    (index,) = held["index"]
    return index, [pair for pack in held.get("pairs", []) for pair in pack]


def test_it_tells_which_run_it_is_and_what_was_read(tmp_path: Path) -> None:
    index, _ = page(tmp_path)

    assert (index["project"], index["test"], index["name"]) == ("bridge", "visitors", "nightly")
    assert (index["reached"], index["answered"], index["unanswered"]) == (5, 4, 1)
    assert index["whole"] is True
    assert index["generation"] == {"model": "small"}
    by_name = {one["metric"]: one for one in index["metrics"]}
    semantic = by_name["semantic_similarity"]
    assert (semantic["n"], semantic["na"], semantic["missing"]) == (4, 1, {"no answer": 1})
    assert semantic["mean"] == pytest.approx(0.74)
    assert semantic["low"] < 0.74 < semantic["high"]
    assert sum(semantic["counts"]) == 4
    assert (semantic["encoder"], semantic["line"], by_name["lexical_aggregate"]["line"]) == (
        "minilm",
        0.7,
        0.4,
    )


def test_every_answer_is_there_with_its_numbers_texts_and_reasons(tmp_path: Path) -> None:
    index, pairs = page(tmp_path)

    rows, axes = index["rows"], index["axes"]
    assert rows["id"] == ["open", "entry", "close", "hostile", "builder"]
    assert rows["values"][axes["across"]] == [1.0, 0.8, 0.96, 0.2, None]
    assert rows["values"][axes["upwards"]] == [1.0, 0.1, 0.8, 0.1, None]
    assert rows["labels"] == {"correct": [1.0, 1.0, 0.0, 0.0, None]}
    assert rows["title"][1] == "How does one get in?"
    assert [pair["answer"] for pair in pairs] == [told.answer for _, told in FIVE]
    assert pairs[4]["error"] == "the endpoint did not answer"
    assert pairs[0]["passages"] == ["It opened in 1937."]
    assert pairs[0]["because"] == {str(axes["facts"]): ["what was compared", None]}


def test_a_reading_that_failed_keeps_its_reason(tmp_path: Path) -> None:
    rows = [(Item("q", "e"), ScoredAnswer("a", read(None, 0.5, why="the encoder was away")))]

    index, pairs = page(tmp_path, rows)

    across = index["axes"]["across"]
    assert index["metrics"][across]["missing"] == {"could not be read": 1}
    assert index["metrics"][across]["mean"] is None
    assert pairs[0]["because"][str(across)] == [None, "the encoder was away"]


def test_facts_that_differ_stand_in_their_places_as_a_browser_counts_them(tmp_path: Path) -> None:
    answer, expected = "👩‍🚀 It closes at 19:00.", "It closes at 18:00."
    rows = [(Item("q", expected), ScoredAnswer(answer, read(0.9, 0.9, 0.5)))]

    _, pairs = page(tmp_path, rows)

    (fact,) = pairs[0]["facts"]
    units = answer.encode("utf-16-le")
    assert "19:00" in units[2 * fact["at"][0] : 2 * fact["at"][1]].decode("utf-16-le")
    assert "18:00" in expected[slice(*fact["against"])]


def test_slices_have_means_and_rows_know_theirs(tmp_path: Path) -> None:
    index, _ = page(tmp_path)

    (topic,) = index["slices"]
    assert [(one["value"], one["questions"]) for one in topic["values"]] == [
        ("dates", 2),
        (HOSTILE, 1),
        ("money", 1),
    ]
    assert topic["values"][0]["means"][index["axes"]["across"]] == pytest.approx(0.98)
    assert index["rows"]["slices"]["topic"]["rows"] == [0, 2, 0, 1, None]
    assert index["rows"]["slices"]["topic"]["of"] == 3


def test_nothing_that_was_said_can_mean_anything_to_the_page(tmp_path: Path) -> None:
    page(tmp_path)

    text = (tmp_path / "page.html").read_text("utf-8")
    assert "onerror=alert(1)" not in text
    assert "default-src 'none'" in text


def test_the_same_run_makes_the_same_page(tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        run = keep(store)
        write_page(store, run, tmp_path / "one.html")
        write_page(store, run, tmp_path / "other.html")

    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()


def test_a_very_long_text_is_cut_which_is_told(tmp_path: Path) -> None:
    rows = [(Item("q", "e"), ScoredAnswer("a" * (LONGEST + 7), read(0.5, 0.5)))]

    _, pairs = page(tmp_path, rows)

    assert len(pairs[0]["answer"]) == LONGEST
    assert pairs[0]["left_out"] == 7


def test_of_too_many_answers_those_worth_looking_at_are_shown_and_all_are_counted(tmp_path: Path) -> None:
    rows = [
        (
            Item(f"question {at}", "e", id=f"q{at}"),
            ScoredAnswer("a", read(None if at == 11 else (at % 100) / 100, 1.0 if at == 12 else 0.5)),
        )
        for at in range(300)
    ]

    index, pairs = page(tmp_path, rows, most=50, besides=Besides({"moved": [{"id": "q77"}]}))

    shown = set(index["rows"]["id"])
    assert {"q11", "q12", "q77"} <= shown
    assert len(shown) == len(pairs) == 50
    assert index["reached"] == 300
    assert index["reasons"] == {
        "moved since the other run": 1,
        "n/a": 1,
        "meaning far above words": 5,
        "words far above meaning": 5,
        "drawn at random": 38,
    }
    assert sum(cell[3] for cell in index["cells"]) == 250


def test_a_run_with_one_metric_has_no_axes_and_one_without_answers_is_told_too(tmp_path: Path) -> None:
    rows = [(Item("q", "e"), ScoredAnswer("a", (MetricScore("bleu", 0.5),)))]
    with a_store(tmp_path) as store:
        run = keep(store, rows)
        write_page(store, run, tmp_path / "page.html")
        empty = store.begin(run.test, run.set, encoder=MARK, conditions={})
        write_page(store, empty, tmp_path / "empty.html")

    assert blobs(tmp_path / "page.html")["index"][0]["axes"] is None
    (index,) = blobs(tmp_path / "empty.html")["index"]
    assert (index["reached"], index["questions"], index["whole"]) == (0, 1, False)


def made_table(size: int) -> RunTable:
    """A run of so many answers, every hundredth of them n/a."""
    rng = np.random.default_rng(3)
    values = rng.random((size, 3))
    values[::100, 0] = np.nan
    values[:, 2] = values[:, 2] > 0.3
    metrics = tuple(
        RunMetric(key, name, "", "")
        for key, name in enumerate(("semantic_similarity", "lexical_aggregate", "fact_agreement"))
    )
    test = StoredTest(1, "t", "p", "n", {}, {})
    began = datetime(2026, 1, 31, tzinfo=UTC)
    run = Run(1, "r", test, QuestionSet(1, size, ""), "", "", {}, began, None, size)
    names = tuple(f"q{at}" for at in range(size))
    return RunTable(run, names, ({},) * size, metrics, values, (size // 100, 0, 0), {}, 0)


def test_five_thousand_of_a_hundred_thousand_are_chosen_always_the_same() -> None:
    table = made_table(100_000)
    axes = Axes.of(table)

    once, again = chosen(table, axes), chosen(table, axes)

    assert len(once.positions) == MOST == sum(once.reasons.values())
    assert once.reasons["n/a"] == 500
    assert (once.positions == again.positions).all()
    assert len(set(once.positions.tolist())) == MOST


def test_the_data_is_plain_json(tmp_path: Path) -> None:
    index, pairs = page(tmp_path)

    assert json.loads(json.dumps([index, pairs], allow_nan=False)) == [index, pairs]


def gappy(
    folder: Path, size: int, answered: range, **more: Any
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The page of a run that a service has answered in an order of its own."""
    with a_store(folder) as store:
        chosen_set = store.keep_set(
            "bridge", [Item(f"question {at}", "e", id=f"q{at}") for at in range(size)]
        )
        test = store.test("bridge", "visitors", embedding={}, generation={})
        run = store.begin(test, chosen_set, encoder=MARK, conditions={})
        told = [
            (placed, ScoredAnswer(f"answer {placed.position}", read(0.5, placed.position / size)))
            for placed in store.questions(chosen_set)
            if placed.position in answered
        ]
        store.writer(run).add(told)
        write_page(store, store.run(str(run.key)), folder / "page.html", **more)
    held = blobs(folder / "page.html")
    return held["index"][0], [pair for pack in held.get("pairs", []) for pair in pack]


def test_questions_that_a_run_has_passed_over_shift_nobody_elses_answer(tmp_path: Path) -> None:
    index, pairs = gappy(tmp_path, 6, range(1, 5, 2))

    assert index["rows"]["position"] == [1, 3]
    assert index["rows"]["id"] == ["q1", "q3"]
    assert [pair["answer"] for pair in pairs] == ["answer 1", "answer 3"]
    assert index["rows"]["values"][index["axes"]["upwards"]] == pytest.approx([1 / 6, 3 / 6], abs=1e-5)
    assert (index["reached"], index["answered"], index["unanswered"], index["questions"]) == (2, 2, 0, 6)


def test_of_many_answers_with_gaps_only_what_is_there_is_chosen_and_counted(tmp_path: Path) -> None:
    index, pairs = gappy(tmp_path, 90, range(0, 90, 3), most=20)

    assert len(pairs) == len(index["rows"]["id"]) == sum(index["reasons"].values()) == 20
    assert all(position % 3 == 0 for position in index["rows"]["position"])
    assert [pair["answer"] for pair in pairs] == [f"answer {at}" for at in index["rows"]["position"]]
    assert sum(cell[3] for cell in index["cells"]) == 10


def test_a_prompt_without_passages_is_no_prompt_with_those_of_the_question(tmp_path: Path) -> None:
    rows = [
        (Item("one", "e", ("found",), id="1"), ScoredAnswer("a", read(0.5, 0.5), passages=())),
        (Item("two", "e", ("found",), id="2"), ScoredAnswer("a", read(0.5, 0.5))),
        (Item("three", "e", ("found",), id="3"), ScoredAnswer("a", read(0.5, 0.5), passages=("other",))),
    ]
    _, pairs = page(tmp_path, rows)

    assert [(pair["passages"], pair["bare"]) for pair in pairs] == [
        ([], True),
        (["found"], False),
        (["other"], False),
    ]


def test_a_slice_with_a_value_for_every_question_holds_no_more_than_is_shown(tmp_path: Path) -> None:
    rows = [
        (
            Item(f"question {at}", "e", (), {"author": f"author {at}"}, f"q{at}"),
            ScoredAnswer("a", read(0.5, 0.5)),
        )
        for at in range(200)
    ]
    index, _ = page(tmp_path, rows, most=30)

    author = index["rows"]["slices"]["author"]
    assert len(author["values"]) == 30
    assert author["of"] == 200
    named = [author["values"][at] for at in author["rows"]]
    assert named == [f"author {at}" for at in index["rows"]["position"]]
    (told,) = index["slices"]
    assert (len(told["values"]), told["others"]) == (30, 170)
