"""All tables of a database: those of evaluations, and those of the service."""

from sensecheck.store import service_tables
from sensecheck.store.tables import metadata

__all__ = ["metadata", "service_tables"]
