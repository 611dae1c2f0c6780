"""The tables of evaluations, and the view `evals`.

projects ─┬─ tests ──────────────┐
          ├─ pairs ── set_pairs ─┤
          └─ sets ───────────────┴─ runs ─┬─ run_events, batches
                                          └─ answers ─┬─ readings ── metrics
                                                      └─ labels

Rows are added, and never changed. A test with another configuration, or a question in other words, is
another row; a new metric is more rows of `readings`, not a column. The view has a row per answer, with its
metrics as columns, for people and programs that read SQL.
"""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    exists,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeEngine

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)
Key = BigInteger().with_variant(Integer, "sqlite")
Moment = DateTime(timezone=True)
Json = JSON().with_variant(JSONB, "postgresql")
LEXICAL = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
)
JUDGED = ("answer_relevance", "context_relevance", "groundedness", "llm_judged_overall")
SEMANTIC = ("semantic_similarity",)
REASONED = ("answer_relevance", "context_relevance", "groundedness")
REASONS = tuple(f"{name}_reasoning" for name in REASONED)


def key_column() -> "Column[int]":
    """The primary key, a number that the database counts up."""
    return Column("key", Key, primary_key=True, autoincrement=True)


def required(kind: "TypeEngine[Any] | type[TypeEngine[Any]]", *names: str) -> "list[Column[Any]]":
    """Columns of one type that always hold something."""
    return [Column(name, kind, nullable=False) for name in names]


def optional(kind: "TypeEngine[Any] | type[TypeEngine[Any]]", *names: str) -> "list[Column[Any]]":
    """Columns of one type that may be NULL."""
    return [Column(name, kind) for name in names]


projects = Table(
    "projects",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False, unique=True),
    *required(Moment, "created_at"),
)
tests = Table(
    "tests",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, unique=True),
    Column("project", ForeignKey("projects.key"), nullable=False),
    *required(Text, "name"),
    *required(Json, "embedding", "generation"),
    *required(Text, "digest"),
    *required(Moment, "created_at"),
    UniqueConstraint("project", "digest"),
)
pairs = Table(
    "pairs",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, index=True),
    Column("project", ForeignKey("projects.key"), nullable=False),
    *optional(Text, "question", "expected"),
    *required(Json, "passages", "slices"),
    *required(Text, "digest"),
    UniqueConstraint("project", "digest"),
)
sets = Table(
    "sets",
    metadata,
    key_column(),
    Column("project", ForeignKey("projects.key"), nullable=False),
    *required(Text, "digest"),
    *required(Integer, "size"),
    *required(Moment, "created_at"),
    UniqueConstraint("project", "digest"),
)
set_pairs = Table(
    "set_pairs",
    metadata,
    Column("set", ForeignKey("sets.key"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("pair", ForeignKey("pairs.key"), nullable=False),
    UniqueConstraint("set", "pair"),
    sqlite_with_rowid=False,
)
runs = Table(
    "runs",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, unique=True),
    Column("test", ForeignKey("tests.key"), nullable=False, index=True),
    Column("set", ForeignKey("sets.key"), nullable=False, index=True),
    *required(Text, "name", "encoder"),
    *required(Json, "conditions"),
    *required(Moment, "started_at"),
)
run_events = Table(
    "run_events",
    metadata,
    key_column(),
    Column("run", ForeignKey("runs.key"), nullable=False, index=True),
    *required(Text, "kind", "note"),
    *required(Moment, "at"),
)
batches = Table(
    "batches",
    metadata,
    Column("run", ForeignKey("runs.key"), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    *required(Integer, "size"),
    *required(Text, "token"),
    *required(Moment, "written_at"),
    sqlite_with_rowid=False,
)
answers = Table(
    "answers",
    metadata,
    Column("run", ForeignKey("runs.key"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("pair", ForeignKey("pairs.key"), nullable=False),
    *optional(Text, "id", "answer", "error"),
    Column("passages", Json),  # NULL: what the question came with
    *optional(Double, "latency_ms", "cost"),
    Index("ix_answers_pair_run", "pair", "run"),
    sqlite_with_rowid=False,
)
metrics = Table(
    "metrics",
    metadata,
    key_column(),
    *required(Text, "name", "encoder", "fingerprint"),
    UniqueConstraint("name", "fingerprint"),
)
readings = Table(
    "readings",
    metadata,
    Column("run", Key, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("metric", ForeignKey("metrics.key"), primary_key=True),
    *optional(Double, "value"),
    *optional(Text, "because", "error"),
    ForeignKeyConstraint(["run", "position"], ["answers.run", "answers.position"]),
    Index("ix_readings_metric_run_value", "metric", "run", "value"),
    sqlite_with_rowid=False,
)
labels = Table(
    "labels",
    metadata,
    Column("run", Key, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, primary_key=True),
    Column("rater", Text, primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("value", Double),  # NULL: the rater took it back
    *required(Moment, "given_at"),
    ForeignKeyConstraint(["run", "position"], ["answers.run", "answers.position"]),
    sqlite_with_rowid=False,
)
_later = labels.alias()
CURRENT_LABEL = labels.c.value.is_not(None) & ~exists().where(
    *(_later.c[name] == labels.c[name] for name in ("run", "position", "name", "rater")),
    _later.c.revision > labels.c.revision,
)
"""Whether a label is what its rater says now; what they said before stays in its row."""


evals = Table(
    "evals",
    MetaData(),  # its own: a view is no table to be made or compared
    *optional(Text, "id", "test_run_id", "qa_pair_id"),
    *optional(Double, *LEXICAL, *JUDGED, *SEMANTIC),
    *optional(Text, "answer"),
    *optional(Text, *REASONS),
    *optional(Text, "error"),
    *optional(Double, "latency_ms", "cost"),
    *optional(Moment, "created_at"),
)
"""A number is NULL where it was not read; numbers that an encoder makes are those of the run's first one."""
