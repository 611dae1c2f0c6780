"""A cache of bytes by content, in one SQLite file that several processes may use at once.

Vectors and pair scores, a judge's replies and the answers of a system each have a file of their own. Keys are
digests: the text, the prompt or the question that a key was made of is not stored.
"""

import os
import sqlite3
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sensecheck.core.errors import CacheError
from sensecheck.io.retry import RetryPolicy, run_with_retries

SHAPE = 1
"""Of the tables; a file of another shape is refused, not guessed at."""
BATCH_SIZE = 500
"""Keys that one query looks up."""
IDLE = 8
"""How many connections stay open while no one uses them."""
MAX_FILE_BYTES = 2_000_000_000
"""Bytes of a file of answers; from there on, those not used for longest are let go."""
_CLEAR = "clear it with `sensecheck cache clear --all`"


@dataclass(frozen=True, slots=True)
class BlobKind:
    """What a file keeps, in the words of its table and of its messages."""

    table: str
    maker: str
    """The column that tells by whom a body was made."""
    called: str
    """The file, as messages name it."""
    hint: str
    """What to do with a file that cannot be used."""


VECTORS = BlobKind("vectors", "encoder", "vector cache", _CLEAR)
PAIRS = BlobKind("pairs", "verifier", "cache of pair scores", _CLEAR)
REPLIES = BlobKind("replies", "judge", "cache of replies", _CLEAR)
ANSWERS = BlobKind("answers", "source", "file of kept answers", "delete it")


class KeptFile:
    """Bodies by maker and key. The first write of a key wins, so that a run repeated reads the same."""

    def __init__(self, path: Path, kept: BlobKind, *, max_bytes: int) -> None:
        self.path = path
        self.max_bytes = max_bytes
        self._kind = kept
        self._idle: dict[int, list[sqlite3.Connection]] = {}
        """By process: a connection must not be used, and not be closed, on the other side of a fork."""
        weakref.finalize(self, _close_idle, self._idle)

    @property
    def address(self) -> str:
        """Where they are kept."""
        return str(self.path)

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        bodies: dict[bytes, bytes] = {}
        stale: list[bytes] = []
        today = _today()
        with self._open() as file:
            for key, body, used in self._rows(file, maker, keys):
                bodies[key] = body
                if used < today:
                    stale.append(key)
            if stale:
                query = f"UPDATE {self._kind.table} SET used = ? WHERE {self._kind.maker} = ? AND key = ?"
                file.executemany(query, [(today, maker, key) for key in stale])
        return bodies

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that another process had written first, what is kept instead.

        Then those not used for longest are let go, if the file has grown too large.
        """
        today = _today()
        query = f"INSERT OR IGNORE INTO {self._kind.table} VALUES (?, ?, ?, ?)"
        with self._open() as file:
            rows = ((key, (maker, key, body, today)) for key, body in bodies.items())
            late = [key for key, row in rows if file.execute(query, row).rowcount == 0]
            first = {key: body for key, body, _ in self._rows(file, maker, late)}
            while _used_bytes(file) > self.max_bytes and _drop_oldest(file, self._kind.table):
                pass
        return first

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies."""
        query = f"DELETE FROM {self._kind.table} WHERE {self._kind.maker} = ? AND key = ?"
        with self._open() as file:
            file.executemany(query, [(maker, key) for key in keys])

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        table, maker = self._kind.table, self._kind.maker
        query = f"SELECT {maker}, COUNT(*) FROM {table} GROUP BY {maker} ORDER BY {maker}"
        with self._open() as file:
            return dict(file.execute(query))

    def used_bytes(self) -> int:
        """How much the kept bodies take."""
        with self._open() as file:
            return _used_bytes(file)

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were."""
        with self._open() as file:
            if maker is None:
                return file.execute(f"DELETE FROM {self._kind.table}").rowcount
            query = f"DELETE FROM {self._kind.table} WHERE {self._kind.maker} = ?"
            return file.execute(query, (maker,)).rowcount

    def _rows(
        self, file: sqlite3.Connection, maker: str, keys: Sequence[bytes]
    ) -> Iterator[tuple[bytes, bytes, int]]:
        """The key, the body and the day of its last use, of the keys that are there."""
        where = f"{self._kind.table} WHERE {self._kind.maker} = ?"
        for start in range(0, len(keys), BATCH_SIZE):
            some = keys[start : start + BATCH_SIZE]
            query = f"SELECT key, body, used FROM {where} AND key IN ({','.join('?' * len(some))})"
            yield from file.execute(query, (maker, *some))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction, on a connection that no one else uses meanwhile."""
        try:
            with ExitStack() as undo:
                file = self._connection()
                undo.callback(file.close)
                with file:
                    yield file
                undo.pop_all()
                self._give_back(file)
        except (sqlite3.Error, OSError) as broken:
            raise CacheError(
                f"the {self._kind.called} `{self.path}` cannot be used: {broken}; "
                f"{self._kind.hint}, or switch it off with SENSECHECK_CACHE=off"
            ) from broken

    def _connection(self) -> sqlite3.Connection:
        """An idle connection, or a new one; without a lock, which a fork could leave locked for ever."""
        with suppress(KeyError, IndexError):
            return self._idle[os.getpid()].pop()
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            self.path.touch(mode=0o600, exist_ok=False)
        with ExitStack() as undo:
            file = sqlite3.connect(self.path, timeout=30, check_same_thread=False)
            undo.callback(file.close)
            _prepare(file, self.path, self._kind)
            undo.pop_all()
        return file

    def _give_back(self, file: sqlite3.Connection) -> None:
        idle = self._idle.setdefault(os.getpid(), [])
        if len(idle) < IDLE:
            idle.append(file)
        else:
            file.close()


class VectorFile(KeptFile):
    """Embeddings as bytes, by the encoder's fingerprint and the text's digest; never a text."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, VECTORS, max_bytes=max_bytes)


class PairFile(KeptFile):
    """Pair scores as bytes, by the verifier's fingerprint and the digest of a pair; never a text."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, PAIRS, max_bytes=max_bytes)


class ReplyFile(KeptFile):
    """Replies by the judge's fingerprint and the prompt's digest.

    It holds what the judge said, word for word, which may repeat what it was asked; it never holds a prompt.
    """

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, REPLIES, max_bytes=max_bytes)


class AnswerFile(KeptFile):
    """Answers by the source's fingerprint and the question's digest; it never holds a question."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> None:
        super().__init__(path, ANSWERS, max_bytes=max_bytes)


def _close_idle(idle: dict[int, list[sqlite3.Connection]]) -> None:
    for file in idle.pop(os.getpid(), ()):
        file.close()


def _prepare(file: sqlite3.Connection, path: Path, kind: BlobKind) -> None:
    shape = file.execute("PRAGMA user_version").fetchone()[0]
    if shape not in (0, SHAPE):
        raise CacheError(f"the {kind.called} `{path}` has the shape {shape}; this version reads {SHAPE}")
    _share(file)
    file.execute("PRAGMA synchronous = NORMAL")
    if shape == 0:
        file.execute(
            f"CREATE TABLE IF NOT EXISTS {kind.table} "
            f"({kind.maker} TEXT NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL, used INTEGER NOT NULL, "
            f"PRIMARY KEY ({kind.maker}, key))"
        )
        file.execute(f"CREATE INDEX IF NOT EXISTS by_use ON {kind.table} (used)")
        file.execute(f"PRAGMA user_version = {SHAPE}")


def _share(file: sqlite3.Connection, patience: float = 30.0) -> None:
    """Let readers and a writer work at once; SQLite does not itself wait for others that ask for the same."""
    run_with_retries(
        RetryPolicy(first_pause=0.01, max_pause=0.01, seconds=patience),
        lambda: file.execute("PRAGMA journal_mode = WAL"),
        errors=sqlite3.OperationalError,
        is_transient=lambda wrong: wrong.sqlite_errorcode == sqlite3.SQLITE_BUSY,
    )


def _used_bytes(file: sqlite3.Connection) -> int:
    pages, free, size = (
        file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _drop_oldest(file: sqlite3.Connection, table: str) -> bool:
    tenth = file.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] // 10 + 1
    gone = file.execute(
        f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} ORDER BY used, rowid LIMIT ?)",
        (tenth,),
    )
    return gone.rowcount > 0


def _today() -> int:
    return int(time.time() // 86_400)
