"""The tables of the service: messages by month, what belongs to them, keys and policies.

Revision ID: 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from sensecheck.core.errors import SpecError
from sensecheck.store.migrations import gently, triggers

revision, down_revision = "0003", "0002"
branch_labels = depends_on = None

TABLES = (
    "messages",
    "candidates",
    "reviews",
    "feedback",
    "idempotency",
    "erasures",
    "api_keys",
    "fitted_policies",
    "daily_figures",
)
MESSAGE = (
    "at",
    "id",
    "project",
    "api_key",
    "session_id",
    "mode",
    "user_message",
    "assistant_response",
    "selected_text",
    "in_selected_text",
    "outcome",
    "policy",
    "writer",
    "encoder",
    "support",
    "response_similarity_score",
    "keyword_overlap_ratio",
    "validation_passed",
    "latency_validation_ms",
    "latency_ms",
    "truncated",
    "source_chunk_ids",
)
GUARDED = {
    "messages": MESSAGE,
    "candidates": ("message", "at", "project", "session_id", "answer", "passage", "because"),
    "reviews": ("key", "project", "message", "reviewer", "grounded", "note", "drawn", "at"),
    "feedback": ("key", "project", "message", "thumb", "note", "at"),
    "erasures": ("project", "session", "at"),
    "fitted_policies": ("project", "name", "version", "base", "cutoff", "card", "created_at"),
}
KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
JSON = sa.JSON().with_variant(JSONB, "postgresql")


def upgrade() -> None:
    """Make everything, in one transaction; messages of months that have no part yet go to the last one."""
    _messages()
    if op.get_context().dialect.name == "postgresql":
        op.execute("CREATE TABLE messages_default PARTITION OF messages DEFAULT")
    _of_messages()
    _requests()
    _projects()
    for table, columns in GUARDED.items():
        triggers.guard(table, columns)


def downgrade() -> None:
    """Take everything away, if nothing is kept in it."""
    gently.lock(TABLES)
    for table in TABLES:
        if op.get_bind().execute(sa.select(sa.literal(1)).select_from(sa.table(table)).limit(1)).first():
            raise SpecError(
                f"the table `{table}` holds rows, which going back before `0003` would lose; "
                "delete them first, if that is meant"
            )
    for table in reversed(TABLES):
        op.drop_table(table)


def _messages() -> None:
    op.create_table(
        "messages",
        _moment("at"),
        _text("id"),
        _of("project"),
        sa.Column("api_key", sa.Text),
        sa.Column("session_id", sa.Text),
        _text("mode"),
        sa.Column("user_message", sa.Text),
        _text("assistant_response"),
        _text("selected_text"),
        _flag("in_selected_text"),
        _text("outcome"),
        _text("policy"),
        sa.Column("writer", sa.Text),
        sa.Column("encoder", sa.Text),
        sa.Column("support", sa.Double),
        sa.Column("response_similarity_score", sa.Double),
        sa.Column("keyword_overlap_ratio", sa.Double),
        sa.Column("validation_passed", sa.Boolean),
        sa.Column("latency_validation_ms", sa.Double),
        sa.Column("latency_ms", sa.Double),
        _flag("truncated"),
        sa.Column("source_chunk_ids", JSON),
        _primary("messages", "at", "id"),
        postgresql_partition_by="RANGE (at)",
    )
    _index("messages", "project", "at")
    _index("messages", "project", "session_id")


def _of_messages() -> None:
    op.create_table(
        "candidates",
        _text("message"),
        _moment("at"),
        _of("project"),
        sa.Column("session_id", sa.Text),
        _text("answer"),
        _text("passage"),
        _text("because"),
        _primary("candidates", "message"),
    )
    _index("candidates", "at")
    _index("candidates", "project", "session_id")
    op.create_table(
        "reviews",
        _number(),
        _of("project"),
        _text("message"),
        _text("reviewer"),
        _flag("grounded"),
        _text("note"),
        sa.Column("drawn", sa.Text),
        _moment("at"),
        _primary("reviews", "key"),
    )
    _index("reviews", "project", "message")
    op.create_table(
        "feedback",
        _number(),
        _of("project"),
        _text("message"),
        _text("thumb"),
        _text("note"),
        _moment("at"),
        _primary("feedback", "key"),
    )
    _index("feedback", "project", "message")


def _requests() -> None:
    op.create_table(
        "idempotency",
        _of("project"),
        _text("name"),
        _text("request"),
        _moment("until"),
        sa.Column("session", sa.Text),
        sa.Column("status", sa.Integer),
        sa.Column("body", sa.JSON),
        _primary("idempotency", "project", "name"),
    )
    _index("idempotency", "until")
    _index("idempotency", "project", "session")
    op.create_table(
        "erasures",
        _of("project"),
        _text("session"),
        _moment("at"),
        _primary("erasures", "project", "session", "at"),
    )
    _index("erasures", "at")


def _projects() -> None:
    op.create_table(
        "api_keys",
        _text("id"),
        _of("project"),
        _text("kind"),
        _text("label"),
        _json("scopes"),
        _json("origins"),
        _text("policy"),
        _flag("review"),
        _count("per_minute"),
        _count("per_session_minute"),
        _count("per_address_minute"),
        sa.Column("daily_budget", sa.BigInteger, nullable=False),
        _moment("created_at"),
        sa.Column("revoked_at", sa.DateTime(timezone=True)),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        _primary("api_keys", "id"),
        _points("api_keys"),
    )
    _index("api_keys", "project")
    op.create_table(
        "fitted_policies",
        _of("project"),
        _text("name"),
        _count("version"),
        _text("base"),
        _json("cutoff"),
        _json("card"),
        _moment("created_at"),
        _primary("fitted_policies", "project", "name", "version"),
        _points("fitted_policies"),
    )
    op.create_table(
        "daily_figures",
        _of("project"),
        sa.Column("day", sa.Date, nullable=False),
        _text("policy"),
        _json("figures"),
        _moment("rolled_up_at"),
        _primary("daily_figures", "project", "day", "policy"),
        _points("daily_figures"),
    )


def _number() -> "sa.Column[int]":
    return sa.Column("key", KEY, nullable=False, autoincrement=True)


def _of(name: str) -> "sa.Column[int]":
    return sa.Column(name, KEY, nullable=False, autoincrement=False)


def _count(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer, nullable=False, autoincrement=False)


def _flag(name: str) -> "sa.Column[bool]":
    return sa.Column(name, sa.Boolean, nullable=False)


def _text(name: str) -> "sa.Column[str]":
    return sa.Column(name, sa.Text, nullable=False)


def _json(name: str) -> "sa.Column[object]":
    return sa.Column(name, JSON, nullable=False)


def _moment(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _primary(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _points(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["project"], ["projects.key"], name=f"fk_{table}_project")


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, columns)
