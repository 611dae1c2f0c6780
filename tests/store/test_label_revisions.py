"""Labels of stores from before their revisions: upgraded with every one of them, then changed and read."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, MetricScore, Run, ScoredAnswer
from sensecheck.runs.record import Label
from sensecheck.runs.sql import EvalStore
from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.migrations.base import HEAD, VERSION_TABLE
from sensecheck.store.upgrade import check, downgrade, upgrade
from tests.databases import postgresql_database

LABEL = ["run", "position", "name", "rater"]


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    """A database at `v0001`."""
    upgrade(address, "v0001")
    made = engine_of(database_url(address))
    yield made
    made.dispose()


def labelled(engine: Engine) -> Run:
    """A run of three answers, with labels of two raters as `v0001` stores them."""
    store = EvalStore(engine)
    chosen = store.keep_set("atlas", [Item(f"What is {n}?", str(n), id=f"q{n}") for n in range(3)])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(test, chosen, encoder="", conditions={})
    scored = ScoredAnswer("It is.", (MetricScore("bleu", 0.5),))
    store.writer(run).add([(one, scored) for one in store.questions(chosen)])
    given = text("INSERT INTO labels SELECT key, :position, 'correct', :rater, :value, started_at FROM runs")
    rows = [(0, "ada", 1.0), (0, "bo", 0.25), (1, "ada", 0.1 + 0.2)]
    with engine.begin() as connection:
        connection.execute(
            given, [{"position": at, "rater": rater, "value": value} for at, rater, value in rows]
        )
    return run


def label_rows(engine: Engine) -> list[tuple[object, ...]]:
    """All columns that labels have in both revisions, but the run."""
    query = "SELECT position, name, rater, value, given_at FROM labels ORDER BY position, rater, given_at"
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_labels_of_an_earlier_version_are_upgraded_and_can_be_changed(address: str, engine: Engine) -> None:
    run = labelled(engine)
    before = label_rows(engine)

    assert upgrade(address, "v0002").steps == ("v0002",)

    assert label_rows(engine) == before
    store = EvalStore.open(address)
    assert list(store.labels(run)) == [
        Label("q0", "correct", 1.0, "ada"),
        Label("q0", "correct", 0.25, "bo"),
        Label("q1", "correct", 0.1 + 0.2, "ada"),
    ]
    assert store.relabel(run, Label("q0", "correct", 0.0, "ada"))
    assert store.relabel(run, Label("q0", "correct", 0.25, "bo"), withdraw=True)
    assert list(store.labels(run)) == [
        Label("q0", "correct", 0.0, "ada"),
        Label("q1", "correct", 0.1 + 0.2, "ada"),
    ]
    with engine.connect() as connection:
        numbers = text("SELECT rater, revision FROM labels ORDER BY position, rater, revision")
        assert [tuple(row) for row in connection.execute(numbers)] == [
            ("ada", 1),
            ("ada", 2),
            ("bo", 1),
            ("bo", 2),
            ("ada", 1),
        ]
    assert set(before) < set(label_rows(engine))
    assert all(finding.sound for finding in check(engine))
    store.close()


@pytest.mark.parametrize("column", ["revision", "value", "given_at", "rater"])
def test_an_upgraded_label_cannot_be_overwritten(address: str, engine: Engine, column: str) -> None:
    labelled(engine)
    upgrade(address, "v0002")

    with pytest.raises(DBAPIError, match="a row of labels is kept as it is"), engine.begin() as connection:
        connection.execute(text(f"UPDATE labels SET {column} = {column}"))


def test_labels_that_nobody_changed_survive_a_downgrade(address: str, engine: Engine) -> None:
    labelled(engine)
    before = label_rows(engine)
    upgrade(address, "v0002")

    assert downgrade(address, "v0001").steps == ("v0002",)

    assert label_rows(engine) == before
    columns = [column["name"] for column in inspect(engine).get_columns("labels")]
    assert columns == [*LABEL, "value", "given_at"]
    assert inspect(engine).get_pk_constraint("labels")["constrained_columns"] == LABEL
    for harm, says in (
        ("UPDATE labels SET value = 0", "a row of labels is kept as it is"),
        ("INSERT INTO labels SELECT run, 2, name, 'cy', NULL, given_at FROM labels", "(?i)not.null"),
    ):
        with pytest.raises(DBAPIError, match=says), engine.begin() as connection:
            connection.execute(text(harm))
    upgrade(address)
    assert label_rows(engine) == before
    assert all(finding.sound for finding in check(engine))


@pytest.mark.parametrize("withdraw", [False, True])
def test_a_downgrade_that_would_lose_a_changed_label_is_refused(
    address: str, engine: Engine, withdraw: bool
) -> None:
    run = labelled(engine)
    upgrade(address)
    EvalStore(engine).relabel(run, Label("q0", "correct", 0.5, "ada"), withdraw=withdraw)
    before = label_rows(engine)

    for to in ("v0001", "base"):
        with pytest.raises(
            SpecError,
            match=f"and these were changed or taken back: 1; .* it is at the revision `{HEAD}`, and no row",
        ):
            downgrade(address, to)

    assert label_rows(engine) == before
    assert all(finding.sound for finding in check(engine))
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM labels WHERE rater = 'ada' AND position = 0 AND revision = 1"))
    if withdraw:  # a row without a value is none that `v0001` can hold
        with pytest.raises(SpecError, match="taken back: 1;"):
            downgrade(address, "v0001")
    else:
        downgrade(address, "v0001")
        assert len(label_rows(engine)) == 3


def test_a_store_whose_first_revision_had_revisions_of_labels_keeps_them(
    address: str, engine: Engine
) -> None:
    run = labelled(engine)
    upgrade(address)
    store = EvalStore(engine)
    store.relabel(run, Label("q0", "correct", 0.5, "ada"))
    before = label_rows(engine)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = 'v0001'"))

    assert upgrade(address).steps == ("v0002",)

    assert label_rows(engine) == before
    assert all(finding.sound for finding in check(engine))


@pytest.mark.database
def test_permissions_on_labels_and_writers_of_answers_are_left_alone_by_an_upgrade() -> None:
    with postgresql_database() as address:
        engine = engine_of(database_url(address))
        upgrade(address, "v0001")
        labelled(engine)
        with engine.begin() as connection:
            connection.execute(text("GRANT SELECT ON labels TO PUBLIC"))
        granted = text("SELECT relacl::text FROM pg_class WHERE relname = 'labels'")

        with engine.connect() as writer:
            before = writer.execute(granted).scalar_one()
            writer.execute(text("LOCK TABLE answers IN ROW EXCLUSIVE MODE"))
            upgrade(address)

        with engine.connect() as connection:
            assert connection.execute(granted).scalar_one() == before
        engine.dispose()
