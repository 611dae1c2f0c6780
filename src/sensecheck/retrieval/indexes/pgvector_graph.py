"""What makes a table fast: a graph of its vectors (HNSW), and a way to its metadata."""

from dataclasses import dataclass

from psycopg.sql import SQL, Identifier, Literal

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.indexes.pgvector_database import Cursor
from sensecheck.retrieval.indexes.pgvector_table import Table

WIDEST = 2000
"""Numbers of a vector that pgvector can put into a graph."""


@dataclass(frozen=True, slots=True)
class Graph:
    """How an HNSW index is built: more neighbours and a wider search cost time, and find more."""

    m: int = 16
    ef_construction: int = 64

    def __post_init__(self) -> None:
        if not (
            2 <= self.m <= 100 and 4 <= self.ef_construction <= 1000 and self.ef_construction >= 2 * self.m
        ):
            raise SpecError(
                "`m` wants 2 to 100, `ef_construction` 4 to 1000 and at least twice `m`; "
                f"found {self.m}, {self.ef_construction}"
            )

    def build(self, cursor: Cursor, table: Table, *, dimension: int) -> None:
        """Build it unless it is there; one that was built otherwise gives way."""
        if dimension > WIDEST:
            raise SpecError(f"pgvector builds graphs of at most {WIDEST} numbers a vector; found {dimension}")
        cursor.execute(table.alone())
        wanted = {f"m={self.m}", f"ef_construction={self.ef_construction}"}
        there = _built(cursor, table, "hnsw")
        for name, options in there:
            if options != wanted:
                cursor.execute(SQL("DROP INDEX {}").format(name))
        if wanted not in (options for _, options in there):
            made = SQL(
                "CREATE INDEX ON {} USING hnsw (embedding vector_cosine_ops) WITH (m={}, ef_construction={})"
            )
            cursor.execute(made.format(table.identifier, Literal(self.m), Literal(self.ef_construction)))
        if not _built(cursor, table, "gin"):
            # A filter that few pass is quicker through the metadata than along the graph.
            made = SQL("CREATE INDEX ON {} USING gin (metadata jsonb_path_ops)")
            cursor.execute(made.format(table.identifier))
        cursor.execute(SQL("ANALYZE {}").format(table.identifier))


def _built(cursor: Cursor, table: Table, kind: str) -> list[tuple[Identifier, set[str]]]:
    """The indexes of one kind that a table has, with their options."""
    cursor.execute(
        "SELECT pg_namespace.nspname, built.relname, built.reloptions FROM pg_index "
        "JOIN pg_class AS built ON built.oid = pg_index.indexrelid JOIN pg_am ON pg_am.oid = built.relam "
        "JOIN pg_namespace ON pg_namespace.oid = built.relnamespace "
        "WHERE pg_index.indrelid = %s::regclass AND pg_am.amname = %s",
        (table.identifier.as_string(cursor), kind),
    )
    return [(Identifier(schema, name), set(options or ())) for schema, name, options in cursor.fetchall()]
