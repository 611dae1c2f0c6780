"""The index in PostgreSQL, against a real server with pgvector."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row
from psycopg.sql import SQL, Identifier

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError, MissingExtra, SpecError, StaleIndex, ToolError, Unreachable
from sensecheck.retrieval.indexes.index import IndexEntry, Reference, Retriever, placed_entries
from sensecheck.retrieval.indexes.pgvector import PgVectorIndex, metadata_form, text_form, text_of
from tests.retrieval.indexes.contract import MADE_BY, WIDE, IndexContract, Opened, along, entry, sources

Open = Callable[..., PgVectorIndex]
GIN = "refs_metadata_idx"


@pytest.fixture(scope="module")
def admin(pgvector_address: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection beside the one of the index."""
    with psycopg.connect(pgvector_address, autocommit=True) as connection:
        yield connection


@pytest.fixture
def schema(admin: psycopg.Connection[Any]) -> Iterator[str]:
    """A schema of the test's own."""
    name = f"test_{uuid4().hex}"
    admin.execute(SQL("CREATE SCHEMA {}").format(Identifier(name)))
    yield name
    admin.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(name)))


@pytest.fixture
def open_table(pgvector_address: str, schema: str) -> Iterator[Open]:
    """Opens tables in the test's schema, and closes them."""
    opened: list[PgVectorIndex] = []

    def open_one(table: str = "refs", **options: Any) -> PgVectorIndex:
        settings: dict[str, Any] = {"encoder": MADE_BY, "dimension": WIDE, "schema": schema} | options
        opened.append(PgVectorIndex.open(pgvector_address, table, **settings))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


class TableContract(IndexContract):
    """What a table keeps to besides, for it outlives the program; `opened` opens the same one each time."""

    def test_what_was_put_in_is_there_when_it_is_opened_again(self, opened: Opened) -> None:
        opened(MADE_BY, WIDE).add([entry("a", along(0), year=1), entry("b", along(1), year=1.0)])

        again = opened(MADE_BY, WIDE)

        assert (again.count(), again.encoder) == (2, MADE_BY)
        assert [type(match.metadata["year"]) for match in again.search(along(0), 2)] == [int, float]
        again.add([entry("a", along(0), year=2)])
        assert again.count() == 2

    def test_what_another_handle_wrote_is_seen_at_once(self, opened: Opened) -> None:
        reading, writing = opened(MADE_BY, WIDE), opened(MADE_BY, WIDE)
        assert reading.search(along(0), 5) == []

        writing.add([entry("a", along(0), turn=1)])
        assert (reading.count(), sources(reading.search(along(0), 5))) == (1, ["a"])
        writing.add([entry("a", along(0), turn=2)])
        assert [dict(match.metadata) for match in reading.search(along(0), 5)] == [{"turn": 2}]

    def test_it_does_not_open_for_another_encoder(self, opened: Opened) -> None:
        opened(MADE_BY, WIDE).add([entry("a")])

        with pytest.raises(StaleIndex, match=r"test-encoder:1.*other:2"):
            opened("other:2", WIDE)
        assert opened(MADE_BY, WIDE).count() == 1

    def test_it_does_not_open_for_vectors_of_another_length(self, opened: Opened) -> None:
        opened(MADE_BY, WIDE)

        with pytest.raises((EncoderError, SpecError), match=r"(8.*16|16.*8)"):
            opened(MADE_BY, 8)


class TestWholeTable(TableContract):
    """Without a graph, every search reads the table."""

    @pytest.fixture
    def opened(self, open_table: Open) -> Opened:
        return lambda encoder, dimension: open_table(encoder=encoder, dimension=dimension)


class TestGraph(TableContract):
    """The same through the graph, which is there from the beginning."""

    @pytest.fixture
    def opened(self, open_table: Open) -> Opened:
        def opened(encoder: str, dimension: int) -> PgVectorIndex:
            index = open_table(encoder=encoder, dimension=dimension, ef=200)
            index.create_index()
            return through_the_graph(index)

        return opened

    def test_thousands_of_entries_go_in_and_agree_with_plain_arithmetic(self, opened: Opened) -> None:
        """With fewer, because each is put into the graph by itself; and nearly all, as a graph promises."""
        rows = some_rows(500, 64)
        index = opened(MADE_BY, 64)
        index.add(entry(f"r{n}", row) for n, row in enumerate(rows))

        for near in (5, 43, 499):
            best = {f"r{n}" for n in np.argsort(-(rows @ rows[near]))[:10]}
            assert len(best & {*sources(index.search(rows[near], 10))}) >= 9


def through_the_graph(index: PgVectorIndex) -> PgVectorIndex:
    """The index on a connection that prefers the graph, however small the table."""
    index.database.connection.execute("SET enable_seqscan = off")
    return index


def plan(index: PgVectorIndex) -> str:
    """How the database goes about a search."""
    asked = index.database.connection.execute(b"EXPLAIN " + index.table.nearest(), (along(0), 5))
    return str(asked.fetchall())


def some_rows(count: int, wide: int = WIDE) -> Any:
    rows = np.random.default_rng(3).normal(size=(count, wide)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_graph_is_used_and_built_once_for_the_same_options(open_table: Open) -> None:
    index = open_table()
    index.add(entry(f"r{n}", row) for n, row in enumerate(some_rows(600)))
    index.create_index()
    name = "SELECT relfilenode FROM pg_class WHERE relname = 'refs_embedding_idx'"
    before = index.database.connection.execute(name).fetchall()
    index.create_index()

    assert "refs_embedding_idx" in plan(through_the_graph(index))
    assert index.database.connection.execute(name).fetchall() == before
    index.create_index(m=8, memory="64MB", workers=0)
    assert index.database.connection.execute(name).fetchall() != before


@pytest.mark.parametrize("broken_off", [False, True])
def test_a_filter_that_few_pass_still_gives_all_of_them(open_table: Open, broken_off: bool) -> None:
    index = through_the_graph(open_table(ef=10))
    rows = some_rows(1200)
    index.add(entry(f"r{n}", rows[n], rare=n % 200 == 0, part=n % 40) for n in range(len(rows)))
    index.create_index()
    index.database.connection.execute(SQL("DROP INDEX {}").format(Identifier(index.table.schema or "", GIN)))
    if broken_off:
        index.database.connection.execute("SET hnsw.max_scan_tuples = 1")

    assert len(index.search(rows[1], 20)) == 20
    for wanted, step, first in (({"rare": True}, 200, 0), ({"part": 3}, 40, 3)):
        best = sorted(range(first, 1200, step), key=lambda n: -float(rows[n] @ rows[1]))
        found = index.search(rows[1], 6, filter=wanted)
        assert len(found) == 6
        assert sources(found)[0] == f"r{best[0]}"
        assert sources(index.search(rows[1], 100, filter=wanted)) == [f"r{n}" for n in best]


def test_a_filter_that_few_pass_goes_through_the_metadata(open_table: Open) -> None:
    index = open_table()
    index.add(entry(f"r{n}", row, number=n) for n, row in enumerate(some_rows(1200)))
    index.create_index()
    statement = b"EXPLAIN " + index.table.nearest([["{}"]])
    asked = index.database.connection.execute(statement, (along(0), '{"number": 7}', 5))

    assert GIN in str(asked.fetchall())


def test_more_than_a_search_keeps_in_view_can_be_asked_for(open_table: Open) -> None:
    index = replace(open_table(), ef=1)
    index.add(entry(f"r{n}", row) for n, row in enumerate(some_rows(1500)))
    index.create_index()

    assert len(through_the_graph(index).search(along(0), 1200)) == 1200


@pytest.mark.parametrize("name", ['refs"; DROP TABLE victim; --', "Größe 日本", "a.b", "select", "%s", "{}"])
def test_any_name_is_a_name(open_table: Open, name: str) -> None:
    victim = open_table("victim")
    index = open_table(name)
    index.add([entry("a'; DROP TABLE victim; --", text="x'; DROP TABLE victim; --")])
    index.create_index()

    assert sources(index.search(along(0), 1, filter={"text": "x'; DROP TABLE victim; --"}))
    assert (index.count(), open_table(name).count(), victim.count()) == (1, 1, 0)


@pytest.mark.parametrize("name", ["", "x" * 64, "ä" * 32, "a\0b"])
def test_a_name_that_would_be_cut_is_refused(open_table: Open, name: str) -> None:
    with pytest.raises(SpecError, match="1 to 63 bytes"):
        open_table(name)


def test_a_table_of_somebody_else_is_left_alone(
    open_table: Open, admin: psycopg.Connection[Any], schema: str
) -> None:
    admin.execute(SQL("CREATE TABLE {} (id int)").format(Identifier(schema, "refs")))

    with pytest.raises(SpecError, match="`refs` does not say which encoder"):
        open_table()


def test_a_table_of_another_format_is_not_read(
    open_table: Open, admin: psycopg.Connection[Any], schema: str
) -> None:
    open_table()
    admin.execute(
        SQL("COMMENT ON TABLE {} IS {}").format(
            Identifier(schema, "refs"), '{"encoder": "a", "dimension": 3, "format": 99}'
        )
    )

    with pytest.raises(SpecError, match="format 99"):
        open_table()


def test_an_index_of_another_encoder_does_not_answer_a_retriever(open_table: Open, minilm: Encoder) -> None:
    index = open_table(dimension=minilm.dimension)

    with pytest.raises(StaleIndex, match=MADE_BY):
        Retriever(minilm, index)


def test_a_retriever_finds_what_was_meant(open_table: Open, minilm: Encoder) -> None:
    index = open_table(encoder=minilm.fingerprint, dimension=minilm.dimension)
    texts = ("The shop opens at nine.", "Cats sleep most of the day.", "The invoice is due in March.")
    index.add(placed_entries([Reference(str(n), text) for n, text in enumerate(texts)], minilm))
    index.create_index()

    found = Retriever(minilm, index).retrieve("When can I come to the store?", 2).matches

    assert (found[0].id, found[0].text) == ("0", texts[0])
    assert found[0].encoder == minilm.fingerprint
    assert found[0].vector is not None


def test_what_fails_half_way_leaves_nothing(open_table: Open) -> None:
    index = open_table()
    index.add([entry("before")])

    def failing() -> Iterator[IndexEntry]:
        yield from (entry(f"r{n}") for n in range(6000))
        raise ValueError("the file ends here")

    with pytest.raises(ValueError, match="ends here"):
        index.add(failing())
    with pytest.raises(SpecError, match="half of a character"):
        index.add([entry("a"), IndexEntry(Reference("b", "\ud800"), along(0))])

    assert index.count() == 1
    index.add([entry("after")])
    assert index.count() == 2


def test_nothing_stays_open_and_no_setting_stays(pgvector_address: str, schema: str) -> None:
    with psycopg.connect(pgvector_address, row_factory=dict_row) as connection:
        index = PgVectorIndex.on(connection, "refs", encoder=MADE_BY, dimension=WIDE, schema=schema, ef=77)
        index.add([entry("a")])
        index.search(along(0), 3)
        idle = connection.info.transaction_status

        connection.execute("SELECT 1")
        index.add([entry("b")])
        index.search(along(0), 3)
        settings = connection.execute("SHOW hnsw.ef_search").fetchall()
        settings += connection.execute("SHOW enable_indexscan").fetchall()
        connection.rollback()

        assert idle == psycopg.pq.TransactionStatus.IDLE
        assert settings == [{"hnsw.ef_search": "40"}, {"enable_indexscan": "on"}]
        assert index.count() == 1, "what was put in inside somebody's transaction goes when that is undone"


def test_several_may_add_the_same_at_once(open_table: Open) -> None:
    indexes = [open_table() for _ in range(4)]
    orders = [range(40), range(39, -1, -1), range(0, 60, 2), range(59, 0, -2)]

    def add(index: PgVectorIndex, order: range) -> None:
        for start in range(0, len(order), 4):
            index.add(entry(f"r{n}") for n in order[start : start + 4])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, indexes, orders))

    assert indexes[0].count() == 60


def test_two_who_add_the_same_in_opposite_order_do_not_block_each_other(
    open_table: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sensecheck.retrieval.indexes.pgvector.BATCH", 10)

    def slowly(order: range) -> Iterator[IndexEntry]:
        yield from (entry(f"r{n}") for n in order[:10])
        time.sleep(0.3)  # until the other has its first ten, too, if nothing keeps it
        yield from (entry(f"r{n}") for n in order[10:])

    indexes = [open_table(), open_table()]
    with ThreadPoolExecutor(2) as threads:
        adding = [threads.submit(indexes[0].add, slowly(range(20)))]
        adding.append(threads.submit(indexes[1].add, slowly(range(19, -1, -1))))
        for one in adding:
            one.result()

    assert indexes[0].count() == 20


def test_several_may_open_a_new_table_at_once(open_table: Open) -> None:
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda _: open_table(), range(4)))

    assert [index.count() for index in opened] == [0] * 4


def test_threads_may_share_one_index(open_table: Open) -> None:
    index = open_table()
    index.add(entry(f"r{n}", along(n)) for n in range(10))

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda n: sources(index.search(along(n), 1)), range(10)))

    assert found == [[f"r{n}"] for n in range(10)]


def test_a_lost_connection_is_said(open_table: Open, admin: psycopg.Connection[Any]) -> None:
    index = open_table()
    admin.execute("SELECT pg_terminate_backend(%s)", (index.database.connection.info.backend_pid,))

    with pytest.raises(Unreachable, match=r"lost; open the index again"):
        index.search(along(0), 1)
    with pytest.raises(Unreachable, match="lost"):
        index.add([entry("a")])
    assert open_table().count() == 0


def test_a_connection_lost_while_adding_leaves_nothing(
    open_table: Open, admin: psycopg.Connection[Any]
) -> None:
    index = open_table()
    pid = index.database.connection.info.backend_pid

    def losing() -> Iterator[IndexEntry]:
        yield from (entry(f"r{n}") for n in range(5000))
        admin.execute("SELECT pg_terminate_backend(%s)", (pid,))
        yield entry("last")

    with pytest.raises(Unreachable, match="lost"):
        index.add(losing())
    assert open_table().count() == 0


def test_a_refusal_of_the_database_is_said_without_what_people_wrote(open_table: Open) -> None:
    index = open_table()
    index.database.connection.execute("SET default_transaction_read_only = on")

    with pytest.raises(ToolError, match=r"refused \(25006\)") as refusal:
        index.add([entry("a secret")])
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://someone:hunter2@127.0.0.1:1/refs",
        "host=127.0.0.1 port=1 user=someone password=hunter2 dbname=refs",
    ],
)
def test_a_server_that_is_not_there_is_named_without_the_password(address: str) -> None:
    with pytest.raises(Unreachable, match=r"`127\.0\.0\.1:1` cannot be reached") as refusal:
        PgVectorIndex.open(address, "refs", encoder=MADE_BY, dimension=WIDE)
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize("address", ["host=127.0.0.1 hunter2", "host=127.0.0.1 connect_timeout=hunter2"])
def test_an_address_that_cannot_be_read_is_not_repeated(address: str) -> None:
    with pytest.raises(SpecError, match="cannot be read") as refusal:
        PgVectorIndex.open(address, "refs", encoder=MADE_BY, dimension=WIDE)
    assert "hunter2" not in str(refusal.value)


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sensecheck.retrieval.indexes.pgvector_sql")
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[pgvector\]'"):
        PgVectorIndex.open("dbname=refs", "refs", encoder=MADE_BY, dimension=WIDE)


def test_a_closed_connection_is_not_taken(pgvector_address: str) -> None:
    connection = psycopg.connect(pgvector_address)
    connection.close()

    with pytest.raises(Unreachable, match="closed"):
        PgVectorIndex.on(connection, "refs", encoder=MADE_BY, dimension=WIDE)


@pytest.fixture
def database(admin: psycopg.Connection[Any]) -> Iterator[str]:
    """A database of the test's own, without the extension, and a role of the same name."""
    name = f"guest_{uuid4().hex}"
    admin.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(name)))
    admin.execute(SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name)))
    yield name
    admin.execute(SQL("DROP DATABASE {}").format(Identifier(name)))
    admin.execute(SQL("DROP ROLE {}").format(Identifier(name)))


def test_a_server_without_pgvector_says_what_to_do(
    pgvector_address: str, admin: psycopg.Connection[Any], database: str
) -> None:
    if admin.info.server_version < 180000:
        pytest.skip("before PostgreSQL 18, no setting hides the extensions that are installed")
    hidden = "-c extension_control_path=/nowhere"
    address = make_conninfo(pgvector_address, dbname=database, options=hidden)

    with pytest.raises(ToolError, match=r"no extension `vector`.*is not available.*install pgvector"):
        PgVectorIndex.open(address, "refs", encoder=MADE_BY, dimension=WIDE)


def test_who_may_not_make_the_extension_is_told_who_can(pgvector_address: str, database: str) -> None:
    address = make_conninfo(pgvector_address, dbname=database, user=database)

    with pytest.raises(ToolError, match="permission denied to create extension"):
        PgVectorIndex.open(address, "refs", encoder=MADE_BY, dimension=WIDE)


def test_several_may_make_the_extension_at_once(pgvector_address: str, database: str) -> None:
    address = make_conninfo(pgvector_address, dbname=database)

    def counted(number: int) -> int:
        index = PgVectorIndex.open(address, f"refs{number}", encoder=MADE_BY, dimension=WIDE)
        try:
            return index.count()
        finally:
            index.close()

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(counted, range(3))) == [0] * 3


def test_nobody_waits_for_a_table_that_somebody_opened_in_a_transaction(
    pgvector_address: str, open_table: Open, schema: str
) -> None:
    open_table("old")
    open_table("other")
    hasty = make_conninfo(pgvector_address, options="-c lock_timeout=300")
    settings: dict[str, Any] = {"encoder": MADE_BY, "dimension": WIDE, "schema": schema}

    with psycopg.connect(pgvector_address) as connection, connection.transaction():
        PgVectorIndex.on(connection, "old", **settings)
        PgVectorIndex.on(connection, "made in there", **settings)
        for table in ("old", "other", "new"):
            PgVectorIndex.open(hasty, table, **settings).close()
        with pytest.raises(ToolError, match=r"refused \(55P03\)"):
            PgVectorIndex.open(hasty, "made in there", **settings)


def test_a_table_of_another_encoder_in_its_place_is_noticed(
    open_table: Open, admin: psycopg.Connection[Any], schema: str
) -> None:
    index = open_table()
    index.add([entry("a")])
    assert index.search(along(0), 1)
    admin.execute(SQL("DROP TABLE {}").format(Identifier(schema, "refs")))
    open_table(encoder="other:2").add([entry("b")])

    with pytest.raises(StaleIndex, match=r"other:2.*test-encoder:1"):
        index.search(along(0), 1)
    with pytest.raises(StaleIndex, match=r"other:2.*test-encoder:1"):
        index.add([entry("c")])
    assert open_table(encoder="other:2").count() == 1


def test_no_other_table_can_take_its_place_during_a_search(
    open_table: Open, admin: psycopg.Connection[Any], schema: str
) -> None:
    index = open_table()
    take_away = SQL("DROP TABLE {}").format(Identifier(schema, "refs"))
    admin.execute("SET lock_timeout = 20")

    for _ in range(8):  # from the sixth on, psycopg has prepared the statement
        with index.database.transaction(keep=False) as cursor:
            index.table.begin_search(cursor, index.origin, ef=40)
            with pytest.raises(psycopg.errors.LockNotAvailable):
                admin.execute(take_away)
    admin.execute("RESET lock_timeout")


def test_a_connection_of_somebody_else_stays_open(pgvector_address: str, schema: str) -> None:
    with psycopg.connect(pgvector_address) as connection:
        PgVectorIndex.on(connection, "refs", encoder=MADE_BY, dimension=WIDE, schema=schema).close()
        assert not connection.closed


def test_an_error_of_who_gives_the_entries_goes_on_as_it_is(
    open_table: Open, admin: psycopg.Connection[Any]
) -> None:
    index = open_table()

    def given() -> Iterator[IndexEntry]:
        yield entry("a")
        admin.execute("SELECT * FROM nowhere")

    with pytest.raises(psycopg.errors.UndefinedTable, match="nowhere"):
        index.add(given())
    assert index.count() == 0


def test_of_equally_close_ones_the_lowest_ids_are_found(open_table: Open) -> None:
    index = open_table()
    ids = [f"{'Aaä'[n % 3]}{n:02}" for n in range(30)]
    index.add(entry(one) for one in reversed(ids))

    assert sources(index.search(along(0), 12)) == sorted(ids)[:12]
    index.create_index()
    assert sources(index.search(along(0), 40)) == sorted(ids)


def test_without_a_graph_the_table_is_read_once(open_table: Open, admin: psycopg.Connection[Any]) -> None:
    index = open_table()
    index.add([entry("a")])
    connection = index.database.connection
    read = "SELECT pg_stat_get_xact_numscans(%s::regclass)"
    named = (index.table.identifier.as_string(admin),)

    with connection.transaction():
        (before,) = connection.execute(read, named).fetchone() or (0,)
        index.search(along(0), 5)
        (after,) = connection.execute(read, named).fetchone() or (0,)

    assert after - before == 1


def test_nobody_else_gets_into_the_folder_of_the_server(admin: psycopg.Connection[Any]) -> None:
    (folder,) = admin.execute("SHOW unix_socket_directories").fetchone() or ("",)

    assert Path(folder).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("options", [{"m": 1}, {"m": 40}, {"ef_construction": 2000}])
def test_a_graph_that_pgvector_cannot_build_is_refused(open_table: Open, options: dict[str, int]) -> None:
    with pytest.raises(SpecError, match="at least twice `m`"):
        open_table().create_index(**options)  # type: ignore[arg-type]


def test_vectors_too_long_for_a_graph_are_searched_whole(open_table: Open) -> None:
    index = open_table(dimension=2001)
    index.add([entry("a", along(0, wide=2001))])

    with pytest.raises(SpecError, match="at most 2000 numbers a vector; got 2001"):
        index.create_index()
    assert sources(index.search(along(0, wide=2001), 1)) == ["a"]


@pytest.mark.parametrize("ef", [0, 1001])
def test_the_width_of_a_search_has_its_bounds(open_table: Open, ef: int) -> None:
    with pytest.raises(SpecError, match=f"1 to 1000; got {ef}"):
        open_table(ef=ef)


@given(st.text(st.sampled_from("\0\ufdd00a😀")))
def test_every_text_comes_back(text: str) -> None:
    assert "\0" not in text_form(text)
    assert text_of(text_form(text)) == text


@given(
    st.dictionaries(st.just("n"), st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers()))
)
def test_numbers_come_back_and_are_equal_to_what_python_says(
    admin: psycopg.Connection[Any], metadata: dict[str, float]
) -> None:
    for other in (*metadata.values(), 10**23, 1e23):
        forms = (metadata_form(metadata), metadata_form(metadata), metadata_form({"n": other}))
        found, equal = admin.execute("SELECT %s::jsonb, %s::jsonb @> %s::jsonb", forms).fetchone() or (
            {},
            None,
        )

        assert (found, equal) == (metadata, metadata.get("n") == other)
        assert [*map(type, found.values())] == [*map(type, metadata.values())]
