"""The tables of the service, next to those of evaluations in the same database.

projects ─┬─ api_keys, fitted_policies, daily_figures
          └┄ messages ┄┬┄ candidates
                       ├┄ reviews, feedback
                       └┄ idempotency
             erasures

What is written with each request (┄) has no foreign keys: a month of messages is dropped as a whole, without
a lock on any other table, and what waited elsewhere while the database was away is never refused. Every row
names its project, and every query asks for one. `metadata` has all tables: these and those of evaluations.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import JSONB

from sensecheck.store.tables import Json, Key, Moment, key_column, moment_column
from sensecheck.store.tables import metadata as metadata

MaybeJson = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
"""JSON, or NULL where there is none; plain `Json` would keep the word `null`."""


def _text_column(name: str) -> "Column[str]":
    return Column(name, Text, nullable=False)


def _project_column() -> "Column[int]":
    return Column("project", Key, nullable=False, autoincrement=False)


messages = Table(
    "messages",
    metadata,
    Column("at", Moment, primary_key=True),  # a table that is cut by months wants it in the key
    Column("id", Text, primary_key=True),
    _project_column(),
    Column("api_key", Text),
    Column("session_id", Text),
    _text_column("mode"),
    Column("user_message", Text),
    _text_column("assistant_response"),
    _text_column("selected_text"),
    Column("in_selected_text", Boolean, nullable=False),
    _text_column("outcome"),
    _text_column("policy"),
    Column("writer", Text),
    Column("encoder", Text),
    Column("support", Double),
    Column("response_similarity_score", Double),
    Column("keyword_overlap_ratio", Double),
    Column("validation_passed", Boolean),
    Column("latency_validation_ms", Double),
    Column("latency_ms", Double),
    Column("truncated", Boolean, nullable=False),
    Column("source_chunk_ids", MaybeJson),
    Index("ix_messages_project_at", "project", "at"),
    Index("ix_messages_project_session_id", "project", "session_id"),
    postgresql_partition_by="RANGE (at)",
)
candidates = Table(
    "candidates",
    metadata,
    Column("message", Text, primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    _project_column(),
    Column("session_id", Text),
    _text_column("answer"),
    _text_column("passage"),
    _text_column("because"),
    Index("ix_candidates_project_session_id", "project", "session_id"),
)
reviews = Table(
    "reviews",
    metadata,
    key_column(),  # a changed mind adds another row: the newest of a reviewer counts
    _project_column(),
    _text_column("message"),
    _text_column("reviewer"),
    Column("grounded", Boolean, nullable=False),
    _text_column("note"),
    Column("drawn", Text),  # how the message came to the reviewer; NULL where no one drew it
    moment_column("at"),
    Index("ix_reviews_project_message", "project", "message"),
)
feedback = Table(
    "feedback",
    metadata,
    key_column(),  # the newest of a message counts
    _project_column(),
    _text_column("message"),
    _text_column("thumb"),
    _text_column("note"),
    moment_column("at"),
    Index("ix_feedback_project_message", "project", "message"),
)
idempotency = Table(
    "idempotency",
    metadata,
    Column("project", Key, primary_key=True, autoincrement=False),
    Column("name", Text, primary_key=True),
    _text_column("request"),
    Column("until", Moment, nullable=False, index=True),  # from then on it is as if it were not there
    Column("session", Text),  # a digest
    Column("status", Integer),  # NULL while the request is under way
    Column("body", JSON(none_as_null=True)),  # its text as it is: JSONB would lose the order of the keys
    Index("ix_idempotency_project_session", "project", "session"),
)
erasures = Table(
    "erasures",
    metadata,
    Column("project", Key, primary_key=True, autoincrement=False),
    Column("session", Text, primary_key=True),  # a digest
    Column("at", Moment, primary_key=True, index=True),
)
api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("project", ForeignKey("projects.key"), nullable=False, index=True),
    _text_column("kind"),
    _text_column("label"),
    Column("scopes", Json, nullable=False),
    Column("origins", Json, nullable=False),
    _text_column("policy"),
    Column("review", Boolean, nullable=False),
    Column("per_minute", Integer, nullable=False),
    Column("per_session_minute", Integer, nullable=False),
    Column("per_address_minute", Integer, nullable=False),
    Column("daily_budget", BigInteger, nullable=False),
    moment_column("created_at"),
    Column("revoked_at", Moment),
    Column("digest", LargeBinary, nullable=False),
)
fitted_policies = Table(
    "fitted_policies",
    metadata,
    Column("project", ForeignKey("projects.key"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    _text_column("base"),
    Column("cutoff", Json, nullable=False),
    Column("card", Json, nullable=False),
    moment_column("created_at"),
)
daily_figures = Table(
    "daily_figures",
    metadata,
    Column("project", ForeignKey("projects.key"), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("policy", Text, primary_key=True),
    Column("figures", Json, nullable=False),  # counts and sums, by name
    moment_column("rolled_up_at"),
)
