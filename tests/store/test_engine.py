"""Who reads while others write sees one moment; who writes at the same time as others is not refused."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import InternalError

from sensecheck.core.run import Item, MetricScore, PlacedItem, Run, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.sql_write import metric_keys, write_answers
from sensecheck.store.engine import reading, writing
from sensecheck.store.tables import answers, batches, evals, run_events, sets
from tests.databases import postgresql_database
from tests.ready_tables import make_tables

QUESTIONS = [Item(f"What is {n}?", str(n)) for n in range(60)]
TOLD = ScoredAnswer("It is so.", (MetricScore("bleu", 0.5), MetricScore("rouge_l", 0.25)))


def begun(store: EvalStore) -> tuple[Run, list[PlacedItem]]:
    test = store.test("numbers", "nightly", embedding={}, generation={})
    chosen = store.keep_set("numbers", QUESTIONS)
    return store.begin(test, chosen, encoder="", conditions={}), list(store.questions(chosen))


def while_reading(store: EvalStore, write: Callable[[], None]) -> list[int]:
    """How many answers a reader counts before and after somebody writes."""
    with reading(store.engine) as connection:
        count = select(func.count()).select_from(answers)
        before = connection.execute(count).scalar_one()
        write()
        return [before, connection.execute(count).scalar_one()]


def test_all_statements_of_a_reader_see_one_moment(store: EvalStore) -> None:
    run, questions = begun(store)

    assert while_reading(store, lambda: store.writer(run).add([(questions[0], TOLD)])) == [0, 0]
    assert while_reading(store, lambda: None) == [1, 1]


def test_a_reader_leaves_the_connection_as_it_was(store: EvalStore) -> None:
    run, questions = begun(store)
    for placed in questions[:3]:
        store.table(run)
        store.writer(run).add([(placed, TOLD)])

    assert store.run_by_key(run.key).done == 3


def test_the_table_of_a_run_that_is_being_written_has_as_many_rows_as_numbers(store: EvalStore) -> None:
    run, questions = begun(store)
    writer = store.writer(run)

    def write() -> None:
        for placed in questions:
            writer.add([(placed, TOLD)])

    with ThreadPoolExecutor(1) as pool:
        writing_it = pool.submit(write)
        while not writing_it.done():
            table = store.table(run)
            assert table.values.shape[0] == len(table.names)
        writing_it.result()

    assert store.table(run).values.tolist() == [[0.5, 0.25]] * len(questions)


def test_a_set_that_two_begin_at_once_is_one_set(store: EvalStore) -> None:
    store.test("numbers", "nightly", embedding={}, generation={})
    at_once = threading.Barrier(4)

    def keep() -> int:
        at_once.wait()
        return store.keep_set("numbers", QUESTIONS).key

    with ThreadPoolExecutor(4) as pool:
        found = [one.result() for one in [pool.submit(keep) for _ in range(4)]]

    assert len(set(found)) == 1
    with store.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(sets)).scalar_one() == 1


def test_a_run_is_finished_once_whoever_says_so(store: EvalStore) -> None:
    run, _ = begun(store)
    with ThreadPoolExecutor(4) as pool:
        for one in [pool.submit(store.finish, run) for _ in range(4)]:
            one.result()
    first = store.run_by_key(run.key).finished_at
    store.finish(run)

    finished = select(func.count()).where(run_events.c.kind == "finished")
    with store.engine.connect() as connection:
        assert connection.execute(finished).scalar_one() == 1
    assert store.run_by_key(run.key).finished_at == first


def test_answers_in_any_order_are_kept_with_the_moment_of_their_own_batch(store: EvalStore) -> None:
    run, questions = begun(store)
    store.writer(run).add([(questions[at], TOLD) for at in (0, 1, 4, 5, 8)])
    with writing(store.engine) as connection:  # the day after, those between
        late = select(func.max(batches.c.written_at)).scalar_subquery()
        moment = connection.execute(select(late)).scalar_one() + timedelta(days=1)
        mark = {"run": run.key, "first": 2, "size": 2, "token": "other", "written_at": moment}
        connection.execute(batches.insert(), mark)
        keys = metric_keys(connection, TOLD.readings)
        write_answers(connection, run.key, [(questions[at], TOLD) for at in (2, 3)], keys)

    with store.engine.connect() as connection:
        rows = connection.execute(select(batches.c.first, batches.c.size).order_by(batches.c.first)).all()
        moments = connection.execute(select(evals.c.created_at).order_by(evals.c.qa_pair_id)).scalars()
        late_ones = sum(each.date() == moment.date() for each in moments)
    assert [tuple(row) for row in rows] == [(0, 2), (2, 2), (4, 2), (8, 1)]
    assert late_ones == 2
    assert store.run_by_key(run.key).done == 7


@pytest.mark.database
def test_a_reader_of_postgresql_cannot_write() -> None:
    with postgresql_database() as address:
        make_tables(address)
        store = EvalStore.open(address)
        with pytest.raises(InternalError, match="read-only"), reading(store.engine) as connection:
            connection.execute(text("DELETE FROM projects"))
        store.close()
