"""The first revision: all tables, the view `evals`, and the triggers that make rows append-only.

Revision ID: v0001
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from sensecheck.core.errors import SpecError
from sensecheck.store.migrations import online

revision, down_revision = "v0001", None
branch_labels = depends_on = None

TABLES = (
    "projects",
    "tests",
    "pairs",
    "sets",
    "set_pairs",
    "runs",
    "run_events",
    "batches",
    "answers",
    "metrics",
    "readings",
    "labels",
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
"""In an order in which each points only at those before it."""
KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
KINDS: "dict[str, sa.types.TypeEngine[Any]]" = {
    "serial": KEY,
    "number": KEY,
    "count": sa.Integer(),
    "budget": sa.BigInteger(),
    "text": sa.Text(),
    "double": sa.Double(),
    "flag": sa.Boolean(),
    "moment": sa.DateTime(timezone=True),
    "date": sa.Date(),
    "bytes": sa.LargeBinary(),
    "json": sa.JSON().with_variant(JSONB, "postgresql"),
    "ordered_json": sa.JSON(),
}
_WRITTEN = (
    "(SELECT b.written_at FROM batches AS b WHERE b.run = a.run AND b.first <= a.position "
    "ORDER BY b.first DESC LIMIT 1)"
)
"""When the batch of the answer was committed."""
_OWN = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
    "answer_relevance",
    "context_relevance",
    "groundedness",
    "llm_judged_overall",
)
_NONE = "''"
"""The fingerprint of metrics that no encoder reads."""
_BY_ENCODER = ("semantic_similarity",)
_REASONED = ("answer_relevance", "context_relevance", "groundedness")


def upgrade() -> None:
    """Create everything, in one transaction."""
    is_postgresql = op.get_context().dialect.name == "postgresql"
    if is_postgresql:
        op.execute(
            f"CREATE FUNCTION {online.TRIGGER_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$\n"
            f"BEGIN RAISE EXCEPTION '{online.REFUSAL}', TG_TABLE_NAME; END\n$$"
        )
    _evaluation_tables()
    _message_tables()
    _service_tables()
    op.execute(_evals_view())
    if is_postgresql:  # for months that have no partition yet
        op.execute("CREATE TABLE messages_default PARTITION OF messages DEFAULT")


def check_downgrade(connection: sa.Connection) -> None:
    """Raise `SpecError` where a table has rows; also asked before later revisions are undone."""
    filled = [
        f"`{table}`"
        for table in TABLES
        if connection.execute(sa.select(sa.literal(1)).select_from(sa.table(table)).limit(1)).first()
    ]
    if filled:
        raise SpecError(
            f"a downgrade to `base` drops all tables, and these have rows: {', '.join(filled)}; "
            "to lose them, delete the rows first, or the whole database"
        )


def downgrade() -> None:
    """Drop everything, unless a table has rows."""
    online.lock_tables(TABLES)
    check_downgrade(op.get_bind())
    op.execute("DROP VIEW evals")
    for table in reversed(TABLES):
        op.drop_table(table)
    if op.get_context().dialect.name == "postgresql":
        op.execute(f"DROP FUNCTION {online.TRIGGER_FUNCTION}()")


def _evaluation_tables() -> None:
    project = {"project": "projects.key"}
    answer = {"run, position": "answers.run, answers.position"}
    _table(
        "projects",
        "key serial, id text, name text, created_at moment",
        primary="key",
        unique=("id", "name"),
        append_only=False,
    )
    _table(
        "tests",
        "key serial, id text, project number, name text, embedding json, generation json, digest text, "
        "created_at moment",
        primary="key",
        points=project,
        unique=("id", "project, digest"),
    )
    _table(
        "pairs",
        "key serial, id text, project number, question text?, expected text?, passages json, slices json, "
        "digest text",
        primary="key",
        points=project,
        unique=("project, digest",),
        indexes=("id",),
    )
    _table(
        "sets",
        "key serial, project number, digest text, size count, created_at moment",
        primary="key",
        points=project,
        unique=("project, digest",),
    )
    _table(
        "set_pairs",
        "set number, position count, pair number",
        primary="set, position",
        points={"set": "sets.key", "pair": "pairs.key"},
        unique=("set, pair",),
        sqlite_with_rowid=False,
    )
    _table(
        "runs",
        "key serial, id text, test number, set number, name text, encoder text, conditions json, "
        "started_at moment",
        primary="key",
        points={"test": "tests.key", "set": "sets.key"},
        unique=("id",),
        indexes=("test", "set"),
    )
    _table(
        "run_events",
        "key serial, run number, kind text, note text, at moment",
        primary="key",
        points={"run": "runs.key"},
        indexes=("run",),
    )
    _table(
        "batches",
        "run number, first count, size count, token text, written_at moment",
        primary="run, first",
        points={"run": "runs.key"},
        sqlite_with_rowid=False,
    )
    _table(
        "answers",
        "run number, position count, pair number, id text?, answer text?, error text?, passages json?, "
        "latency_ms double?, cost double?",
        primary="run, position",
        points={"run": "runs.key", "pair": "pairs.key"},
        indexes=("pair, run",),
        sqlite_with_rowid=False,
    )
    _table(
        "metrics",
        "key serial, name text, encoder text, fingerprint text",
        primary="key",
        unique=("name, fingerprint",),
    )
    _table(
        "readings",
        "run number, position count, metric number, value double?, because text?, error text?",
        primary="run, position, metric",
        points={"metric": "metrics.key", **answer},
        indexes=("metric, run, value",),
        sqlite_with_rowid=False,
    )
    _table(
        "labels",
        "run number, position count, name text, rater text, value double, given_at moment",
        primary="run, position, name, rater",
        points=answer,
        sqlite_with_rowid=False,
    )


def _message_tables() -> None:
    _table(
        "messages",
        "at moment, id text, project number, api_key text?, session_id text?, mode text, user_message text?, "
        "assistant_response text, selected_text text, in_selected_text flag, outcome text, policy text, "
        "writer text?, encoder text?, support double?, response_similarity_score double?, "
        "keyword_overlap_ratio double?, validation_passed flag?, latency_validation_ms double?, "
        "latency_ms double?, truncated flag, source_chunk_ids json?",
        primary="at, id",
        indexes=("project, at", "project, session_id"),
        postgresql_partition_by="RANGE (at)",
    )
    _table(
        "candidates",
        "message text, at moment, project number, session_id text?, answer text, passage text, because text",
        primary="message",
        indexes=("at", "project, session_id"),
    )
    _table(
        "reviews",
        "key serial, project number, message text, reviewer text, grounded flag, note text, drawn text?, "
        "at moment",
        primary="key",
        indexes=("project, message",),
    )
    _table(
        "feedback",
        "key serial, project number, message text, thumb text, note text, at moment",
        primary="key",
        indexes=("project, message",),
    )


def _service_tables() -> None:
    project = {"project": "projects.key"}
    _table(
        "idempotency",
        "project number, name text, request text, until moment, session text?, status count?, "
        "body ordered_json?",
        primary="project, name",
        indexes=("until", "project, session"),
        append_only=False,
    )
    _table(
        "erasures",
        "project number, session text, at moment",
        primary="project, session, at",
        indexes=("at",),
    )
    _table(
        "api_keys",
        "id text, project number, kind text, label text, scopes json, origins json, policy text, "
        "review flag, per_minute count, per_session_minute count, per_address_minute count, "
        "daily_budget budget, created_at moment, revoked_at moment?, digest bytes",
        primary="id",
        points=project,
        indexes=("project",),
        append_only=False,
    )
    _table(
        "fitted_policies",
        "project number, name text, version count, base text, cutoff json, card json, created_at moment",
        primary="project, name, version",
        points=project,
    )
    _table(
        "daily_figures",
        "project number, day date, policy text, figures json, rolled_up_at moment",
        primary="project, day, policy",
        points=project,
        append_only=False,
    )


def _table(
    name: str,
    columns: str,
    *,
    primary: str,
    points: Mapping[str, str] = MappingProxyType({}),
    unique: Sequence[str] = (),
    indexes: Sequence[str] = (),
    append_only: bool = True,
    **options: Any,
) -> None:
    """Create a table with its indexes and its trigger.

    A column is a name and a kind, with `?` where it may be NULL.
    """
    pairs = [column.split() for column in columns.split(", ")]
    op.create_table(
        name,
        *(_column(column, kind) for column, kind in pairs),
        sa.PrimaryKeyConstraint(*primary.split(", "), name=f"pk_{name}"),
        *(
            sa.ForeignKeyConstraint(source.split(", "), to.split(", "), name=_named("fk", name, source))
            for source, to in points.items()
        ),
        *(sa.UniqueConstraint(*one.split(", "), name=_named("uq", name, one)) for one in unique),
        **options,
    )
    for index in indexes:
        op.create_index(_named("ix", name, index), name, index.split(", "))
    if append_only:
        op.execute(online.trigger_sql(name, [column for column, _ in pairs]))


def _column(name: str, kind: str) -> "sa.Column[Any]":
    nullable, plain = kind.endswith("?"), kind.removesuffix("?")
    return sa.Column(name, KINDS[plain], nullable=nullable, autoincrement=plain == "serial")


def _named(prefix: str, table: str, columns: str) -> str:
    return f"{prefix}_{table}_{columns.replace(', ', '_')}"


def _evals_view() -> str:
    """One row per answer, one column per metric; the same statement for both databases.

    Each number is looked up by the whole primary key of `readings`: a query for one run reads the rows of
    that run, and a query for one column looks up nothing else.
    """
    columns = (
        "coalesce(a.id, r.id || '-' || CAST(a.position AS TEXT)) AS id",
        "r.id AS test_run_id",
        "p.id AS qa_pair_id",
        *(f"{_looked_up('value', name, _NONE)} AS {name}" for name in _OWN),
        *(f"{_looked_up('value', name, 'r.encoder')} AS {name}" for name in _BY_ENCODER),
        "a.answer AS answer",
        *(f"{_looked_up('because', name, _NONE)} AS {name}_reasoning" for name in _REASONED),
        "a.error AS error",
        "a.latency_ms AS latency_ms",
        "a.cost AS cost",
        f"{_WRITTEN} AS created_at",
    )
    tables = "answers AS a JOIN runs AS r ON r.key = a.run JOIN pairs AS p ON p.key = a.pair"
    return "CREATE VIEW evals AS\nSELECT\n  " + ",\n  ".join(columns) + f"\nFROM {tables}"


def _looked_up(column: str, metric: str, fingerprint: str) -> str:
    key = f"(SELECT m.key FROM metrics AS m WHERE m.name = '{metric}' AND m.fingerprint = {fingerprint})"
    where = f"x.run = a.run AND x.position = a.position AND x.metric = {key}"
    return f"(SELECT x.{column} FROM readings AS x WHERE {where})"
