"""A store of evaluations keeps what it is given, once, and gives it back."""

import re
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import text

from sensecheck.core.errors import SampleError, SpecError, StorageError
from sensecheck.core.run import Item, MetricScore, PlacedItem, Run, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from sensecheck.store.address import as_written
from sensecheck.store.tables import runs

PARIS = Item("What is the capital of France?", "Paris.", ("France is in Europe.",), {"topic": "places"})
TEN = Item("How many fingers?", "Ten.", id="fingers")


def begun(store: EvalStore, *pairs: Item) -> Run:
    chosen = store.keep_set("atlas", pairs or (PARIS, TEN))
    test = store.test("atlas", "nightly", embedding={"encoder": "minilm"}, generation={"model": "m"})
    return store.begin(test, chosen, encoder="mark-1", conditions={"metrics": ["bleu"]})


def told(answer: str | None = "Paris", value: float | None = 0.5) -> ScoredAnswer:
    readings = (
        MetricScore("bleu", value, error=None if value is not None else "it broke"),
        MetricScore("semantic_similarity", 0.9, encoder="minilm", fingerprint="mark-1"),
        MetricScore("semantic_similarity", 0.7, encoder="other", fingerprint="mark-2"),
    )
    return ScoredAnswer(answer, readings, labels={"correct": 1.0})


def placed(store: EvalStore, run: Run) -> list[PlacedItem]:
    return list(store.questions(run.set))


def test_what_is_kept_comes_back_as_it_was(store: EvalStore) -> None:
    run = begun(store)
    first, second = placed(store, run)
    store.writer(run).add([(first, told()), (second, told(None, None))])

    one, other = store.answers(store.run("latest"))

    assert one.item == PARIS
    assert one.scored == told()
    assert other.item == TEN
    assert other.scored == told(None, None)


def test_questions_come_in_their_order_and_from_any_position(store: EvalStore) -> None:
    questions = [Item(f"What is {n}?", str(n)) for n in range(2500)]
    chosen = store.keep_set("numbers", questions)

    assert [one.item for one in store.questions(chosen)] == questions
    assert [one.position for one in store.questions(chosen, after=2499)] == [2499]


def test_the_same_questions_are_the_same_set_and_other_words_are_another(store: EvalStore) -> None:
    once, again = store.keep_set("atlas", [PARIS, TEN]), store.keep_set("atlas", [PARIS, TEN])

    assert once == again
    assert store.keep_set("atlas", [TEN, PARIS]) != once
    assert store.keep_set("atlas", [replace(PARIS, expected="Lyon."), TEN]) != once
    assert store.latest_set("atlas") != once


def test_a_stored_set_can_be_kept_again_as_it_is(store: EvalStore) -> None:
    once = store.keep_set("atlas", [PARIS, TEN])

    assert store.keep_set("atlas", (one.item for one in store.questions(once))) == once


def test_a_question_twice_is_an_error_that_says_which(store: EvalStore) -> None:
    with pytest.raises(SampleError, match="the question 3 is the same as the question 1"):
        store.keep_set("atlas", [PARIS, TEN, PARIS])
    with pytest.raises(SampleError, match="the questions 1 and 2 have the same id `fingers`"):
        store.keep_set("atlas", [TEN, replace(TEN, expected="10")])
    with pytest.raises(SampleError, match="there are no questions"):
        store.keep_set("atlas", [])


def test_another_configuration_is_another_test(store: EvalStore) -> None:
    def kept(model: str) -> str:
        return store.test("atlas", "nightly", embedding={}, generation={"model": model}).id

    assert kept("a") == kept("a")
    assert kept("a") != kept("b")


def test_a_batch_written_again_by_the_same_writer_is_written_once(store: EvalStore) -> None:
    run = begun(store)
    writer, batch = store.writer(run), [(one, told()) for one in placed(store, run)]
    writer.add(batch)
    writer.add(batch)

    assert store.run("latest").done == 2
    assert len(list(store.answers(run))) == 2


def test_a_second_writer_of_the_same_run_is_told(store: EvalStore) -> None:
    run = begun(store)
    batch = [(one, told()) for one in placed(store, run)]
    store.writer(run).add(batch[:1])

    with pytest.raises(
        StorageError, match=r"the run \d+ is being written by another process, from question 1 on"
    ):
        store.writer(run).add(batch)


def test_history_cannot_be_changed(store: EvalStore) -> None:
    run = begun(store)
    store.writer(run).add([(one, told()) for one in placed(store, run)])

    for table in ("answers", "readings", "pairs", "runs", "tests", "labels"):
        column = {"answers": "error", "readings": "error", "labels": "rater"}.get(table, "id")
        with pytest.raises(Exception, match="kept as it is"), store.engine.begin() as connection:
            connection.execute(text(f"UPDATE {table} SET {column} = 'x'"))


def test_numbers_come_as_a_table_with_nan_for_what_could_not_be_read(store: EvalStore) -> None:
    run = begun(store)
    first, second = placed(store, run)
    store.writer(run).add([(first, told()), (second, told(None, None))])

    table = store.table(run)

    bleu, main, other = table.column("bleu"), table.column("semantic_similarity"), table.column("x")
    assert bleu is not None
    np.testing.assert_array_equal(bleu, [0.5, np.nan])
    assert main is not None
    assert list(main) == [0.9, 0.9]
    assert other is None
    assert table.unanswered == 1
    assert table.names == (PARIS.name, "fingers")
    assert table.unread[[metric.name for metric in table.metrics].index("bleu")] == 1
    assert list(table.labels["correct"]) == [1.0, 1.0]


def test_runs_are_found_by_number_word_and_id(store: EvalStore) -> None:
    one, other = begun(store), begun(store)

    assert store.run(str(one.key)).id == one.id
    assert store.run("latest").id == other.id
    assert store.run("previous").id == one.id
    assert store.run(other.id).key == other.key
    assert [run.key for run in store.runs(project="atlas")] == [one.key, other.key]
    with pytest.raises(SpecError, match="there is no run `77`"):
        store.run("77")


def test_digits_that_are_a_number_and_the_id_of_another_run_want_to_be_told_apart(store: EvalStore) -> None:
    one, other = begun(store), begun(store)
    imported = {"test": one.test.key, "set": one.set.key, "name": "imported", "encoder": "", "conditions": {}}
    ids = (str(one.key), "4711")
    with store.engine.begin() as connection:
        rows = [imported | {"id": name, "started_at": one.started_at} for name in ids]
        connection.execute(runs.insert(), rows)

    clash = (
        f"`{one.key}` is the number of a run, and the id of another, the run 3; write `number:1` or `id:1`"
    )
    with pytest.raises(SpecError, match=clash):
        store.run(str(one.key))
    assert store.run(f"number:{one.key}").id == store.run_by_key(one.key).id == one.id
    assert store.run(f"id:{one.key}").name == store.run("4711").name == "imported"
    assert store.run(str(other.key)).id == other.id
    with pytest.raises(SpecError, match="there is no run 77"):
        store.run_by_key(77)


def test_texts_that_no_database_holds_are_kept_with_a_mark(store: EvalStore) -> None:
    run = begun(store, Item("a\0b \ud800 𝒳", "c"))
    (only,) = placed(store, run)
    store.writer(run).add([(only, ScoredAnswer("x\0y", (MetricScore("bleu", 1.0, because="\udfff"),)))])

    (back,) = store.answers(run)

    assert back.item.question == "a\ufffdb \ufffd 𝒳"
    assert back.scored.answer == "x\ufffdy"


def test_runs_are_found_by_their_name(store: EvalStore) -> None:
    first = begun(store)
    one, two, again = (
        store.begin(first.test, first.set, name=name, encoder="", conditions={})
        for name in ("alpha", "beta", "beta")
    )

    assert store.run("alpha").key == store.run("name:alpha").key == one.key
    assert store.run("alpha", project="atlas").key == one.key
    with pytest.raises(SpecError, match=f"`beta` is the name of several runs: {two.key}, {again.key}; name"):
        store.run("beta")
    with pytest.raises(
        SpecError, match=r"there is no run `alpa`; did you mean `alpha`\? name it by its number"
    ):
        store.run("alpa")
    with pytest.raises(SpecError, match="there is no run `name:`"):
        store.run("name:")


def test_the_latest_run_is_the_one_that_began_last_and_the_previous_one_is_of_its_test(
    store: EvalStore,
) -> None:
    one = begun(store)
    elsewhere = store.test("elsewhere", "default", embedding={}, generation={})
    store.begin(elsewhere, one.set, encoder="", conditions={})
    store.keep_set("new", [PARIS])
    with pytest.raises(SpecError, match="no evaluation is stored yet in the project `new`; make one with"):
        store.run("latest", project="new")
    other = begun(store)
    imported = {"test": one.test.key, "set": one.set.key, "name": "", "encoder": "", "conditions": {}}
    with store.engine.begin() as connection:
        old = imported | {"id": "old", "started_at": one.started_at - timedelta(days=9)}
        connection.execute(runs.insert(), [old])

    assert store.run("latest").key == other.key
    assert store.run("previous").key == one.key
    with pytest.raises(SpecError, match="there is one run only; a comparison needs two"):
        store.run("previous", project="elsewhere")


def test_an_empty_store_says_how_to_make_a_run(store: EvalStore) -> None:
    named = re.escape(as_written(store.engine.url))
    make = rf"make one with `sensecheck eval QUESTIONS --store {named}`$"
    with pytest.raises(SpecError, match=rf"^no evaluation is stored yet; {make}"):
        store.run("latest")
    with pytest.raises(SpecError, match="there is no run `7`: no evaluation is stored yet"):
        store.run("7")
