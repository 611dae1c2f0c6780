"""The place where evaluations are stored, and the database of the service."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sensecheck.cli.options import option, settings_with

if TYPE_CHECKING:
    from sensecheck.runs.place import RunPlace

# ruff: noqa: PLC0415 - reading runs brings numpy along, which `--help` does without

Database = Annotated[
    str | None,
    option(
        "--store DATABASE",
        "Another database than the one in SENSECHECK_STORE: postgresql://USER@HOST/DATABASE, or a file "
        "of SQLite, FILE.sqlite3.",
    ),
]
"""For commands that need a database; those that read runs take other places too, by `Store`."""


@contextmanager
def opened_store(address: str | None) -> "Iterator[RunPlace]":
    """The place that is named, or that of the settings; it must be there."""
    from sensecheck.runs.find import existing_place

    store = existing_place(settings_with(None).store if address is None else address)
    with store.session():
        yield store


def no_store_yet() -> bool:
    """Whether the settings name no place, and the usual one is not there."""
    from sensecheck.store.address import DEFAULT_STORE

    return settings_with(None).store == DEFAULT_STORE and not Path(DEFAULT_STORE).exists()


def store_needed(number: int, address: str) -> str:
    """What a recommended command needs to find a stored run: ` --store ADDRESS`, or nothing."""
    from sensecheck.runs.jsonl import RunFolder
    from sensecheck.store.address import DEFAULT_STORE, store_option

    is_suite_too = number in RunFolder(settings_with(None).runs_folder()).numbers()
    return store_option(address) or (f" --store {DEFAULT_STORE}" if is_suite_too else "")
