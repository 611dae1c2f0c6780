"""The file of a spool: opened for one process alone, and written so that what it took is on the disk."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sensecheck.core.errors import NoRoom, NotKept, SpecError

SHAPE = 1
"""Of the tables; a file of another shape is refused, not guessed at."""
_PAGE = 4096
_TABLES = (
    # Numbers are never given twice, so that the order of rows is the order in which they came.
    "CREATE TABLE entries "
    "(number INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL, body TEXT NOT NULL)",
    "CREATE TABLE set_aside (number INTEGER PRIMARY KEY, body BLOB NOT NULL, why TEXT NOT NULL)",
)
_PRAGMAS = (
    # From the first transaction on, no other process can use the file; the lock goes with the process.
    "locking_mode = EXCLUSIVE",
    # A deleted rollback journal may come back after a power cut, and undo what was acknowledged.
    "journal_mode = WAL",
    "synchronous = FULL",
    "fullfsync = ON",
    "wal_autocheckpoint = 256",
    # It holds what people wrote: nothing of it stays in the file once it has left.
    "secure_delete = ON",
)


def open_spool_file(path: Path, *, megabytes: int) -> sqlite3.Connection:
    """The file, made if there is none; `SpecError` says what to do where it cannot be used."""
    with ExitStack() as undo:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                path.touch(mode=0o600, exist_ok=False)
            path.chmod(0o600)  # whoever made it: it holds what people wrote
            file = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            undo.callback(file.close)
            _prepare(file, path, megabytes * 1024 * 1024 // _PAGE)
        except (sqlite3.Error, OSError) as wrong:
            raise SpecError(_cannot_open(path, wrong)) from wrong
        undo.pop_all()
    return file


@contextmanager
def writing(file: sqlite3.Connection) -> Iterator[None]:
    """One transaction; `NoRoom` where the disk does not take it, and then nothing of it has happened."""
    try:
        file.execute("BEGIN IMMEDIATE")
        yield
        file.execute("COMMIT")
    except sqlite3.Error as wrong:
        _undo(file)
        raise NoRoom(f"the spool takes nothing more: {_name(wrong)}") from wrong
    except BaseException:
        _undo(file)
        raise


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Reads of the file; `NotKept` where the disk does not give them, which it may do later."""
    try:
        yield
    except sqlite3.Error as wrong:
        raise NotKept(f"the spool `{path}` cannot be read: {_name(wrong)}") from wrong


def _undo(file: sqlite3.Connection) -> None:
    if file.in_transaction:  # SQLite may have undone it by itself
        with suppress(sqlite3.Error):  # whoever called is told of the first error, which led to this one
            file.execute("ROLLBACK")


def _prepare(file: sqlite3.Connection, path: Path, pages: int) -> None:
    file.execute(f"PRAGMA page_size = {_PAGE}")
    for pragma in _PRAGMAS:
        file.execute(f"PRAGMA {pragma}")
    file.execute(f"PRAGMA max_page_count = {pages}")
    file.execute("BEGIN IMMEDIATE")
    shape = file.execute("PRAGMA user_version").fetchone()[0]
    if shape not in (0, SHAPE):
        raise SpecError(
            f"the spool `{path}` has the shape {shape}, and this version reads {SHAPE}; "
            "let the version that made it empty it, or name another file in SENSECHECK_SERVE_SPOOL"
        )
    if shape == 0:
        for table in _TABLES:
            file.execute(table)
        file.execute(f"PRAGMA user_version = {SHAPE}")
    file.execute("COMMIT")


def _name(wrong: sqlite3.Error) -> str:
    return getattr(wrong, "sqlite_errorname", None) or type(wrong).__name__


def _cannot_open(path: Path, wrong: sqlite3.Error | OSError) -> str:
    if isinstance(wrong, OSError):
        return f"the spool `{path}` cannot be made: {wrong.strerror}; name another in SENSECHECK_SERVE_SPOOL"
    if wrong.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return (
            f"the spool `{path}` is used by another process; "
            "give each process a file of its own in SENSECHECK_SERVE_SPOOL"
        )
    if wrong.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return (
            f"the spool `{path}` is damaged ({_name(wrong)}); move it away and keep it, "
            "for what it holds may not be in the database, and start again"
        )
    return f"the spool `{path}` cannot be used: {_name(wrong)}; name another in SENSECHECK_SERVE_SPOOL"
