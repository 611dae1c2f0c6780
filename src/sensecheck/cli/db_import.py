"""`sensecheck db import`: evaluations of another database, kept in ours as they are."""


def import_() -> None:
    """Bring in the evaluations of another database."""
