"""Names and numbers are kept alike by both databases, or refused with a reason before they are asked."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.run import Item, MetricScore, PlacedItem, Run, ScoredAnswer
from sensecheck.runs.record import Label
from sensecheck.runs.sql import EvalStore
from sensecheck.store.columns import MAX_INDEXED_CHARS

ONE = Item("What is the capital of France?", "Paris.", ("France is in Europe.",), id="france")
FULL, LONG = "𝒳" * MAX_INDEXED_CHARS, "n" * (MAX_INDEXED_CHARS + 1)


def begun(store: EvalStore, *, name: str = "", pair: Item = ONE) -> tuple[Run, PlacedItem]:
    test = store.test("atlas", "nightly", embedding={}, generation={})
    chosen = store.keep_set("atlas", [pair])
    return store.begin(test, chosen, name=name, encoder="", conditions={}), next(store.questions(chosen))


def test_names_of_five_hundred_characters_are_kept_whatever_they_are_made_of(store: EvalStore) -> None:
    test = store.test(FULL, FULL, embedding={}, generation={})
    chosen = store.keep_set(FULL, [replace(ONE, id=FULL)])
    run = store.begin(test, chosen, name=FULL, encoder="", conditions={})
    store.writer(run).add([(next(store.questions(chosen)), ScoredAnswer("a", (MetricScore(FULL, 0.5),)))])
    store.label(run, [Label(FULL, FULL, 1.0)])

    (found,) = store.answers(store.run("latest", project=FULL))

    assert (found.item.id, found.scored.readings[0].metric) == (FULL, FULL)
    assert found.scored.labels == {FULL: 1.0}


def test_a_longer_name_is_an_error_that_says_which(store: EvalStore) -> None:
    run, placed = begun(store)
    wants = rf"`n{{40}}…` has {MAX_INDEXED_CHARS + 1} characters; wanted at most {MAX_INDEXED_CHARS}"

    with pytest.raises(SpecError, match=f"the name of a project is too long: {wants}"):
        store.keep_set(LONG, [ONE])
    with pytest.raises(SpecError, match="the name of a test is too long"):
        store.test("atlas", LONG, embedding={}, generation={})
    with pytest.raises(SpecError, match="the name of a run is too long"):
        begun(store, name=LONG)
    with pytest.raises(SampleError, match="the id of a question is too long"):
        store.keep_set("atlas", [replace(ONE, id=LONG)])
    with pytest.raises(SpecError, match="the name of a metric is too long"):
        store.writer(run).add([(placed, ScoredAnswer("a", (MetricScore(LONG, 1.0),)))])
    with pytest.raises(SampleError, match="the name of a label is too long"):
        store.writer(run).add([(placed, ScoredAnswer("a", labels={LONG: 1.0}))])
    store.writer(run).add([(placed, ScoredAnswer("a"))])
    with pytest.raises(SampleError, match="the name of who labels is too long"):
        store.label(run, [Label("france", "correct", 1.0, LONG)])


def test_names_that_no_database_holds_are_kept_with_a_mark_and_found_again(store: EvalStore) -> None:
    test = store.test("at\0las", "night\0ly", embedding={}, generation={})
    chosen = store.keep_set("at\0las", [ONE])
    run = store.begin(test, chosen, name="r\0n", encoder="", conditions={})
    told = ScoredAnswer("a", (MetricScore("b\0u", 0.5),), labels={"c\0d": 1.0})
    store.writer(run).add([(next(store.questions(chosen)), told)])

    (found,) = store.runs(project="at\0las", test="night\0ly")

    assert (found.name, found.test.project) == ("r\ufffdn", "at\ufffdlas")
    assert store.latest_set("at\0las") == chosen
    assert store.table(run).metrics[0].name == "b\ufffdu"
    assert list(store.table(run).labels) == ["c\ufffdd"]


def test_numbers_of_numpy_are_numbers(store: EvalStore) -> None:
    run, placed = begun(store)
    value: Any = np.float32(0.5)
    other = np.float64(0.25)
    told = ScoredAnswer(
        "a", (MetricScore("bleu", value),), latency_ms=value, cost=other, labels={"ok": value}
    )
    store.writer(run).add([(placed, told)])

    (found,) = store.answers(run)

    assert found.scored.readings[0].value == found.scored.latency_ms == found.scored.labels["ok"] == 0.5
    assert found.scored.cost == 0.25
    assert store.table(run).values.tolist() == [[0.5]]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float32("-inf")])
def test_what_is_not_finite_is_no_number_and_the_reason_is_kept(value: float, store: EvalStore) -> None:
    run, placed = begun(store)
    told = ScoredAnswer("a", (MetricScore("bleu", value), MetricScore("rouge_l", 1.0)), latency_ms=value)
    store.writer(run).add([(placed, told)])

    (found,) = store.answers(run)

    bleu, rouge = found.scored.readings
    assert (bleu.value, bleu.error) == (None, f"the value is {value}; wanted a finite number")
    assert rouge.value == 1.0
    assert found.scored.latency_ms is None
    assert found.scored.error == f"`latency_ms` is {value}; wanted a finite number"
    assert store.table(run).unread == (1, 0)


def test_a_label_that_is_no_number_is_refused(store: EvalStore) -> None:
    run, placed = begun(store)

    with pytest.raises(SampleError, match="the label `correct` must be a finite number; got nan"):
        store.writer(run).add([(placed, ScoredAnswer("a", labels={"correct": float("nan")}))])


def test_a_prompt_that_held_nothing_is_not_one_as_the_question_came(store: EvalStore) -> None:
    pairs = [replace(ONE, id=str(n)) for n in range(3)]
    test, chosen = store.test("atlas", "t", embedding={}, generation={}), store.keep_set("atlas", pairs)
    run = store.begin(test, chosen, encoder="", conditions={})
    held = [None, (), ("Lyon is a city.",)]
    told = [ScoredAnswer("a", passages=passages) for passages in held]
    store.writer(run).add(list(zip(store.questions(chosen), told, strict=True)))

    assert [one.scored.passages for one in store.answers(run)] == held


def test_where_several_people_label_an_answer_the_mean_is_read(store: EvalStore) -> None:
    run, placed = begun(store)
    store.writer(run).add([(placed, ScoredAnswer("a", labels={"correct": 1.0}))])
    store.label(run, [Label("france", "correct", 0.0, "ann"), Label("france", "correct", 1, "bo")])

    (found,) = store.answers(run)

    assert found.scored.labels == {"correct": pytest.approx(2 / 3)}
    assert store.table(run).labels["correct"][0] == pytest.approx(2 / 3)
