"""A run answers, reads and keeps its questions a batch at a time, and goes on where it stopped."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.run import Item, MetricScore, PlacedItem, RecordedAnswer, Run, ScoredAnswer
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.openai import openai_encoder
from sensecheck.encoders.wrappers import Silent
from sensecheck.evaluation.batches import read_batch, read_nothing, run_questions
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.measures.metrics import metrics_named
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.summary import MetricSummary, totals_of
from tests.conftest import Counting
from tests.ready_tables import make_tables
from tests.servers import serving

QUESTIONS = tuple(Item(f"What is {n} and {n}?", f"It is {2 * n}.", id=f"sum-{n}") for n in range(10))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EvalStore]:
    address = f"sqlite:///{tmp_path / 'evals.sqlite3'}"
    make_tables(address)
    opened = EvalStore.open(address)
    yield opened
    opened.close()


def begun(store: EvalStore, questions: Sequence[Item] = QUESTIONS) -> Run:
    test = store.test("sums", "nightly", embedding={}, generation={})
    chosen = store.keep_set("sums", questions)
    return store.begin(test, chosen, encoder=HashingEncoder().fingerprint, conditions={})


def panel(*encoders: Encoder, metrics: Sequence[str] = ("bleu", "semantic_similarity")) -> Panel:
    return Panel(metrics_named(metrics), tuple(NamedEncoder(one.name, one) for one in encoders))


def told(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
    return [RecordedAnswer(one.item.expected) for one in some]


def test_every_question_is_kept_once_in_its_order_with_all_that_was_read(store: EvalStore) -> None:
    run = begun(store)
    sizes = [len(batch) for batch in run_questions(store, run, told, panel(HashingEncoder()), batch_size=4)]

    kept = list(store.answers(store.run("latest")))
    assert sizes == [4, 4, 2]
    assert [one.item for one in kept] == list(QUESTIONS)
    assert [one.scored.answer for one in kept] == [pair.expected for pair in QUESTIONS]
    assert all([r.value for r in one.scored.readings] == pytest.approx([1.0, 1.0]) for one in kept)
    assert store.run("latest").finished_at is not None


def test_a_run_that_goes_on_makes_the_same_batches_as_one_that_was_never_stopped(store: EvalStore) -> None:
    first = begun(store)
    some = list(store.questions(first.set))[:3]
    store.writer(first).add(read_batch(some, told(some), panel(HashingEncoder())))
    asked: list[list[int]] = []

    def noted(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        asked.append([one.position for one in some])
        return told(some)

    list(run_questions(store, store.run("latest"), noted, panel(HashingEncoder()), batch_size=4))

    assert asked == [[3], [4, 5, 6, 7], [8, 9]]
    assert [one.position for one in store.answers(first)] == list(range(10))
    assert store.run("latest").whole


def test_each_batch_is_kept_before_it_is_handed_on(store: EvalStore) -> None:
    run = begun(store)
    coming = run_questions(store, run, told, panel(HashingEncoder()), batch_size=4)
    next(coming)

    assert store.run("latest").done == 4
    assert store.run("latest").finished_at is None


def test_a_text_is_placed_once_a_batch_and_nothing_twice_with_the_same_expected_answer(
    store: EvalStore,
) -> None:
    encoder = Counting()
    same = [Item(f"Question {n}?", "Always this.") for n in range(6)]
    list(run_questions(store, begun(store, same), told, panel(encoder)))

    assert encoder.asked == ["Always this."]


def test_a_question_that_nobody_answered_is_kept_with_its_reason_and_without_readings(
    store: EvalStore,
) -> None:
    def some_fail(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        return [
            RecordedAnswer(None, "the model was away") if one.position == 1 else RecordedAnswer("It is 4.")
            for one in some
        ]

    list(run_questions(store, begun(store, QUESTIONS[:3]), some_fail, panel(HashingEncoder())))
    kept = [one.scored for one in store.answers(store.run("latest"))]

    assert [one.error for one in kept] == [None, "the model was away", None]
    assert [len(one.readings) for one in kept] == [2, 0, 2]
    assert kept[2].answer == "It is 4."  # readings go to their own answer, past the one that is missing


def test_an_empty_answer_is_zero_and_is_warned_of_without_its_text(
    store: EvalStore, caplog: pytest.LogCaptureFixture
) -> None:
    def empty(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        return [RecordedAnswer("") for _ in some]

    with caplog.at_level(logging.WARNING, "sensecheck.evaluation"):
        list(run_questions(store, begun(store, QUESTIONS[:1]), empty, panel(HashingEncoder())))
    (kept,) = store.answers(store.run("latest"))

    assert [one.value for one in kept.scored.readings] == [0.0, 0.0]
    assert "1 of 1 answers are empty, first that to question 1: their similarity is 0.0" in caplog.text
    assert "What is 0" not in caplog.text


def test_where_there_is_no_expected_answer_nothing_is_read_and_nothing_is_wrong(
    store: EvalStore, caplog: pytest.LogCaptureFixture
) -> None:
    def answer(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        return [RecordedAnswer("It is 4.") for _ in some]

    list(run_questions(store, begun(store, [Item("What is it?", None)]), answer, panel(HashingEncoder())))
    (kept,) = store.answers(store.run("latest"))

    assert kept.scored.readings == ()
    assert caplog.text == ""


def test_when_an_encoder_fails_its_number_is_null_with_the_error_and_the_others_are_stored(
    store: EvalStore, caplog: pytest.LogCaptureFixture
) -> None:
    with serving("embeddings.py") as endpoint, caplog.at_level(logging.ERROR, "sensecheck.evaluation"):
        broken = openai_encoder(f"{endpoint}/one/v1", "fails", retries=0)
        list(run_questions(store, begun(store, QUESTIONS[:2]), told, panel(HashingEncoder(), broken)))
    kept = [one.scored for one in store.answers(store.run("latest"))]

    for one in kept:
        bleu, own, failed = one.readings
        assert bleu.value == pytest.approx(1.0)
        assert own.value == pytest.approx(1.0)
        assert (failed.metric, failed.encoder, failed.value) == ("semantic_similarity", "fails", None)
        assert "503 Service Unavailable" in str(failed.error)
    assert "2 of 2 answers, first that to question 1, were not read by: semantic_similarity" in caplog.text


def test_a_batch_that_is_not_read_is_one_line_in_the_log(
    store: EvalStore, caplog: pytest.LogCaptureFixture
) -> None:
    silent = openai_encoder("http://127.0.0.1:9/v1", "away", retries=0)
    with caplog.at_level(logging.WARNING, "sensecheck.evaluation"):
        batches = list(run_questions(store, begun(store), told, panel(silent), batch_size=5))

    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    assert "5 of 5 answers, first that to question 6, were not read by" in caplog.text
    ((because, names),) = read_nothing(batches[0]).items()
    assert names == {"semantic_similarity"}
    assert because.startswith("`http://127.0.0.1:9/v1` could not be reached")


def test_who_reads_one_answer_of_a_batch_reads_not_nothing() -> None:
    broken, read = MetricScore("bleu", None, error="it broke"), MetricScore("bleu", 0.5)
    first, second = (PlacedItem(n, n, pair) for n, pair in enumerate(QUESTIONS[:2]))

    assert read_nothing([(first, ScoredAnswer("a", (broken,))), (second, ScoredAnswer("b", (read,)))]) == {}
    assert read_nothing([(first, ScoredAnswer("a", (broken,)))]) == {"it broke": {"bleu"}}


def test_what_the_prompt_held_is_what_the_metrics_read(store: EvalStore) -> None:
    pair = Item("When did it open?", "In 1937.", ("Dogs may swim.",))

    def retrieved(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        return [RecordedAnswer("In 1937.", passages=("When did it open?",), latency_ms=12.0) for _ in some]

    metrics = ("retrieval_closeness", "latency")
    list(run_questions(store, begun(store, [pair]), retrieved, panel(HashingEncoder(), metrics=metrics)))
    (kept,) = store.answers(store.run("latest"))

    assert {one.metric: one.value for one in kept.scored.readings} == {
        "retrieval_closeness": pytest.approx(1.0),
        "latency": 12.0,
    }
    assert kept.scored.passages == ("When did it open?",)


def test_two_encoders_that_are_away_are_two_and_neither_takes_the_name_of_the_other(store: EvalStore) -> None:
    run = begun(store)
    away = tuple(NamedEncoder(name, Silent(name, f"{name} is away")) for name in ("one", "other"))
    for _ in run_questions(store, run, told, Panel(metrics_named(["bleu", "semantic_similarity"]), away)):
        pass

    first, *_ = store.answers(run)
    similar = {one.encoder: one.error for one in first.scored.readings if one.metric == "semantic_similarity"}
    assert similar == {"one": "one is away", "other": "other is away"}


def test_an_encoder_that_is_away_when_a_run_begins_stays_silent_to_its_end() -> None:
    silent = NamedEncoder("one", Silent("one", "it is away")).settled()
    there = NamedEncoder("hashing", HashingEncoder()).settled()

    assert isinstance(silent.encoder, Silent)
    assert silent.mark == ("one", "never answered: one")
    assert isinstance(there.encoder, HashingEncoder)


def test_the_table_and_the_totals_of_a_run_tell_the_same_reasons(store: EvalStore) -> None:
    pairs = [Item("When?", "In 1937.", ("It opened in 1937.",), id="a"), Item("Who?", "Ida.", id="b")]
    run = begun(store, pairs)
    empty = Panel(metrics_named(["grounded"]), (NamedEncoder("hashing", HashingEncoder()),))
    for _ in run_questions(store, run, lambda some: [RecordedAnswer(" ")] * len(some), empty):
        pass

    assert MetricSummary.of_column(store.table(run), 0).missing == totals_of(store, run).metrics[0].missing
