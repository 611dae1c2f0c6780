"""Evaluations of another database are brought in as they are, once."""

import hashlib
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select, text

from sensecheck.core.errors import SampleError, SpecError, Unreachable
from sensecheck.store.address import database_url
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.evals_view import evals
from sensecheck.store.import_source import reading
from sensecheck.store.importing import Imported, Wanted, importing
from sensecheck.store.moments import in_utc
from sensecheck.store.run_reading import AnsweredPair
from tests.databases import postgresql_database
from tests.rag_eval.other_database import (
    OLD,
    PAIRS,
    RUNS,
    TESTS,
    VALUES,
    add_the_column,
    evals_table,
    evaluation,
    fill,
    fill_old,
)

ATLAS = Wanted("atlas")


@pytest.fixture(params=["sqlite", "postgresql"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database of somebody else's."""
    if request.param == "sqlite":
        yield str(tmp_path / "their evals?#%.db")
    else:
        with postgresql_database() as made:
            yield made


@pytest.fixture
def here(tmp_path: Path) -> Iterator[EvalStore]:
    """A store in a file, where which database keeps it does not matter."""
    opened = EvalStore.open(str(tmp_path / "ours.sqlite3"))
    yield opened
    opened.close()


def imported(store: EvalStore, source: str, wanted: Wanted = ATLAS) -> list[Imported]:
    with importing(store, source, wanted) as found:
        return list(found.each())


def notes(store: EvalStore, source: str, wanted: Wanted = ATLAS) -> str:
    with importing(store, source, wanted) as found:
        return "\n".join(found.notes)


def answers(store: EvalStore, run: str) -> list[AnsweredPair]:
    (found,) = (one for one in store.runs() if one.id == run)
    return list(store.answers(found))


def values(one: AnsweredPair) -> dict[str, float | None]:
    return {reading.metric: reading.value for reading in one.told.readings}


def bits(value: float | None) -> bytes:
    assert value is not None
    return struct.pack("<d", value)


def test_values_ids_and_reasoning_are_kept_to_the_bit(store: EvalStore, source: str) -> None:
    fill_old(source)

    first, second = imported(store, source)

    assert (first.run, first.state, first.evaluations) == ("run-1", "imported", 2)
    assert (second.run, second.state) == ("run-10", "imported")
    a, b = answers(store, "run-1")
    assert (a.pair.id, a.pair.question, a.pair.expected) == ("a", "What is the capital of France?", "Paris.")
    assert (a.told.id, a.told.answer) == ("eval-run-1-a", "It is a.")
    assert b.pair.id == "b"
    assert {name: bits(value) for name, value in values(a).items()} == dict(
        zip(OLD, map(bits, VALUES), strict=True)
    )
    because = {one.metric: one.because for one in a.told.readings}
    assert because["groundedness"] == "so says groundedness_reasoning"
    assert because["llm_judged_overall"] is None


def test_runs_keep_their_test_their_moment_and_their_order(here: EvalStore, source: str) -> None:
    fill_old(source)
    imported(here, source)

    first, second = here.runs(project="atlas", test="nightly")

    assert (first.id, second.id) == ("run-1", "run-10")
    assert first.started_at == datetime(2025, 1, 1, 9, tzinfo=UTC)
    assert second.started_at == datetime(2025, 2, 1, 10, tzinfo=UTC)
    assert first.whole
    assert first.finished_at is not None
    assert first.set == second.set
    assert first.test.embedding == {"embedding_model": "text-embedding-3-large"}
    assert first.test.generation == {"generation_model": "gpt-4o"}


def test_a_second_import_adds_nothing_and_says_so(store: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    fill_old(source)
    imported(store, source)
    kept = [answers(store, run.id) for run in store.runs()]

    again = imported(store, source)

    assert [one.state for one in again] == ["already there"] * 2
    assert [answers(store, run.id) for run in store.runs()] == kept


def test_after_the_column_came_only_the_new_run_is_new_and_old_records_have_none(
    store: EvalStore, tmp_path: Path
) -> None:
    source = str(tmp_path / "their.db")
    fill_old(source)
    assert "no `semantic_similarity` yet" in notes(store, source)
    imported(store, source)
    add_the_column(source)

    states = {one.run: one.state for one in imported(store, source)}

    assert states == {"run-1": "already there", "run-10": "already there", "run-2": "imported"}
    assert "semantic_similarity" not in values(answers(store, "run-1")[0])
    assert values(answers(store, "run-2")[0])["semantic_similarity"] == 1 / 3


def test_a_semantic_similarity_belongs_to_the_encoder_that_the_test_names(
    here: EvalStore, source: str
) -> None:
    fill_old(source)
    add_the_column(source)
    imported(here, source)

    (run,) = (run for run in here.runs() if run.id == "run-2")
    (reading,) = (one for one in answers(here, "run-2")[0].told.readings if one.encoder)
    column = here.table(run).column("semantic_similarity")

    assert run.encoder == "imported:text-embedding-3-large" == reading.fingerprint
    assert reading.encoder == "text-embedding-3-large"
    assert column is not None
    assert list(column) == [1 / 3] * 2


def test_an_encoder_that_nobody_names_must_be_named(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    rows = [evaluation("r", "a", semantic_similarity=0.5)]
    fill(source, [evals_table("semantic_similarity DOUBLE PRECISION")], {"evals": rows})

    with pytest.raises(SpecError, match=r"the run `r` has `semantic_similarity`.*`--encoder-name`"):
        imported(here, source)
    imported(here, source, Wanted("atlas", encoder="mine"))

    assert here.runs()[0].encoder == "imported:mine"


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        ("config TEXT", {"config": '{"embedding_model": "m3", "api_key": "sk-secret"}'}),
        ("config TEXT", {"config": '{"embedding": {"model": "m3"}, "generation": {"temperature": 0}}'}),
        ("embedding_config TEXT", {"embedding_config": '{"model": "m3", "password": "sk-secret"}'}),
    ],
)
def test_a_configuration_in_json_is_read_without_its_secrets(
    columns: str, row: dict[str, object], here: EvalStore, tmp_path: Path
) -> None:
    source = str(tmp_path / "their.db")
    fill(
        source,
        [
            f"CREATE TABLE tests (id TEXT, name TEXT, {columns})",
            RUNS,
            evals_table("semantic_similarity REAL"),
        ],
        {
            "tests": [{"id": "t", "name": "weekly", **row}],
            "test_runs": [{"id": "r", "test_id": "t"}],
            "evals": [evaluation("r", "a", semantic_similarity=0.5)],
        },
    )
    imported(here, source)

    (run,) = here.runs()

    assert run.test.embedding == {"embedding_model": "m3"}
    assert run.encoder == "imported:m3"
    assert "sk-secret" not in str(run)


def test_nothing_stays_nothing(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    rows = [evaluation("r", "a", bleu=None, groundedness=None, answer=None), evaluation("r", "b", bleu=1)]
    rows[0]["answer_relevance"] = rows[0]["answer_relevance_reasoning"] = None
    fill(source, [evals_table()], {"evals": rows})
    imported(here, source)

    one, other = answers(here, "r")

    assert "bleu" not in values(one)
    assert "answer_relevance" not in values(one)
    assert values(one)["groundedness"] is None  # its reasoning is kept all the same
    assert one.told.answer is None
    assert one.told.error == "the database that this was imported from had no answer"
    assert values(other)["bleu"] == 1.0


def test_numbers_that_are_not_finite_are_kept_as_errors(here: EvalStore) -> None:
    with postgresql_database() as source:
        rows = [evaluation("r", "a", bleu=float("nan"), rouge_l=float("inf"))]
        fill(source, [evals_table()], {"evals": rows})
        imported(here, source)

    read = {one.metric: one for one in answers(here, "r")[0].told.readings}

    assert read["bleu"].value is None
    assert read["bleu"].error == "the imported value, nan, is no number"
    assert read["rouge_l"].error == "the imported value, inf, is no number"


def test_short_floats_decimals_and_whole_numbers_keep_their_value(here: EvalStore) -> None:
    with postgresql_database() as source:
        table = evals_table("semantic_similarity REAL").replace("bleu DOUBLE PRECISION", "bleu NUMERIC(6, 4)")
        table = table.replace("squad_em DOUBLE PRECISION", "squad_em BOOLEAN")
        rows = [evaluation("r", "a", semantic_similarity=0.1, bleu=0.1234, squad_em=True)]
        fill(source, [table], {"evals": rows})
        imported(here, source, Wanted("atlas", encoder="mine"))

    found = values(answers(here, "r")[0])

    assert found["semantic_similarity"] == struct.unpack("<f", struct.pack("<f", 0.1))[0]
    assert found["bleu"] == 0.1234
    assert found["squad_em"] == 1.0


def test_ids_that_are_numbers_become_texts(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    fill(
        source,
        [
            "CREATE TABLE qa_pairs (id INTEGER PRIMARY KEY, question TEXT, reference_answer TEXT)",
            "CREATE TABLE evals (test_run_id INTEGER, qa_pair_id INTEGER, answer TEXT, bleu REAL)",
        ],
        {
            "qa_pairs": [{"id": n, "question": f"q{n}", "reference_answer": "r"} for n in (2, 10)],
            "evals": [{"test_run_id": 7, "qa_pair_id": n, "answer": "x", "bleu": 1} for n in (10, 2, 3)],
        },
    )

    (done,) = imported(here, source)

    assert done.run == "7"
    assert done.unknown == 1
    assert [one.pair.id for one in answers(here, "7")] == ["2", "3", "10"]
    assert answers(here, "7")[0].pair.question == "q2"
    assert answers(here, "7")[1].pair.question is None


def test_ids_and_moments_of_postgresqls_own_types_are_read(here: EvalStore) -> None:
    run, pair = "0b7c5a52-5a4c-4f6e-8a55-0f9f3c1f8a01", "0b7c5a52-5a4c-4f6e-8a55-0f9f3c1f8a02"
    with postgresql_database() as source:
        fill(
            source,
            [
                "CREATE TABLE tests (id SERIAL PRIMARY KEY, name TEXT, config JSONB)",
                "CREATE TABLE test_runs (id UUID PRIMARY KEY, test_id INT, started_at TIMESTAMPTZ)",
                "CREATE TABLE qa_pairs (id UUID PRIMARY KEY, question TEXT, reference_answer TEXT)",
                "CREATE TABLE evals (id UUID, test_run_id UUID, qa_pair_id UUID, answer TEXT, bleu FLOAT)",
            ],
            {
                "tests": [{"name": "weekly", "config": '{"embedding_model": "m3"}'}],
                "test_runs": [{"id": run, "test_id": 1, "started_at": "2025-01-01T10:00:00+02:00"}],
                "qa_pairs": [{"id": pair, "question": "Why?", "reference_answer": "So."}],
                "evals": [{"id": pair, "test_run_id": run, "qa_pair_id": pair, "answer": "x", "bleu": 0.1}],
            },
        )
        imported(here, source)

    (kept,) = here.runs(test="weekly")
    (only,) = answers(here, run)
    assert kept.started_at == datetime(2025, 1, 1, 8, tzinfo=UTC)
    assert kept.encoder == "imported:m3"
    assert (only.pair.id, only.pair.question, only.told.id) == (pair, "Why?", pair)


def test_what_is_written_to_the_source_meanwhile_is_not_seen(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    fill_old(source)
    fill(source, ["PRAGMA journal_mode = WAL"], {})
    with importing(here, source, ATLAS) as found:
        fill(source, ["UPDATE evals SET bleu = 0.75"], {"evals": [evaluation("run-1", "c")]})
        list(found.each())

    assert [values(one)["bleu"] for one in answers(here, "run-1")] == [VALUES[0]] * 2


def test_other_columns_are_told_and_taken_only_when_that_is_asked(here: EvalStore, source: str) -> None:
    more = ("faithfulness DOUBLE PRECISION", "faithfulness_reasoning TEXT", "prompt TEXT")
    row = evaluation("r", "a", faithfulness=0.25, faithfulness_reasoning="it is so", prompt="secret")
    fill(source, [evals_table(*more)], {"evals": [row]})

    told = notes(here, source)
    imported(here, source, Wanted("atlas", metrics_too=True))

    assert "not understood, and not taken: `faithfulness_reasoning`, `prompt`" in told
    assert "`--metrics-too` would take as metrics: `faithfulness`" in told
    (reading,) = (one for one in answers(here, "r")[0].told.readings if one.metric == "faithfulness")
    assert (reading.value, reading.because) == (0.25, "it is so")
    assert [one.state for one in imported(here, source)] == ["kept otherwise"]


def test_a_run_that_has_changed_since_is_not_overwritten_and_said_to_be_otherwise(
    here: EvalStore, tmp_path: Path
) -> None:
    source = str(tmp_path / "their.db")
    fill_old(source)
    imported(here, source)
    fill(source, ["UPDATE evals SET bleu = 0.75 WHERE id = 'eval-run-1-a'"], {})

    states = {one.run: one.state for one in imported(here, source)}

    assert states == {"run-1": "kept otherwise", "run-10": "already there"}
    assert values(answers(here, "run-1")[0])["bleu"] == VALUES[0]


def test_a_run_is_in_one_project(here: EvalStore, tmp_path: Path) -> None:
    fill_old(str(tmp_path / "their.db"))
    imported(here, str(tmp_path / "their.db"))

    with pytest.raises(SpecError, match="the run `run-1` is kept in the project `atlas` already"):
        imported(here, str(tmp_path / "their.db"), Wanted("other"))


def test_what_the_source_lacks_is_told(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    fill(source, [evals_table()], {"evals": [evaluation("r", "a")]})
    told = notes(here, source)

    assert "no table of questions was found" in told
    assert "no table of test runs was found" in told
    assert "runs without a moment that can be read, which get that of the import: 1" in told
    (done,) = imported(here, source, Wanted("atlas", test="mine"))
    assert (done.test, done.unknown) == ("mine", 1)


def test_test_runs_without_evaluations_are_told(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    fill_old(source)
    fill(source, [], {"test_runs": [{"id": "empty", "test_id": "t1"}]})

    assert "test runs without any evaluation, which are not taken: 1" in notes(here, source)


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ([TESTS, PAIRS], "has no table `evals`; found `qa_pairs`, `tests`"),
        (
            ["CREATE TABLE evals (id TEXT, test_run_id TEXT, score REAL)"],
            "lacks `qa_pair_id`, `answer`; found `id`, `test_run_id`, `score`; wanted `test_run_id`",
        ),
    ],
)
def test_another_shape_is_an_error_that_says_what_was_found_and_wanted(
    statements: list[str], said: str, here: EvalStore, tmp_path: Path
) -> None:
    source = str(tmp_path / "their.db")
    fill(source, statements, {})

    with pytest.raises(SpecError) as caught:
        imported(here, source)

    assert said in str(caught.value)


def test_rows_that_cannot_be_kept_are_errors(here: EvalStore, tmp_path: Path) -> None:
    def refused(name: str, *rows: dict[str, object]) -> str:
        source = str(tmp_path / name)
        fill(source, [evals_table()], {"evals": rows})
        with pytest.raises(SampleError) as caught:
            imported(here, source)
        return str(caught.value)

    twice = refused("1.db", evaluation("r", "a"), evaluation("r", "a", id="other"))
    assert "the run `r` has more than one evaluation of the pair `a`" in twice
    assert "1 rows without a `qa_pair_id`" in refused("2.db", evaluation("r", "a", qa_pair_id=None))
    word = refused("3.db", evaluation("r", "a", bleu="n/a"))
    assert word == "`bleu` of the evaluation of `a` in the run `r` wants a number; found str"
    assert here.runs() == []


def test_the_source_cannot_be_written_and_stays_as_it_was(here: EvalStore, tmp_path: Path) -> None:
    source = tmp_path / "their.db"
    fill_old(str(source))
    before = hashlib.sha256(source.read_bytes()).hexdigest()
    with importing(here, str(source), ATLAS) as found:
        list(found.each())
        with pytest.raises(Exception, match=r"readonly|query_only"):
            found.rows.source.connection.execute(text("DELETE FROM evals"))

    assert hashlib.sha256(source.read_bytes()).hexdigest() == before
    assert [file.name for file in tmp_path.glob("their*")] == ["their.db"]


def test_a_postgresql_source_is_read_in_a_transaction_that_cannot_write(here: EvalStore) -> None:
    with postgresql_database() as source:
        fill_old(source)
        with (
            importing(here, source, ATLAS) as found,
            pytest.raises(Exception, match="read-only transaction"),
        ):
            found.rows.source.connection.execute(text("DELETE FROM evals"))


def test_what_is_no_database_is_told_without_a_password(here: EvalStore, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no database at all, and long enough to be none of them " * 20)

    with pytest.raises(SpecError, match="is no file"):
        imported(here, str(tmp_path / "missing.db"))
    with pytest.raises(SpecError, match="file is not a database"):
        imported(here, str(tmp_path / "notes.txt"))
    with pytest.raises(Unreachable) as caught:
        imported(here, "postgresql://root:hush@127.0.0.1:1/evals")
    assert "hush" not in str(caught.value)
    assert not (tmp_path / "missing.db").exists()


def test_a_store_of_our_own_is_no_source(here: EvalStore) -> None:
    with pytest.raises(SpecError, match="is a store of sensecheck's own"):
        imported(here, str(here.engine.url.database))


def test_a_failure_in_the_middle_of_a_run_keeps_nothing_of_it(here: EvalStore, tmp_path: Path) -> None:
    source = str(tmp_path / "their.db")
    rows = [evaluation("r", f"{n:04}") for n in range(700)]
    fill(source, [evals_table()], {"evals": rows})
    with here.engine.begin() as connection:
        connection.execute(
            text(
                "CREATE TRIGGER full BEFORE INSERT ON answers WHEN NEW.position = 600 "
                "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            )
        )
    with pytest.raises(Exception, match="nothing of the run `r` was kept: the disk is full"):
        imported(here, source)
    assert here.runs() == []

    with here.engine.begin() as connection:
        connection.execute(text("DROP TRIGGER full"))
    assert [one.state for one in imported(here, source)] == ["imported"]
    assert len(answers(here, "r")) == 700


def test_a_long_run_is_never_held_as_a_whole(here: EvalStore, tmp_path: Path) -> None:
    import tracemalloc

    source, size = str(tmp_path / "their.db"), 3000
    rows = [("r", n, "It is so. " * 1000 + str(n), 0.5) for n in range(size)]
    engine = create_engine(database_url(source))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE evals (test_run_id, qa_pair_id, answer TEXT, bleu REAL)"))
        connection.exec_driver_sql("INSERT INTO evals VALUES (?, ?, ?, ?)", rows)
    engine.dispose()
    whole = sum(len(row[2]) for row in rows)

    tracemalloc.start()
    imported(here, source)
    top = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert top < whole / 2


def test_each_evaluation_keeps_its_moment(store: EvalStore, source: str) -> None:
    early, late = "2025-01-01 10:00:00", "2025-01-02 10:00:00"
    moments = {"a": early, "b": early, "c": late, "d": None}
    rows = [evaluation("r", pair, created_at=at) for pair, at in moments.items()]
    fill(source, [evals_table("created_at TEXT")], {"evals": rows})
    imported(store, source)

    with store.engine.connect() as connection:
        found = connection.execute(select(evals.c.qa_pair_id, evals.c.created_at)).all()
    kept = {pair: in_utc(moment) for pair, moment in found}

    assert kept["a"] == kept["b"] == datetime(2025, 1, 1, 10, tzinfo=UTC)
    assert kept["c"] == datetime(2025, 1, 2, 10, tzinfo=UTC)
    assert kept["d"] > datetime(2026, 1, 1, tzinfo=UTC)
    assert store.runs()[0].whole


def test_reasoning_without_a_number_is_kept(here: EvalStore, tmp_path: Path) -> None:
    source, table = str(tmp_path / "their.db"), evals_table().replace("groundedness DOUBLE PRECISION, ", "")
    row = evaluation("r", "a")
    del row["groundedness"]
    fill(source, [table], {"evals": [row]})
    imported(here, source)

    read = {one.metric: one for one in answers(here, "r")[0].told.readings}
    assert (read["groundedness"].value, read["groundedness"].error) == (None, None)
    assert read["groundedness"].because == "so says groundedness_reasoning"


def test_a_source_behind_a_pooler_is_asked_without_prepared_statements() -> None:
    with postgresql_database() as made, reading(made) as source:
        held = source.connection.connection.driver_connection

        assert getattr(held, "prepare_threshold", 0) is None
