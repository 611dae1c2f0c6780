"""The extension `vector` of a database: there, or made, or an error that says what to do."""

from pgvector.psycopg import register_vector
from psycopg import errors

from sensecheck.core.errors import ToolError
from sensecheck.retrieval.indexes.pgvector_database import Cursor

OLDEST = (0, 8)
"""The first whose scans go on until enough rows pass a filter."""


def make_ready(cursor: Cursor) -> None:
    """Make the extension if it is not there, and teach the connection its type."""
    # Two who begin at once would both find nothing, and both make it.
    cursor.execute("SELECT pg_advisory_xact_lock(hashtext('sensecheck'))")
    found = _version(cursor) or _made(cursor)
    if tuple(int(part) for part in found.split(".")[:2]) < OLDEST:
        raise ToolError(
            f"the database has pgvector {found}; wanted is {OLDEST[0]}.{OLDEST[1]} or newer: install that on "
            "the server, then run `ALTER EXTENSION vector UPDATE` in this database"
        )
    if cursor.execute("SELECT to_regtype('vector')").fetchone() == (None,):
        raise ToolError(
            "the database has the extension `vector` in a schema that is not searched; "
            "add that to `search_path`"
        )
    register_vector(cursor.connection)


def _made(cursor: Cursor) -> str:
    try:
        cursor.execute("CREATE EXTENSION vector")
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as refusal:
        raise ToolError(
            "the database has no extension `vector`, and it could not be made: "
            f"{refusal.diag.message_primary}; install pgvector on the server, and let somebody who may run "
            "`CREATE EXTENSION vector` in this database"
        ) from refusal
    return _version(cursor) or "none"


def _version(cursor: Cursor) -> str | None:
    row = cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    return None if row is None else str(row[0])
