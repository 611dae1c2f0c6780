"""What the database of a store refuses, as a line that people can read."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from sensecheck.core.errors import NotKept
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.waiting import first_line


@contextmanager
def told_plainly(store: EvalStore) -> Iterator[EvalStore]:
    """The store, closed at the end; what its database refuses meanwhile is `NotKept`."""
    try:
        yield store
    except DBAPIError as wrong:
        raise NotKept(f"the store `{store.address}` refused: {first_line(wrong)}") from wrong
    finally:
        store.close()
