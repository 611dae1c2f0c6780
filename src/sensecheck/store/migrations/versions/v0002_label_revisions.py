"""Revisions of labels: a rater can change a label or take it back, and what was said before stays.

Revision ID: v0002

On PostgreSQL the table is changed in place: permissions stay as they are, and writers of `answers`, to which
it points, do not wait. Columns are added again so that their order is the same in both databases.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from sensecheck.core.errors import SpecError
from sensecheck.store.migrations import online

revision, down_revision = "v0002", "v0001"
branch_labels = depends_on = None

LABEL = ("run", "position", "name", "rater")
"""What one label is known by; there is a row for each of its revisions."""
OLD_COLUMNS = (*LABEL, "value", "given_at")
NEW_COLUMNS = (*LABEL, "revision", "value", "given_at")
FIRST_REVISION = 1
_TYPES: "dict[str, sa.types.TypeEngine[Any]]" = {
    "name": sa.Text(),
    "rater": sa.Text(),
    "value": sa.Double(),
    "given_at": sa.DateTime(),
}
"""Of columns that are no whole numbers."""
_DROP_TRIGGER = f"DROP TRIGGER {online.trigger_name('labels')} ON labels"
_UPGRADE = (
    _DROP_TRIGGER,
    "ALTER TABLE labels RENAME COLUMN value TO old_value",
    "ALTER TABLE labels RENAME COLUMN given_at TO old_given_at",
    f"ALTER TABLE labels ADD COLUMN revision INTEGER NOT NULL DEFAULT {FIRST_REVISION}, "
    "ADD COLUMN value DOUBLE PRECISION, ADD COLUMN given_at TIMESTAMP WITH TIME ZONE",
    "UPDATE labels SET value = old_value, given_at = old_given_at",
    "ALTER TABLE labels ALTER COLUMN revision DROP DEFAULT, ALTER COLUMN given_at SET NOT NULL, "
    "DROP COLUMN old_value, DROP COLUMN old_given_at, DROP CONSTRAINT pk_labels, "
    f"ADD CONSTRAINT pk_labels PRIMARY KEY ({', '.join(LABEL)}, revision)",
)
_DOWNGRADE = (
    _DROP_TRIGGER,
    "ALTER TABLE labels DROP CONSTRAINT pk_labels, DROP COLUMN revision, ALTER COLUMN value SET NOT NULL, "
    f"ADD CONSTRAINT pk_labels PRIMARY KEY ({', '.join(LABEL)})",
)


def upgrade() -> None:
    """Each label becomes its first revision, in one transaction."""
    if online.has_column("labels", "revision"):
        return  # a development version had the column in its `v0001`
    online.lock_tables(["labels"])
    if op.get_context().dialect.name == "postgresql":
        for statement in (*_UPGRADE, online.trigger_sql("labels", NEW_COLUMNS)):
            op.execute(statement)
    else:
        _rebuild(NEW_COLUMNS, (*LABEL, str(FIRST_REVISION), "value", "given_at"))


def check_downgrade(connection: sa.Connection) -> None:
    """Raise `SpecError` where a label was changed or taken back: the table before has one value for each."""
    label = ", ".join(LABEL)
    changed = connection.exec_driver_sql(
        f"SELECT count(*) FROM (SELECT 1 FROM labels GROUP BY {label} "
        "HAVING count(*) > 1 OR count(value) = 0) AS changed"
    ).scalar_one()
    if changed:
        raise SpecError(
            f"a downgrade to `{down_revision}` keeps one value per label, and these were changed or taken "
            f"back: {changed:,}; to lose that, delete from `labels` their rows without a value and all but "
            "one of their revisions first"
        )


def downgrade() -> None:
    """Keep every label without the number of its revision, unless one was changed or taken back."""
    online.lock_tables(["labels"])
    check_downgrade(op.get_bind())
    if op.get_context().dialect.name == "postgresql":
        for statement in (*_DOWNGRADE, online.trigger_sql("labels", OLD_COLUMNS)):
            op.execute(statement)
    else:
        _rebuild(OLD_COLUMNS, OLD_COLUMNS)


def _rebuild(columns: tuple[str, ...], values: tuple[str, ...]) -> None:
    """On SQLite, which cannot change a primary key: another table of that name, with the same labels."""
    has_revisions = "revision" in columns
    op.execute("CREATE TEMPORARY TABLE old_labels AS SELECT * FROM labels")
    op.drop_table("labels")  # with its trigger
    op.create_table(
        "labels",
        *(
            sa.Column(name, _TYPES.get(name, sa.Integer()), nullable=has_revisions and name == "value")
            for name in columns
        ),
        sa.PrimaryKeyConstraint(*LABEL, *(["revision"] if has_revisions else []), name="pk_labels"),
        sa.ForeignKeyConstraint(
            ["run", "position"], ["answers.run", "answers.position"], name="fk_labels_run_position"
        ),
        sqlite_with_rowid=False,
    )
    op.execute(f"INSERT INTO labels ({', '.join(columns)}) SELECT {', '.join(values)} FROM old_labels")
    op.execute("DROP TABLE old_labels")
    op.execute(online.trigger_sql("labels", columns))
