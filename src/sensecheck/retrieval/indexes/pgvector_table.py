"""The table of an index in PostgreSQL: its statements, and the origin of its vectors in a comment."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from psycopg.sql import SQL, Composable, Composed, Identifier, Literal

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.indexes.pgvector_database import Cursor

LONGEST = 63
"""Bytes of a name that PostgreSQL keeps; the rest it would cut off without an error."""
COLUMNS = SQL("id, text, source, metadata, reference_score, embedding")


@dataclass(frozen=True, slots=True)
class Table:
    """A table by its name; whatever characters that has, it is a name in every statement."""

    name: str
    schema: str | None = None
    """None for the first of the connection's search path."""

    def __post_init__(self) -> None:
        for name in (self.name, self.schema):
            if name is not None and not (0 < len(name.encode()) <= LONGEST and "\0" not in name):
                raise SpecError(
                    f"a name in PostgreSQL has from 1 to {LONGEST} bytes; found {len(name.encode())}"
                )

    @property
    def identifier(self) -> Identifier:
        """The name, quoted."""
        return Identifier(self.name) if self.schema is None else Identifier(self.schema, self.name)

    @property
    def at(self) -> str:
        """What people call it, in messages."""
        return f"the table `{self.name}`"

    def make_ready(self, cursor: Cursor, origin: Origin) -> None:
        """Make the table where there is none; raise where it holds the vectors of another encoder."""
        named = self.identifier.as_string(cursor)
        cursor.execute(
            "SELECT to_regclass(%s)::oid, obj_description(to_regclass(%s), 'pg_class')", (named, named)
        )
        found, comment = cursor.fetchone() or (None, None)
        if found is not None:
            origin.must_be_that_of(comment, at=self.at)
            return
        cursor.execute(
            SQL(
                "CREATE TABLE {} (id text PRIMARY KEY, text text NOT NULL, source text NOT NULL, "
                "metadata jsonb NOT NULL, reference_score double precision, embedding vector({}) NOT NULL)"
            ).format(self.identifier, Literal(origin.dimension))
        )
        cursor.execute(SQL("COMMENT ON TABLE {} IS {}").format(self.identifier, Literal(origin.written())))

    def count(self) -> Composed:
        """How many rows there are."""
        return SQL("SELECT count(*) FROM {}").format(self.identifier)

    def nearest(self, conditions: Sequence[Sequence[str]] = ()) -> bytes:
        """The nearest first; under conditions, those whose metadata contains one of each."""
        return _nearest(self, tuple(len(one) for one in conditions))

    def room_for_incoming(self) -> Composed:
        """A table that only this connection sees, and only in this transaction; metadata comes as text."""
        return SQL(
            "CREATE TEMP TABLE sensecheck_incoming ON COMMIT DROP AS SELECT id, text, source, "
            "metadata::text AS metadata, reference_score, embedding FROM {} WITH NO DATA"
        ).format(self.identifier)

    def alone(self) -> Composed:
        """Others may read, and wait to write: two who write the same rows could block each other for good."""
        return SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(self.identifier)

    def take_in(self) -> Composed:
        """What has come takes the place of what has the same id."""
        return SQL(
            "INSERT INTO {} ({}) SELECT id, text, source, metadata::jsonb, reference_score, embedding "
            "FROM pg_temp.sensecheck_incoming ON CONFLICT (id) DO UPDATE SET text = EXCLUDED.text, "
            "source = EXCLUDED.source, metadata = EXCLUDED.metadata, "
            "reference_score = EXCLUDED.reference_score, embedding = EXCLUDED.embedding"
        ).format(self.identifier, COLUMNS)


@lru_cache(maxsize=256)  # composing it anew takes longer than all else that we do for a search
def _nearest(table: Table, several: tuple[int, ...]) -> bytes:
    """The statement for conditions of which each has so many alternatives; they are its parameters."""
    # In a statement with parameters, a `%` of a name could be taken for one.
    names = [name.replace("%", "%%") for name in (table.schema, table.name) if name is not None]
    every: list[Composable] = [
        SQL("({})").format(SQL(" OR ").join([SQL("metadata @> %s::jsonb")] * count or [SQL("false")]))
        for count in several
    ]
    statement = SQL("SELECT {}, embedding <=> %s AS distance FROM {} WHERE {} ORDER BY distance LIMIT %s")
    where = SQL(" AND ").join(every or [SQL("true")])
    return statement.format(COLUMNS, Identifier(*names), where).as_bytes(None)
