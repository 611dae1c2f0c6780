"""A run goes on after the database was away, and nothing is lost or written twice."""

from collections.abc import Callable

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from sensecheck.core.errors import StorageError
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from sensecheck.store.retry import Patience
from tests.databases import postgresql_database, postgresql_place
from tests.ready_tables import make_tables
from tests.store.cut_wire import CutWire, cut_wire

pytestmark = [pytest.mark.database, pytest.mark.fault]


QUESTIONS = [Item(f"What is {n}?", str(n)) for n in range(30)]
TOLD = ScoredAnswer("It is so.", (MetricScore("bleu", 0.5),))


def run_through(store: EvalStore, wire: CutWire | None = None) -> None:
    test = store.test("numbers", "nightly", embedding={}, generation={})
    run = store.begin(test, store.keep_set("numbers", QUESTIONS), encoder="", conditions={})
    writer, questions = store.writer(run), list(store.questions(run.set))
    if wire is not None:
        wire.armed.set()
    for first in range(0, len(questions), 10):
        writer.add([(placed, TOLD) for placed in questions[first : first + 10]])
    store.finish(run)


def positions(store: EvalStore) -> list[int]:
    return [one.position for one in store.answers(store.run("latest"))]


@pytest.mark.parametrize("swallowed", [True, False], ids=["before the commit", "after the commit"])
def test_a_wire_that_is_cut_around_a_commit_neither_loses_nor_doubles(swallowed: bool) -> None:
    with (
        postgresql_database() as address,
        cut_wire(postgresql_place(), b"COMMIT", swallowed=swallowed) as wire,
    ):
        make_tables(address)
        through = make_url(address).set(port=wire.port).render_as_string()
        store = EvalStore.open(through, patience=20)
        run_through(store, wire)

        assert wire.cut.is_set()
        assert positions(store) == list(range(30))
        assert store.run("latest").whole
        store.close()


def test_a_wire_that_is_cut_at_the_very_first_commit_does_not_keep_a_run_from_beginning() -> None:
    with postgresql_database() as address, cut_wire(postgresql_place(), b"COMMIT", swallowed=False) as wire:
        make_tables(address)
        store = EvalStore.open(make_url(address).set(port=wire.port).render_as_string(), patience=20)
        wire.armed.set()
        run_through(store)

        assert wire.cut.is_set()
        assert positions(store) == list(range(30))
        assert len(store.runs()) == 1
        store.close()


def test_connections_that_the_server_ends_between_batches_are_made_anew() -> None:
    with postgresql_database() as address:
        make_tables(address)
        store, other = EvalStore.open(address, patience=20), EvalStore.open(address)
        test = store.test("numbers", "nightly", embedding={}, generation={})
        run = store.begin(test, store.keep_set("numbers", QUESTIONS), encoder="", conditions={})
        writer = store.writer(run)
        for placed in store.questions(run.set):
            with other.engine.begin() as connection:
                connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                )
            writer.add([(placed, TOLD)])

        assert positions(store) == list(range(30))
        store.close()
        other.close()


def test_a_database_that_stays_away_ends_the_run_and_says_how_to_go_on() -> None:
    with postgresql_database() as address, cut_wire(postgresql_place(), b"COPY", swallowed=True) as wire:
        make_tables(address)
        through = make_url(address).set(port=wire.port).render_as_string()
        store = EvalStore.open(through, patience=0.5)
        wire.armed.set()
        wire.close()

        with pytest.raises(StorageError, match=r"unavailable for 0\.5 seconds: .*`--resume`"):
            run_through(store)
        store.close()


@pytest.mark.parametrize(
    "look",
    [
        lambda store: store.run("latest"),
        lambda store: store.run_by_key(1),
        lambda store: store.runs(),
        lambda store: store.latest_set("numbers"),
        lambda store: store.table(store.run("latest")),
        lambda store: list(store.answers(store.run("latest"))),
    ],
    ids=["run", "run_by_key", "runs", "latest_set", "table", "answers"],
)
def test_who_only_looks_waits_for_the_database_as_well(look: Callable[[EvalStore], object]) -> None:
    with postgresql_database() as address, cut_wire(postgresql_place(), b"FROM", swallowed=True) as wire:
        make_tables(address)
        store = EvalStore.open(make_url(address).set(port=wire.port).render_as_string(), patience=20)
        run_through(store)
        wire.armed.set()

        assert look(store)
        assert wire.cut.is_set()
        store.close()


def test_the_database_is_waited_for_longer_each_time_and_no_longer_than_it_was_said() -> None:
    now = [0.0]
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    def work() -> None:
        raise OperationalError("SELECT 1", {}, Exception("database is locked\nand the values"))

    with pytest.raises(
        StorageError, match=r"unavailable for 20 seconds: database is locked; what was written"
    ) as wrong:
        Patience(20, clock=lambda: now[0], sleep=sleep).until_done(work)

    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert isinstance(wrong.value.__cause__, OperationalError)
