"""The totals of a run: means with intervals, and what is missing and why."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.summary import Totals, ordered, totals_of
from tests.databases import postgresql_database
from tests.ready_tables import make_tables


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EvalStore]:
    if request.param == "sqlite":
        yield from _opened(f"sqlite:///{tmp_path / 'evals.sqlite3'}")
    else:
        with postgresql_database() as address:
            yield from _opened(address)


def _opened(address: str) -> Iterator[EvalStore]:
    make_tables(address)
    opened = EvalStore.open(address)
    yield opened
    opened.close()


def totals(store: EvalStore, told: list[ScoredAnswer]) -> Totals:
    chosen = store.keep_set("atlas", [Item(f"What is {n}?", str(n)) for n in range(len(told))])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    names = sorted({one.metric for answer in told for one in answer.readings})
    run = store.begin(test, chosen, encoder="", conditions={"metrics": names, "encoders": [["minilm", "m"]]})
    store.writer(run).add(list(zip(store.questions(chosen), told, strict=True)))
    return totals_of(store, run)


def test_what_is_missing_is_counted_with_its_most_frequent_reason(store: EvalStore) -> None:
    broken = MetricScore("bleu", None, error="it broke")
    found = totals(
        store,
        [
            ScoredAnswer("a", (MetricScore("bleu", 0.5), MetricScore("rouge_l", 1.0))),
            ScoredAnswer("b", (broken, MetricScore("rouge_l", 0.0))),
            ScoredAnswer("c", (broken,)),
            ScoredAnswer("d", (MetricScore("bleu", None, error="it was odd"),)),
            ScoredAnswer(None, error="nobody was there"),
        ],
    )

    bleu, rouge = found.metrics
    assert (found.questions, found.answered, found.unanswered) == (5, 4, 1)
    assert found.unanswered_because == "nobody was there"
    assert (bleu.metric, bleu.n, bleu.mean, bleu.na) == ("bleu", 1, 0.5, 4)
    assert bleu.missing == {"could not be read": 3, "no answer": 1}
    assert bleu.because == "it broke"
    assert (rouge.n, rouge.mean, rouge.na) == (2, 0.5, 3)
    assert rouge.missing == {"no answer": 1, "does not apply": 2}
    assert rouge.because == "does not apply"
    assert not found.all_read
    assert found.unread == 3


def test_all_that_was_read_is_all_read_and_has_an_interval_around_its_mean(store: EvalStore) -> None:
    found = totals(store, [ScoredAnswer("a", (MetricScore("bleu", n / 40),)) for n in range(41)])

    (bleu,) = found.metrics
    assert found.all_read
    assert bleu.low is not None
    assert bleu.high is not None
    assert 0.35 < bleu.low < 0.5 < bleu.high < 0.65


def test_the_interval_of_many_is_that_of_a_normal_mean(store: EvalStore) -> None:
    values = np.random.default_rng(7).random(600)

    (bleu,) = totals(store, [ScoredAnswer("a", (MetricScore("bleu", float(v)),)) for v in values]).metrics

    reach = 1.959964 * values.std() / np.sqrt(len(values))
    assert bleu.mean == values.mean()
    assert (bleu.low, bleu.high) == pytest.approx((values.mean() - reach, values.mean() + reach), abs=1e-4)


def test_numbers_that_have_been_read_already_come_to_the_same(store: EvalStore) -> None:
    broken = MetricScore("latency", None, error="it broke")
    values = np.random.default_rng(8).random(150).tolist()
    told = [
        ScoredAnswer("a", (MetricScore("bleu", value), MetricScore("latency", 9 * value))) for value in values
    ]
    found = totals(store, [*told, ScoredAnswer("b", (broken,)), ScoredAnswer(None, error="nobody was there")])

    assert totals_of(store, store.table(store.run("latest"))) == found


def test_what_was_passed_over_is_not_answered_yet(store: EvalStore) -> None:
    chosen = store.keep_set("atlas", [Item(f"What is {n}?", str(n)) for n in range(4)])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(test, chosen, encoder="", conditions={})
    store.writer(run).add(
        [(list(store.questions(chosen))[2], ScoredAnswer("a", (MetricScore("bleu", 1.0),)))]
    )

    found = totals_of(store, run)

    assert (found.questions, found.answered, found.unanswered, found.unanswered_because) == (3, 1, 2, None)
    assert found == totals_of(store, store.table(run))


def test_metrics_are_told_as_the_catalogue_has_them_and_encoders_as_the_run_does(store: EvalStore) -> None:
    one, other = (("minilm", "m"), ("tiny", "t"))
    read = [
        MetricScore("words", 1.0),
        MetricScore("semantic_similarity", 1.0, None, None, *other),
        MetricScore("fact_agreement", 1.0),
        MetricScore("semantic_similarity", 1.0, None, None, *one),
        MetricScore("bleu", 1.0),
    ]
    chosen = store.keep_set("atlas", [Item("What is it?", "It.")])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    for encoders, told in (((one, other), ["minilm", "tiny"]), ((other, one), ["tiny", "minilm"])):
        run = store.begin(
            test, chosen, encoder=encoders[0][1], conditions={"encoders": [*map(list, encoders)]}
        )
        store.writer(run).add([(next(store.questions(chosen)), ScoredAnswer("a", tuple(read)))])
        found = totals_of(store, run).metrics

        names = ["bleu", "semantic_similarity", "semantic_similarity", "fact_agreement", "words"]
        assert [metric.metric for metric in found] == names
        assert [metric.encoder for metric in found if metric.encoder] == told
        assert [metric.name for metric in ordered(store.table(run)).metrics] == names


def begun(store: EvalStore, told: list[ScoredAnswer], **conditions: Any) -> Totals:
    chosen = store.keep_set("atlas", [Item(f"What is {n}?", str(n)) for n in range(len(told))])
    run = store.begin(
        store.test("atlas", "nightly", embedding={}, generation={}),
        chosen,
        encoder="m",
        conditions=conditions,
    )
    store.writer(run).add(list(zip(store.questions(chosen), told, strict=True)))
    found = totals_of(store, run)
    assert totals_of(store, store.table(run)) == found
    return found


def test_a_metric_that_read_nothing_is_told_with_all_as_not_applicable(store: EvalStore) -> None:
    found = begun(
        store,
        [ScoredAnswer("a", (MetricScore("bleu", 1.0),))] * 2,
        metrics=["bleu", "semantic_similarity", "retrieval_closeness"],
        encoders=[["minilm", "m"], ["tiny", "t"]],
    )

    assert [(one.metric, one.encoder, one.n, one.na) for one in found.metrics] == [
        ("bleu", "", 2, 0),
        ("semantic_similarity", "minilm", 0, 2),
        ("semantic_similarity", "tiny", 0, 2),
        ("retrieval_closeness", "minilm", 0, 2),
    ]
    assert found.metrics[1].because == "does not apply"
    assert {one.metric for one in found.silent} == {"semantic_similarity", "retrieval_closeness"}


def test_readings_beside_no_answer_take_nothing_from_those_that_do_not_apply(store: EvalStore) -> None:
    read = (MetricScore("bleu", 1.0),)
    found = begun(store, [ScoredAnswer("a"), ScoredAnswer(None, read, "lost"), ScoredAnswer("b", read)])

    (bleu,) = found.metrics
    assert (bleu.n, bleu.na, bleu.missing) == (2, 1, {"does not apply": 1})


def test_a_blank_answer_is_missing_in_a_mean_and_the_mean_with_0_for_it_stands_beside(
    store: EvalStore,
) -> None:
    nothing = MetricScore("grounded", None, "the text is empty")
    found = begun(
        store, [ScoredAnswer("a", (MetricScore("grounded", 0.9),)), *[ScoredAnswer("", (nothing,))] * 2]
    )

    (grounded,) = found.metrics
    assert (grounded.n, grounded.mean, grounded.missing) == (1, 0.9, {"nothing to read": 2})
    assert grounded.mean_blank_as_0 == pytest.approx(0.3)
    assert found.to_data()["metrics"][0]["mean_blank_as_0"] == grounded.mean_blank_as_0
    assert not found.all_read


def test_without_blank_answers_both_means_are_the_same(store: EvalStore) -> None:
    found = begun(store, [ScoredAnswer("a", (MetricScore("bleu", 0.7),)), ScoredAnswer(None, (), "lost")])

    assert found.metrics[0].mean_blank_as_0 == found.metrics[0].mean == 0.7


def test_what_had_nothing_to_read_is_no_failure_and_words_that_were_lacking_are_told(
    store: EvalStore,
) -> None:
    lacking = MetricScore("rouge_l", 0.0, "there is nothing to compare in either text, which counts as 0")
    nothing = MetricScore("fact_agreement", None, "there are no facts")
    found = begun(store, [ScoredAnswer("\u6771\u4eac", (lacking,)), ScoredAnswer("", (lacking, nothing))])

    assert not found.all_read
    assert found.unread == 0
    assert found.metrics[1].missing == {"does not apply": 1, "nothing to read": 1}
    assert found.notes == (
        "`rouge_l` had no words to compare in 1 answer, and reads 0 there",
        "`fact_agreement` found nothing to read in 1 answer: there are no facts",
    )
