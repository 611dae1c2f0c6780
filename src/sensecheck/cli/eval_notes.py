"""What is said on standard error while a run goes on, and what is left to its summary."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe

SOME = 8
"""Strange columns that are named in a note."""
QUIET, TOLD = "sensecheck.evals", "sensecheck.store"


def note(said: str, *, as_json: bool) -> None:
    """Say something that is no error."""
    if as_json:
        write_json({"note": said}, err=True)
    else:
        Paper(stderr=True).say(safe(said), label=("note: ", "bold yellow"))


def say_what_is_strange(columns: Sequence[str], *, as_json: bool) -> None:
    """Which columns of the files mean nothing to us, if there are any."""
    if columns:
        named = ", ".join(f"`{column}`" for column in columns[:SOME])
        more = ", …" if len(columns) > SOME else ""
        note(
            f"columns that are not read: {named}{more}; `--slice`, `--label`, `--column` or `--ignore` "
            "say what they are",
            as_json=as_json,
        )


class _Notes(logging.Handler):
    """Log lines as notes."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__(logging.WARNING)
        self._as_json = as_json

    def emit(self, record: logging.LogRecord) -> None:
        """Say it."""
        note(record.getMessage(), as_json=self._as_json)


@contextmanager
def logs_as_notes(*, as_json: bool) -> Iterator[None]:
    """What could not be read is counted in the summary; that the database is away is said at once."""
    held = ((QUIET, logging.NullHandler()), (TOLD, _Notes(as_json=as_json)))
    for name, handler in held:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        for name, handler in held:
            logging.getLogger(name).removeHandler(handler)
