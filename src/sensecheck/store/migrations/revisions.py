"""The steps that this version knows, by name, so that a store is opened without loading them."""

from pathlib import Path

REVISIONS = ("0001", "0002", "0003")
HEAD = REVISIONS[-1]
FOLDER = Path(__file__).parent
SHIPPED = FOLDER / "versions"
VERSION_TABLE = "sensecheck_version"
"""Our own: a database that we share may have the `alembic_version` of somebody else."""
