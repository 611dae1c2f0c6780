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


def moment_column(name: str) -> "Column[object]":
    """A moment that is always there."""
    return Column(name, Moment, nullable=False)


projects = Table(
    "projects",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False, unique=True),
    moment_column("created_at"),
)
tests = Table(
    "tests",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, unique=True),
    Column("project", ForeignKey("projects.key"), nullable=False),
    Column("name", Text, nullable=False),
    Column("embedding", Json, nullable=False),
    Column("generation", Json, nullable=False),
    Column("digest", Text, nullable=False),
    moment_column("created_at"),
    UniqueConstraint("project", "digest"),
)
pairs = Table(
    "pairs",
    metadata,
    key_column(),
    Column("id", Text, nullable=False, index=True),
    Column("project", ForeignKey("projects.key"), nullable=False),
    Column("question", Text),
    Column("expected", Text),
    Column("passages", Json, nullable=False),
    Column("slices", Json, nullable=False),
    Column("digest", Text, nullable=False),
    UniqueConstraint("project", "digest"),
)
sets = Table(
    "sets",
    metadata,
    key_column(),
    Column("project", ForeignKey("projects.key"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("size", Integer, nullable=False),
    moment_column("created_at"),
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
    Column("name", Text, nullable=False),
    Column("encoder", Text, nullable=False),
    Column("conditions", Json, nullable=False),
    moment_column("started_at"),
)
run_events = Table(
    "run_events",
    metadata,
    key_column(),
    Column("run", ForeignKey("runs.key"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("note", Text, nullable=False),
    moment_column("at"),
)
batches = Table(
    "batches",
    metadata,
    Column("run", ForeignKey("runs.key"), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("size", Integer, nullable=False),
    Column("token", Text, nullable=False),
    moment_column("written_at"),
    sqlite_with_rowid=False,
)
answers = Table(
    "answers",
    metadata,
    Column("run", ForeignKey("runs.key"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("pair", ForeignKey("pairs.key"), nullable=False),
    Column("id", Text),
    Column("answer", Text),
    Column("error", Text),
    Column("passages", Json),  # NULL: what the question came with
    Column("latency_ms", Double),
    Column("cost", Double),
    Index("ix_answers_pair_run", "pair", "run"),
    sqlite_with_rowid=False,
)
metrics = Table(
    "metrics",
    metadata,
    key_column(),
    Column("name", Text, nullable=False),
    Column("encoder", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    UniqueConstraint("name", "fingerprint"),
)
readings = Table(
    "readings",
    metadata,
    Column("run", Key, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("metric", ForeignKey("metrics.key"), primary_key=True),
    Column("value", Double),
    Column("because", Text),
    Column("error", Text),
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
    moment_column("given_at"),
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
    Column("id", Text),
    Column("test_run_id", Text),
    Column("qa_pair_id", Text),
    *(Column(name, Double) for name in (*LEXICAL, *JUDGED, *SEMANTIC)),
    Column("answer", Text),
    *(Column(name, Text) for name in REASONS),
    Column("error", Text),
    Column("latency_ms", Double),
    Column("cost", Double),
    Column("created_at", Moment),
)
"""A number is NULL where it was not read; numbers that an encoder makes are those of the run's first one."""
