"""The tables, the view `evals`, and triggers that keep rows as they are.

Revision ID: 0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from sensecheck.core.errors import SpecError
from sensecheck.store.migrations import gently, triggers
from sensecheck.store.migrations.first_view import evals_view

revision, down_revision = "0001", None
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
)
GUARDED = {
    "tests": ("key", "id", "project", "name", "embedding", "generation", "digest", "created_at"),
    "pairs": ("key", "id", "project", "question", "expected", "passages", "slices", "digest"),
    "sets": ("key", "project", "digest", "size", "created_at"),
    "set_pairs": ("set", "position", "pair"),
    "runs": ("key", "id", "test", "set", "name", "encoder", "conditions", "started_at"),
    "run_events": ("key", "run", "kind", "note", "at"),
    "batches": ("run", "first", "size", "token", "written_at"),
    "answers": ("run", "position", "pair", "id", "answer", "error", "passages", "latency_ms", "cost"),
    "metrics": ("key", "name", "encoder", "fingerprint"),
    "readings": ("run", "position", "metric", "value", "because", "error"),
    "labels": ("run", "position", "name", "rater", "value", "given_at"),
}
KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
JSON = sa.JSON().with_variant(JSONB, "postgresql")


def upgrade() -> None:
    """Make everything, in one transaction."""
    _questions()
    _runs()
    _answers()
    _readings()
    op.execute(evals_view())
    triggers.make_function()
    for table, columns in GUARDED.items():
        triggers.guard(table, columns)


def downgrade() -> None:
    """Take everything away, if nothing is kept in it."""
    gently.lock(TABLES)
    for table in TABLES:
        if op.get_bind().execute(sa.select(sa.literal(1)).select_from(sa.table(table)).limit(1)).first():
            raise SpecError(
                f"the table `{table}` holds rows, which going back before `0001` would lose; "
                "delete the database instead, if that is meant"
            )
    op.execute("DROP VIEW evals")
    for table in reversed(TABLES):
        op.drop_table(table)
    triggers.drop_function()


def _questions() -> None:
    op.create_table(
        "projects",
        _number(),
        _text("id"),
        _text("name"),
        _moment("created_at"),
        _primary("projects", "key"),
        _unique("projects", "id"),
        _unique("projects", "name"),
    )
    op.create_table(
        "pairs",
        _number(),
        _text("id"),
        _of("project"),
        sa.Column("question", sa.Text),
        sa.Column("expected", sa.Text),
        _json("passages"),
        _json("slices"),
        _text("digest"),
        _primary("pairs", "key"),
        _points("pairs", "project", "projects"),
        _unique("pairs", "project", "digest"),
    )
    op.create_index("ix_pairs_id", "pairs", ["id"])
    op.create_table(
        "sets",
        _number(),
        _of("project"),
        _text("digest"),
        _count("size"),
        _moment("created_at"),
        _primary("sets", "key"),
        _points("sets", "project", "projects"),
        _unique("sets", "project", "digest"),
    )
    op.create_table(
        "set_pairs",
        _of("set"),
        _count("position"),
        _of("pair"),
        _primary("set_pairs", "set", "position"),
        _points("set_pairs", "set", "sets"),
        _points("set_pairs", "pair", "pairs"),
        _unique("set_pairs", "set", "pair"),
        sqlite_with_rowid=False,
    )


def _runs() -> None:
    op.create_table(
        "tests",
        _number(),
        _text("id"),
        _of("project"),
        _text("name"),
        _json("embedding"),
        _json("generation"),
        _text("digest"),
        _moment("created_at"),
        _primary("tests", "key"),
        _points("tests", "project", "projects"),
        _unique("tests", "id"),
        _unique("tests", "project", "digest"),
    )
    op.create_table(
        "runs",
        _number(),
        _text("id"),
        _of("test"),
        _of("set"),
        _text("name"),
        _text("encoder"),
        _json("conditions"),
        _moment("started_at"),
        _primary("runs", "key"),
        _points("runs", "test", "tests"),
        _points("runs", "set", "sets"),
        _unique("runs", "id"),
    )
    op.create_index("ix_runs_test", "runs", ["test"])
    op.create_index("ix_runs_set", "runs", ["set"])
    op.create_table(
        "run_events",
        _number(),
        _of("run"),
        _text("kind"),
        _text("note"),
        _moment("at"),
        _primary("run_events", "key"),
        _points("run_events", "run", "runs"),
    )
    op.create_index("ix_run_events_run", "run_events", ["run"])
    op.create_table(
        "batches",
        _of("run"),
        _count("first"),
        _count("size"),
        _text("token"),
        _moment("written_at"),
        _primary("batches", "run", "first"),
        _points("batches", "run", "runs"),
        sqlite_with_rowid=False,
    )


def _answers() -> None:
    op.create_table(
        "answers",
        _of("run"),
        _count("position"),
        _of("pair"),
        sa.Column("id", sa.Text),
        sa.Column("answer", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("passages", JSON),
        sa.Column("latency_ms", sa.Double),
        sa.Column("cost", sa.Double),
        _primary("answers", "run", "position"),
        _points("answers", "run", "runs"),
        _points("answers", "pair", "pairs"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_answers_pair_run", "answers", ["pair", "run"])


def _readings() -> None:
    op.create_table(
        "metrics",
        _number(),
        _text("name"),
        _text("encoder"),
        _text("fingerprint"),
        _primary("metrics", "key"),
        _unique("metrics", "name", "fingerprint"),
    )
    op.create_table(
        "readings",
        _of("run"),
        _count("position"),
        _of("metric"),
        sa.Column("value", sa.Double),
        sa.Column("because", sa.Text),
        sa.Column("error", sa.Text),
        _primary("readings", "run", "position", "metric"),
        _points("readings", "metric", "metrics"),
        _points_at_answer("readings"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "labels",
        _of("run"),
        _count("position"),
        _text("name"),
        _text("rater"),
        sa.Column("value", sa.Double, nullable=False),
        _moment("given_at"),
        _primary("labels", "run", "position", "name", "rater"),
        _points_at_answer("labels"),
        sqlite_with_rowid=False,
    )


def _number() -> "sa.Column[int]":
    return sa.Column("key", KEY, nullable=False, autoincrement=True)


def _of(name: str) -> "sa.Column[int]":
    return sa.Column(name, KEY, nullable=False, autoincrement=False)


def _count(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer, nullable=False, autoincrement=False)


def _text(name: str) -> "sa.Column[str]":
    return sa.Column(name, sa.Text, nullable=False)


def _json(name: str) -> "sa.Column[object]":
    return sa.Column(name, JSON, nullable=False)


def _moment(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _primary(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=f"uq_{table}_{'_'.join(columns)}")


def _points(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.key"], name=f"fk_{table}_{column}")


def _points_at_answer(table: str) -> sa.ForeignKeyConstraint:
    to = ["answers.run", "answers.position"]
    return sa.ForeignKeyConstraint(["run", "position"], to, name=f"fk_{table}_run_position")
