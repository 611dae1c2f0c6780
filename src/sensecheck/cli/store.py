"""Opening the store of evaluations; what its database refuses becomes a line that people can read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sensecheck.cli.options import settings_with
from sensecheck.core.errors import NotKept, SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.runs.sql import EvalStore

# ruff: noqa: PLC0415 - the store brings numpy and SQLAlchemy along, which `--help` does without


@contextmanager
def opened_store(address: str | None) -> "Iterator[EvalStore]":
    """The store that is named, or that of the settings; it must be there."""
    with store_session(_existing_store(settings_with(None).store if address is None else address)) as store:
        yield store


@contextmanager
def store_session(store: "EvalStore") -> "Iterator[EvalStore]":
    """The store, closed at the end; what its database refuses meanwhile is `NotKept`."""
    from sqlalchemy.exc import DBAPIError

    from sensecheck.store.retry import first_line

    try:
        yield store
    except DBAPIError as wrong:
        raise NotKept(f"the store `{store.address}` refused: {first_line(wrong)}") from wrong
    finally:
        store.close()


def _existing_store(address: str) -> "EvalStore":
    """Reading makes no database where none is."""
    with extra("store"):
        from sensecheck.store.address import database_url, shown, store_option

    url = database_url(address)
    is_file = url.get_backend_name() == "sqlite"
    if is_file and not Path(url.database or "").is_file():
        raise SpecError(
            f"there is no store `{shown(url)}`; `sensecheck eval QUESTIONS{store_option(url)}` makes it, "
            "or name another with `--store`"
        )
    with extra("store" if is_file else "postgresql"):
        from sensecheck.runs.sql import EvalStore

        return EvalStore.open(address)
