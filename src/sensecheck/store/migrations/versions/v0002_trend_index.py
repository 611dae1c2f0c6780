"""An index for trends: the numbers of one metric, run by run, without a look at the table.

Revision ID: 0002
"""

from sensecheck.store.migrations import gently

revision, down_revision = "0002", "0001"
branch_labels = depends_on = None

NAME = "ix_readings_metric_run_value"


def upgrade() -> None:
    """Build it while others write."""
    gently.build_index(NAME, "readings", ("metric", "run", "value"))


def downgrade() -> None:
    """Drop it while others write."""
    gently.drop_index(NAME)
