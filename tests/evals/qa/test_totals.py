"""The totals of a run: means with intervals, and what is missing and why."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sensecheck.evals.qa.totals import FEW, Totals, totals_of
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import KeptAnswer, KeptReading, Pair
from sensecheck.store.upgrading import upgrade
from tests.databases import postgresql_database


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EvalStore]:
    if request.param == "sqlite":
        yield from _opened(f"sqlite:///{tmp_path / 'evals.sqlite3'}")
    else:
        with postgresql_database() as address:
            yield from _opened(address)


def _opened(address: str) -> Iterator[EvalStore]:
    upgrade(address)
    opened = EvalStore.open(address)
    yield opened
    opened.close()


def totals(store: EvalStore, told: list[KeptAnswer]) -> Totals:
    chosen = store.keep_set("atlas", [Pair(f"What is {n}?", str(n)) for n in range(len(told))])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(
        test, chosen, encoder="", conditions={"metrics": ["rouge_l", "bleu"], "encoders": [["minilm", "m"]]}
    )
    store.writer(run).add(list(zip(store.questions(chosen), told, strict=True)))
    return totals_of(store, run)


def test_what_is_missing_is_counted_with_its_most_frequent_reason(store: EvalStore) -> None:
    broken = KeptReading("bleu", None, error="it broke")
    found = totals(
        store,
        [
            KeptAnswer("a", (KeptReading("bleu", 0.5), KeptReading("rouge_l", 1.0))),
            KeptAnswer("b", (broken, KeptReading("rouge_l", 0.0))),
            KeptAnswer("c", (broken,)),
            KeptAnswer("d", (KeptReading("bleu", None, error="it was odd"),)),
            KeptAnswer(None, error="nobody was there"),
        ],
    )

    rouge, bleu = found.metrics
    assert (found.questions, found.answered, found.unanswered) == (5, 4, 1)
    assert found.unanswered_because == "nobody was there"
    assert (bleu.metric, bleu.n, bleu.mean, bleu.missing, bleu.unread) == ("bleu", 1, 0.5, 3, 3)
    assert bleu.because == "it broke"
    assert (rouge.n, rouge.mean, rouge.missing, rouge.unread) == (2, 0.5, 2, 0)
    assert rouge.because is not None
    assert rouge.because.startswith("does not apply")
    assert not found.all_read
    assert found.unread == 3


def test_all_that_was_read_is_all_read_and_has_an_interval_around_its_mean(store: EvalStore) -> None:
    found = totals(store, [KeptAnswer("a", (KeptReading("bleu", n / 40),)) for n in range(41)])

    (bleu,) = found.metrics
    assert found.all_read
    assert bleu.low is not None
    assert bleu.high is not None
    assert 0.35 < bleu.low < 0.5 < bleu.high < 0.65


def test_the_interval_of_many_is_that_of_a_normal_mean(store: EvalStore) -> None:
    values = np.random.default_rng(7).random(FEW * 3)

    (bleu,) = totals(store, [KeptAnswer("a", (KeptReading("bleu", float(v)),)) for v in values]).metrics

    reach = 1.959964 * values.std(ddof=1) / np.sqrt(len(values))
    assert (bleu.mean, bleu.low, bleu.high) == pytest.approx(
        (values.mean(), values.mean() - reach, values.mean() + reach), abs=1e-9
    )
