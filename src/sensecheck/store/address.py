"""Database addresses as people write them, and the address that is used where none is given.

Kept apart from the rest of the store: settings are read without a database.
"""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sqlalchemy import URL

DEFAULT_STORE = ".sensecheck/evals.sqlite3"
WAYS = "`postgresql://USER@HOST/DATABASE`, `sqlite:///FILE`, or the name of a file"
OTHER_PLACES = ("folder:", "parquet:", "suites:")
"""How the addresses of places begin that are no database."""
_POSTGRESQL = ("postgres", "postgresql", "postgresql+psycopg")


def database_url(address: str) -> "URL":
    """The database that an address names: PostgreSQL through psycopg, or a file of SQLite."""
    with extra("store"):
        from sqlalchemy import URL, make_url  # noqa: PLC0415 - an extra
        from sqlalchemy.exc import ArgumentError  # noqa: PLC0415
    if not address.strip():
        raise SpecError(f"the address of a store is empty; wanted {WAYS}")
    if address.startswith(OTHER_PLACES):
        raise SpecError(
            f"the store must be a database; got `{address}`, which holds runs alone; name a database with "
            f"SENSECHECK_STORE or `--store`: {WAYS}"
        )
    if "://" not in address:
        return URL.create("sqlite", database=str(Path(address).expanduser()))
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # which repeat the address, and with it a password
        raise SpecError(f"the address of a store cannot be read; wanted {WAYS}") from None
    if url.drivername in _POSTGRESQL and url.database:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database and url.database != ":memory:":
        return url.set(database=str(Path(url.database).expanduser()))
    raise SpecError(f"`{shown(url)}` is no store; wanted {WAYS}")


def shown(url: "URL") -> str:
    """The address as it was given: without its password, its options, one of which may be a password, and
    the name of our driver.
    """
    return url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)


def as_written(url: "URL") -> str:
    """The address as people write it: without its password, its options, and the name of a driver."""
    from sqlalchemy import URL  # noqa: PLC0415 - an extra, which every caller with a URL has

    plain = url.set(drivername=url.get_backend_name(), query={})
    bare = URL.create(plain.drivername, plain.username, None, plain.host, plain.port, plain.database)
    return bare.render_as_string()


def store_option(store: "URL | str") -> str:
    """What a command that we recommend needs to read the same place: ` --store ADDRESS`, or nothing."""
    if isinstance(store, str) and store.startswith(OTHER_PLACES):
        return f" --store {quote(store)}"
    url = database_url(store) if isinstance(store, str) else store
    is_default = url.database == database_url(DEFAULT_STORE).database
    return "" if is_default else f" --store {quote(as_written(url))}"
