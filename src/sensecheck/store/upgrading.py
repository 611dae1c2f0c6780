"""The tables of a database: made, brought up to date, and found to be so."""

from sqlalchemy import Engine

from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.tables import metadata


def make_ready(engine: Engine) -> None:
    """Raise `SpecError` unless the tables are those of this version; those of a new file are made."""
    metadata.create_all(engine)


def upgrade(address: str) -> None:
    """Bring the tables up to date."""
    engine = engine_of(database_url(address))
    make_ready(engine)
    engine.dispose()
