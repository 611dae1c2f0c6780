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

from sensecheck.store.tables import Json, Key, Moment, key_column, optional, required
from sensecheck.store.tables import metadata as metadata

MaybeJson = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
"""JSON, or NULL where there is none; plain `Json` would keep the word `null`."""


def _project_column() -> "Column[int]":
    return Column("project", Key, nullable=False, autoincrement=False)


messages = Table(
    "messages",
    metadata,
    Column("at", Moment, primary_key=True),  # a table that is cut by months wants it in the key
    Column("id", Text, primary_key=True),
    _project_column(),
    *optional(Text, "api_key", "session_id"),
    *required(Text, "mode"),
    *optional(Text, "user_message"),
    *required(Text, "assistant_response", "selected_text"),
    *required(Boolean, "in_selected_text"),
    *required(Text, "outcome", "policy"),
    *optional(Text, "writer", "encoder"),
    *optional(Double, "support", "response_similarity_score", "keyword_overlap_ratio"),
    *optional(Boolean, "validation_passed"),
    *optional(Double, "latency_validation_ms", "latency_ms"),
    *required(Boolean, "truncated"),
    *optional(MaybeJson, "source_chunk_ids"),
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
    *optional(Text, "session_id"),
    *required(Text, "answer", "passage", "because"),
    Index("ix_candidates_project_session_id", "project", "session_id"),
)
reviews = Table(
    "reviews",
    metadata,
    key_column(),  # a changed mind adds another row: the newest of a reviewer counts
    _project_column(),
    *required(Text, "message", "reviewer"),
    *required(Boolean, "grounded"),
    *required(Text, "note"),
    Column("drawn", Text),  # how the message came to the reviewer; NULL where no one drew it
    *required(Moment, "at"),
    Index("ix_reviews_project_message", "project", "message"),
)
feedback = Table(
    "feedback",
    metadata,
    key_column(),  # the newest of a message counts
    _project_column(),
    *required(Text, "message", "thumb", "note"),
    *required(Moment, "at"),
    Index("ix_feedback_project_message", "project", "message"),
)
idempotency = Table(
    "idempotency",
    metadata,
    Column("project", Key, primary_key=True, autoincrement=False),
    Column("name", Text, primary_key=True),
    *required(Text, "request"),
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
    *required(Text, "kind", "label"),
    *required(Json, "scopes", "origins"),
    *required(Text, "policy"),
    *required(Boolean, "review"),
    *required(Integer, "per_minute", "per_session_minute", "per_address_minute"),
    *required(BigInteger, "daily_budget"),
    *required(Moment, "created_at"),
    *optional(Moment, "revoked_at"),
    *required(LargeBinary, "digest"),
)
fitted_policies = Table(
    "fitted_policies",
    metadata,
    Column("project", ForeignKey("projects.key"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    *required(Text, "base"),
    *required(Json, "cutoff", "card"),
    *required(Moment, "created_at"),
)
daily_figures = Table(
    "daily_figures",
    metadata,
    Column("project", ForeignKey("projects.key"), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("policy", Text, primary_key=True),
    Column("figures", Json, nullable=False),  # counts and sums, by name
    *required(Moment, "rolled_up_at"),
)
