"""Vectors kept in LMDB: a memory-mapped folder that many processes of one machine read without waiting."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import lmdb

from sensecheck.core.errors import CacheError

MAKERS = 1024
"""How many encoders may keep vectors in one folder."""
LOGGER = logging.getLogger("sensecheck.cache")


class LmdbFile:
    """Bodies by maker and key, each maker in a database of its own.

    LMDB does not know what was used last: once `max_bytes` are full, what is kept stays and is read, nothing
    more is kept, and that is logged once.
    """

    def __init__(self, folder: Path, *, max_bytes: int) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._full = False

    @property
    def address(self) -> str:
        """Where they are kept."""
        return f"lmdb:{self.folder}"

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        with self._used() as opened:
            bodies = _database(opened, maker)
            if bodies is None:
                return {}
            with opened.begin(db=bodies) as reading:
                found = ((key, reading.get(key)) for key in keys)
                return {key: bytes(body) for key, body in found if body is not None}

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that somebody else had written first, what is kept instead."""
        if self._full:
            return self.read(maker, list(bodies))
        with self._used() as opened:
            try:
                return _written(opened, maker, bodies)
            except lmdb.MapFullError:
                self._say_full()
        return self.read(maker, list(bodies))

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies."""
        with self._used() as opened:
            bodies = _database(opened, maker)
            if bodies is not None:
                with opened.begin(db=bodies, write=True) as writing:
                    for key in keys:
                        writing.delete(key)

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        if not self.folder.exists():
            return {}
        with self._used() as opened:
            held = {maker: _entries(opened, maker) for maker in _makers(opened)}
        return {maker: count for maker, count in held.items() if count}

    def used_bytes(self) -> int:
        """How much the kept bodies take, with what was let go and is free for others."""
        if not self.folder.exists():
            return 0
        with self._used() as opened:
            return int((opened.info()["last_pgno"] + 1) * opened.stat()["psize"])

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were, if that can be read."""
        self._full = False
        with self._told():
            try:
                opened = _opened(self.folder, self.max_bytes)
            except lmdb.Error:
                if maker is not None:
                    raise
                return self._deleted()
            return sum(_emptied(opened, one) for one in (_makers(opened) if maker is None else [maker]))

    def _deleted(self) -> int:
        """Delete what LMDB cannot read."""
        for name in ("data.mdb", "lock.mdb"):
            (self.folder / name).unlink(missing_ok=True)
        return 0

    @contextmanager
    def _used(self) -> Iterator[lmdb.Environment]:
        with self._told():
            yield _opened(self.folder, self.max_bytes)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (lmdb.Error, OSError) as broken:
            raise CacheError(
                f"the vector cache `{self.address}` cannot be used: {broken}; "
                "clear it with `sensecheck cache clear --all`, or switch it off with SENSECHECK_CACHE=off"
            ) from broken

    def _say_full(self) -> None:
        self._full = True
        LOGGER.warning(
            "the vector cache `%s` is full: what it keeps is used, and nothing more is kept; "
            "give it more with SENSECHECK_CACHE_MB, or clear it with `sensecheck cache clear --all`",
            self.address,
        )


_OPENED: dict[Path, tuple[int, lmdb.Environment]] = {}
"""For the whole process, since LMDB must not open a folder twice; with the process that opened it."""
_OPENING = Lock()


def _opened(folder: Path, max_bytes: int) -> lmdb.Environment:
    """The folder, opened once in this process; what a parent opened is not used on this side of a fork."""
    with _OPENING:
        place = folder.resolve()
        process, opened = _OPENED.get(place, (0, None))
        if opened is not None and process == os.getpid():
            return opened
        if opened is not None:
            opened.close()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = lmdb.open(str(place), map_size=max_bytes, max_dbs=MAKERS, mode=0o600, metasync=False)
        _OPENED[place] = os.getpid(), opened
        opened.reader_check()  # a reader that was killed would hold on to what it read
        return opened


def _database(opened: lmdb.Environment, maker: str) -> "lmdb._Database | None":
    """What one maker made; None where it made nothing."""
    try:
        return opened.open_db(maker.encode(), create=False)
    except lmdb.NotFoundError:
        return None


def _entries(opened: lmdb.Environment, maker: str) -> int:
    bodies = _database(opened, maker)
    if bodies is None:
        return 0
    with opened.begin() as reading:
        return int(reading.stat(bodies)["entries"])


def _emptied(opened: lmdb.Environment, maker: str) -> int:
    bodies, count = _database(opened, maker), _entries(opened, maker)
    if bodies is not None:
        with opened.begin(write=True) as writing:
            writing.drop(bodies, delete=False)  # others may hold it open
    return count


def _written(opened: lmdb.Environment, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
    made = opened.open_db(maker.encode())
    with opened.begin(db=made, write=True) as writing:
        late = [key for key, body in bodies.items() if not writing.put(key, body, overwrite=False)]
        return {key: bytes(writing.get(key, b"")) for key in late}


def _makers(opened: lmdb.Environment) -> list[str]:
    with opened.begin() as reading:
        return [bytes(name).decode() for name in reading.cursor().iternext(values=False)]
