"""The queue on disk in which entries wait while the database is away.

Its file belongs to one process alone, and what was added is on the disk.
"""

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Self

from sensecheck.core.errors import SpecError, StorageError, StorageFull
from sensecheck.store.service.messages import entry_text, read_entry
from sensecheck.store.service.records import Entry

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
LOGGER = logging.getLogger("sensecheck.store")
_INSERT = "INSERT INTO entries (digest, body) VALUES (?, ?)"
# Read as bytes: what is no UTF-8 any more could not be had as a text.
_FIRST = "SELECT number, digest, CAST(body AS BLOB) FROM entries WHERE number > ? ORDER BY number LIMIT ?"
_BODY = "SELECT CAST(body AS BLOB) FROM entries WHERE number = ?"


@dataclass(frozen=True, slots=True)
class Spooled:
    """An entry, and its number in the queue."""

    number: int
    entry: Entry


class Spool:
    """A queue of entries in a file: what was added is on the disk. For one thread at a time."""

    def __init__(self, file: sqlite3.Connection, path: Path, megabytes: int) -> None:
        self.path = path
        self._megabytes = megabytes
        self._file = file
        self._file_is_gone = False
        """Whether the file was taken away, and could not be made anew yet."""
        self._last_gone = 0
        """Rows up to this number have left, though a full disk may still show them."""
        self.waiting: int = file.execute("SELECT COUNT(*) FROM entries").fetchone()[0]
        """How many entries wait; any thread may look."""
        self.set_aside: int = file.execute("SELECT COUNT(*) FROM set_aside").fetchone()[0]
        """How many could not be read, or were refused, and wait for a person to look at them."""

    @classmethod
    def open(cls, path: Path, *, megabytes: int) -> Self:
        """The spool in this file, made if there is none, for this process alone."""
        return cls(open_spool_file(path, megabytes=megabytes), path, megabytes)

    def add(self, entries: Sequence[Entry]) -> None:
        """Put entries at the end of the queue, all or none; they are on the disk when this returns."""
        rows = [(_digest(body), body.decode()) for body in (entry_text(entry).encode() for entry in entries)]
        if self._file_is_gone:
            self._create_file()
        with writing(self._file):
            self._file.executemany(_INSERT, rows)
        self.waiting += len(rows)

    def first(self, count: int, *, characters: int) -> list[Spooled]:
        """The head of the queue, as many as fit and one at least; what cannot be read is set aside.

        Raises `StorageError` where the file itself cannot be read now.
        """
        spooled: list[Spooled] = []
        unreadable: list[int] = []
        with reading(self.path):
            rows = list(self._rows(count, characters))
        for number, digest, body in rows:
            entry = _entry_in(digest, body)
            if entry is None:
                unreadable.append(number)
            else:
                spooled.append(Spooled(number, entry))
        for number in unreadable:
            self.put_aside(number, "it cannot be read")
        return spooled

    def leave(self, those: Sequence[Spooled]) -> None:
        """Let go of the head of the queue: the database has all of them."""
        if not those:
            return
        self._last_gone = those[-1].number
        self.waiting -= len(those)
        try:
            with writing(self._file):
                self._file.execute("DELETE FROM entries WHERE number <= ?", (self._last_gone,))
            if self.waiting == 0:
                self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (StorageFull, sqlite3.Error):
            # A deletion is written down first, too. Should they be read again, the database has them already.
            LOGGER.warning("the disk of the spool is full; what has left it is deleted later")
            if self.waiting == self.set_aside == 0:
                self._remove_file()

    def put_aside(self, number: int, why: str) -> None:
        """Take one out of the queue, and keep it for a person to look at."""
        with writing(self._file):
            body = self._file.execute(_BODY, (number,)).fetchone()[0]
            self._file.execute("DELETE FROM entries WHERE number = ?", (number,))
            self._file.execute("INSERT INTO set_aside VALUES (?, ?, ?)", (number, body, why))
        self.waiting -= 1
        self.set_aside += 1
        LOGGER.error("entry %d of the spool `%s` is set aside: %s", number, self.path, why)

    def close(self) -> None:
        """Let another process use the file."""
        self._file.close()

    def _remove_file(self) -> None:
        """Take the whole file away, which needs no room: nothing in it is wanted any more."""
        self._file.close()
        self._file_is_gone = True
        try:
            for file in (self.path, self.path.with_name(f"{self.path.name}-wal")):
                file.unlink(missing_ok=True)
        except OSError as error:
            LOGGER.error("the spool cannot be taken away: %s", error.strerror)  # noqa: TRY400 - it says all
        else:
            self._last_gone = 0

    def _create_file(self) -> None:
        try:
            self._file = open_spool_file(self.path, megabytes=self._megabytes)
        except SpecError as error:
            raise StorageFull(str(error)) from error
        self._file_is_gone = False

    def _rows(self, count: int, characters: int) -> Iterator[tuple[int, bytes, bytes]]:
        left = characters
        for number, digest, body in self._file.execute(_FIRST, (self._last_gone, count)):
            left -= len(body)
            if left < 0 and left + len(body) < characters:
                return
            yield number, digest, body


def open_spool_file(path: Path, *, megabytes: int) -> sqlite3.Connection:
    """The file, made if there is none; `SpecError` says what to do where it cannot be used."""
    with ExitStack() as undo:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                path.touch(mode=0o600, exist_ok=False)
            path.chmod(0o600)  # whichever process made it: it holds what people wrote
            file = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
            undo.callback(file.close)
            _prepare(file, path, megabytes * 1024 * 1024 // _PAGE)
        except (sqlite3.Error, OSError) as error:
            raise SpecError(_cannot_open(path, error)) from error
        undo.pop_all()
    return file


@contextmanager
def writing(file: sqlite3.Connection) -> Iterator[None]:
    """One transaction; `StorageFull` where the disk does not take it, and then nothing of it has happened."""
    try:
        file.execute("BEGIN IMMEDIATE")
        yield
        file.execute("COMMIT")
    except sqlite3.Error as error:
        _undo(file)
        raise StorageFull(f"the spool takes nothing more: {_error_name(error)}") from error
    except BaseException:
        _undo(file)
        raise


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Reads of the file; `StorageError` where the disk does not give them, which it may do later."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"the spool `{path}` cannot be read: {_error_name(error)}") from error


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()


def _entry_in(digest: bytes, body: bytes) -> Entry | None:
    """The entry of a row; None where the row is not what was written, or is of another version."""
    if _digest(body) != digest:
        return None
    try:
        return read_entry(body.decode())
    except (SpecError, UnicodeDecodeError):  # not logged: it may repeat what people wrote
        return None


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


def _cannot_open(path: Path, error: sqlite3.Error | OSError) -> str:
    if isinstance(error, OSError):
        return f"the spool `{path}` cannot be made: {error.strerror}; name another in SENSECHECK_SERVE_SPOOL"
    if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return (
            f"the spool `{path}` is used by another process; "
            "give each process a file of its own in SENSECHECK_SERVE_SPOOL"
        )
    if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return (
            f"the spool `{path}` is damaged ({_error_name(error)}); move it away and keep it, "
            "for what it holds may not be in the database, and start again"
        )
    return f"the spool `{path}` cannot be used: {_error_name(error)}; name another in SENSECHECK_SERVE_SPOOL"


def _error_name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or type(error).__name__


def _undo(file: sqlite3.Connection) -> None:
    if file.in_transaction:  # SQLite may have undone it by itself
        with suppress(sqlite3.Error):  # the caller gets the first error, which led to this one
            file.execute("ROLLBACK")
