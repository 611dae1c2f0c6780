"""The connection and the table behind a pgvector index.

One transaction runs at a time, errors say where and what, and who made the vectors stands in the comment of
the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from threading import RLock
from typing import Any, TypeVar

import psycopg
from pgvector.psycopg import register_vector
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from sensecheck.core.errors import SpecError, ToolError, Unreachable
from sensecheck.retrieval.indexes.index import Origin

Cursor = psycopg.Cursor[tuple[Any, ...]]
_OLDEST = (0, 8)
"""The first pgvector whose scans go on until enough rows pass a filter."""
T = TypeVar("T")

_MAX_NAME_BYTES = 63
"""Bytes of a name that PostgreSQL keeps; the rest it would cut off without an error."""
_WIDEST = 2000
"""Numbers of a vector that pgvector can put into a graph."""
_COLUMNS = SQL("id, text, source, metadata, reference_score, embedding")


@dataclass(frozen=True, slots=True)
class PgVectorDatabase:
    """A connection that several threads may use, in turns."""

    connection: psycopg.Connection[Any]
    where: str
    """Its host and port, for messages."""
    owned: bool
    """Whether `close` ends the connection: another's stays open."""
    _turn: RLock = field(default_factory=RLock, repr=False, compare=False)

    @classmethod
    def on(cls, connection: psycopg.Connection[Any]) -> "PgVectorDatabase":
        """The database of a connection that someone else made."""
        if connection.closed:
            raise Unreachable("the connection to PostgreSQL is closed; make a new one")
        return cls(connection, f"{connection.info.host}:{connection.info.port}", owned=False)

    @classmethod
    def reached(cls, dsn: str, *, patience: int = 10) -> "PgVectorDatabase":
        """The database at an address; `patience` is how many seconds it may take to answer."""
        try:
            parameters = conninfo_to_dict(dsn)
            where = (
                f"{parameters.get('host') or parameters.get('hostaddr') or 'localhost'}:"
                f"{parameters.get('port') or 5432}"
            )
            timeout = parameters.get("connect_timeout", patience)
            connection = psycopg.connect(dsn, autocommit=True, connect_timeout=timeout)
        except psycopg.OperationalError as refusal:
            reason = _without_secret(str(refusal), parameters.get("password"))
            raise Unreachable(f"PostgreSQL at `{where}` cannot be reached: {reason}") from None
        except psycopg.ProgrammingError:
            # libpq repeats what it could not read, and that may be the password.
            raise SpecError(
                "the address of the database cannot be read; wanted is one such as "
                "`postgresql://USER@HOST:PORT/NAME` or `host=HOST dbname=NAME`"
            ) from None
        return cls(connection, where, owned=True)

    @contextmanager
    def transaction(self, *, keep: bool = True, theirs: Sequence[Exception] = ()) -> Iterator[Cursor]:
        """All or nothing; without `keep` nothing, settings included: for those who only read.

        Inside a transaction of whoever made the connection, it is a part of that one. Errors in `theirs`
        are not this database's, and go on as they are.
        """
        with self._turn, self._in_words(theirs):
            block = self.connection.transaction(force_rollback=not keep)
            with block, self.connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                yield cursor

    def close(self) -> None:
        """End the connection if it is our own; a second time does nothing."""
        if self.owned:
            self.connection.close()

    @contextmanager
    def _in_words(self, theirs: Sequence[Exception]) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            if any(error is one for one in theirs):
                raise
            if self.connection.closed:
                raise Unreachable(
                    f"the connection to PostgreSQL at `{self.where}` is lost; open the index again"
                ) from error
            kind = type(error).__name__
            detail = f"({error.sqlstate or kind}): {error.diag.message_primary or kind}"
            raise ToolError(f"PostgreSQL at `{self.where}` refused {detail}") from error


@dataclass(frozen=True, slots=True)
class PgVectorTable:
    """A table by its name; whatever characters that has, it is a name in every statement."""

    name: str
    schema: str | None = None
    """None for the first of the connection's search path."""

    def __post_init__(self) -> None:
        for name in (self.name, self.schema):
            if name is not None and not (0 < len(name.encode()) <= _MAX_NAME_BYTES and "\0" not in name):
                raise SpecError(
                    f"a name in PostgreSQL has from 1 to {_MAX_NAME_BYTES} bytes; got {len(name.encode())}"
                )

    @property
    def identifier(self) -> Identifier:
        """The name, quoted."""
        return Identifier(self.name) if self.schema is None else Identifier(self.schema, self.name)

    def make_ready(self, cursor: Cursor, origin: Origin) -> None:
        """Make the table where there is none; raise where it holds the vectors of another encoder."""
        if self._is_there(cursor, origin):
            return
        # Two sessions that find nothing at the same time would both create it.
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtext('sensecheck'), "
            "hashtext(concat_ws('.', coalesce(%s::text, current_schema()), %s::text)))",
            (self.schema, self.name),
        )
        if self._is_there(cursor, origin):
            return
        cursor.execute(
            SQL(
                "CREATE TABLE {} (id text PRIMARY KEY, text text NOT NULL, source text NOT NULL, "
                "metadata jsonb NOT NULL, reference_score double precision, embedding vector({}) NOT NULL)"
            ).format(self.identifier, Literal(origin.dimension))
        )
        cursor.execute(SQL("COMMENT ON TABLE {} IS {}").format(self.identifier, Literal(origin.written())))

    def begin_search(self, cursor: Cursor, origin: Origin, *, ef: int) -> bool:
        """Set how wide to search, and say whether there is a graph; raise if the table became another's.

        From here to the end of the transaction no one can put another table in its place.
        """
        _, comment, graph, *_ = cursor.execute(_beginning(self), (str(ef),)).fetchone() or (None, None, False)
        self._require_origin(origin, comment)
        return bool(graph)

    def begin_writing(self, cursor: Cursor, origin: Origin) -> None:
        """Make room for what comes; others may read, and wait to write; raise if it became another's."""
        # Two who write the same rows could block each other for good.
        cursor.execute(SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(self.identifier))
        self._is_there(cursor, origin)
        # Only this connection sees it, and only in this transaction; metadata comes as text.
        cursor.execute(
            SQL(
                "CREATE TEMP TABLE sensecheck_incoming ON COMMIT DROP AS SELECT id, text, source, "
                "metadata::text AS metadata, reference_score, embedding FROM {} WITH NO DATA"
            ).format(self.identifier)
        )

    def count(self) -> Composed:
        """How many rows there are."""
        return SQL("SELECT count(*) FROM {}").format(self.identifier)

    def nearest(self, conditions: Sequence[Sequence[str]] = (), *, exact: bool = False) -> bytes:
        """The nearest first; under conditions, those whose metadata contains one of each.

        Of equally near ones, `exact` takes those with the lowest ids.
        """
        return _nearest(self, tuple(len(one) for one in conditions), exact)

    def take_in(self) -> Composed:
        """What has come takes the place of what has the same id."""
        return SQL(
            "INSERT INTO {} ({}) SELECT id, text, source, metadata::jsonb, reference_score, embedding "
            "FROM pg_temp.sensecheck_incoming ON CONFLICT (id) DO UPDATE SET text = EXCLUDED.text, "
            "source = EXCLUDED.source, metadata = EXCLUDED.metadata, "
            "reference_score = EXCLUDED.reference_score, embedding = EXCLUDED.embedding"
        ).format(self.identifier, _COLUMNS)

    def build_graph(self, cursor: Cursor, *, m: int, ef_construction: int, dimension: int) -> None:
        """Build it (HNSW), and a way to the metadata, unless they are there; another graph gives way."""
        if not (2 <= m <= 100 and 4 <= ef_construction <= 1000 and ef_construction >= 2 * m):
            raise SpecError(
                "`m` must be from 2 to 100, `ef_construction` from 4 to 1000 and at least twice `m`; "
                f"got {m}, {ef_construction}"
            )
        if dimension > _WIDEST:
            raise SpecError(f"pgvector builds graphs of at most {_WIDEST} numbers a vector; got {dimension}")
        cursor.execute(SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(self.identifier))
        graphs = self._indexes_of_kind(cursor, "hnsw")
        requested = {f"m={m}", f"ef_construction={ef_construction}"}
        for name, options in graphs:
            if options != requested:
                cursor.execute(SQL("DROP INDEX {}").format(name))
        if requested not in (options for _, options in graphs):
            statement = SQL(
                "CREATE INDEX ON {} USING hnsw (embedding vector_cosine_ops) WITH (m={}, ef_construction={})"
            )
            cursor.execute(statement.format(self.identifier, Literal(m), Literal(ef_construction)))
        if not self._indexes_of_kind(cursor, "gin"):
            # A filter that few pass is quicker through the metadata than along the graph.
            statement = SQL("CREATE INDEX ON {} USING gin (metadata jsonb_path_ops)")
            cursor.execute(statement.format(self.identifier))
        cursor.execute(SQL("ANALYZE {}").format(self.identifier))

    def _is_there(self, cursor: Cursor, origin: Origin) -> bool:
        # Not `to_regclass`: for the rest of the transaction it may repeat that there is none.
        row = cursor.execute(
            "SELECT obj_description(pg_class.oid, 'pg_class') FROM pg_class "
            "JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace WHERE pg_class.relname = %s "
            "AND CASE WHEN %s::text IS NULL THEN pg_table_is_visible(pg_class.oid) ELSE nspname = %s END",
            (self.name, self.schema, self.schema),
        ).fetchone()
        if row is not None:
            self._require_origin(origin, row[0])
        return row is not None

    def _require_origin(self, origin: Origin, comment: object) -> None:
        origin.require_origin(comment, at=f"the table `{self.name}`")

    def _indexes_of_kind(self, cursor: Cursor, kind: str) -> list[tuple[Identifier, set[str]]]:
        """The indexes of one kind that the table has, with their options."""
        cursor.execute(
            "SELECT pg_namespace.nspname, built.relname, built.reloptions FROM pg_index "
            "JOIN pg_class AS built ON built.oid = pg_index.indexrelid JOIN pg_am ON pg_am.oid = built.relam "
            "JOIN pg_namespace ON pg_namespace.oid = built.relnamespace "
            "WHERE pg_index.indrelid = %s::regclass AND pg_am.amname = %s",
            (self.identifier.as_string(cursor), kind),
        )
        return [(Identifier(schema, name), set(options or ())) for schema, name, options in cursor.fetchall()]


def noting(given: Iterable[T], theirs: list[Exception]) -> Iterator[T]:
    """What is given, one by one; an error of the giver, who may use PostgreSQL too, is noted as theirs."""
    try:
        yield from given
    except psycopg.Error as error:
        theirs.append(error)
        raise


def learn_vectors(cursor: Cursor) -> None:
    """Make the extension `vector` if it is not there, and teach the connection its type."""
    version = _version(cursor) or _create_extension(cursor)
    if tuple(int(part) for part in version.split(".")[:2]) < _OLDEST:
        raise ToolError(
            f"the database has pgvector {version}; wanted is {_OLDEST[0]}.{_OLDEST[1]} or newer: install "
            "that on the server, then run `ALTER EXTENSION vector UPDATE` in this database"
        )
    if cursor.execute("SELECT to_regtype('vector')").fetchone() == (None,):
        raise ToolError(
            "the database has the extension `vector` in a schema that is not searched; "
            "add that to `search_path`"
        )
    register_vector(cursor.connection)


def _without_secret(message: str, secret: object) -> str:
    """The message of libpq on one line, without the password should it contain that."""
    plain = " ".join(message.split())
    return plain.replace(str(secret), "…") if secret else plain


# Composing these anew would take longer than all else that we do for a search.


@lru_cache(maxsize=256)
def _beginning(table: PgVectorTable) -> bytes:
    """The statement that begins a search: naming the table locks it, so the comment is read after that."""
    table_name = _in_parameters(table)
    return (
        SQL(
            "SELECT EXISTS (SELECT FROM {} WHERE false), obj_description({}::regclass, 'pg_class'), "
            "EXISTS (SELECT FROM pg_index JOIN pg_class AS built ON built.oid = pg_index.indexrelid "
            "JOIN pg_am ON pg_am.oid = built.relam "
            "WHERE pg_index.indrelid = {}::regclass AND pg_am.amname = 'hnsw'), "
            "set_config('hnsw.ef_search', %s, true), "
            "set_config('hnsw.iterative_scan', 'relaxed_order', true)"
        )
        .format(table_name, *[Literal(table_name.as_string(None))] * 2)
        .as_bytes(None)
    )


def _in_parameters(table: PgVectorTable) -> Identifier:
    """The name in a statement with parameters, where a `%` of it could be taken for one."""
    return Identifier(*(name.replace("%", "%%") for name in (table.schema, table.name) if name is not None))


@lru_cache(maxsize=256)
def _nearest(table: PgVectorTable, counts: tuple[int, ...], exact: bool) -> bytes:
    """The statement for conditions of which each has so many alternatives; they are its parameters."""
    clauses: list[Composable] = [
        SQL("({})").format(SQL(" OR ").join([SQL("metadata @> %s::jsonb")] * count or [SQL("false")]))
        for count in counts
    ]
    order = SQL('distance, id COLLATE "C"' if exact else "distance")
    statement = SQL("SELECT {}, embedding <=> %s AS distance FROM {} WHERE {} ORDER BY {} LIMIT %s")
    where = SQL(" AND ").join(clauses or [SQL("true")])
    return statement.format(_COLUMNS, _in_parameters(table), where, order).as_bytes(None)


def _version(cursor: Cursor) -> str | None:
    row = cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    return None if row is None else str(row[0])


def _create_extension(cursor: Cursor) -> str:
    # Two sessions that find nothing at the same time would both create it.
    cursor.execute("SELECT pg_advisory_xact_lock(hashtext('sensecheck'), hashtext('vector'))")
    try:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as refusal:
        raise ToolError(
            "the database has no extension `vector`, and it could not be made: "
            f"{refusal.diag.message_primary}; install pgvector on the server, and let a user who may run "
            "`CREATE EXTENSION vector` in this database"
        ) from refusal
    version = _version(cursor)
    if version is None:
        raise ToolError(
            "the extension `vector` came after this transaction began; open the index in a new one"
        )
    return version
