"""A run's files in a folder of this machine, or of a disk that several machines share."""

import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from sensecheck.execution.location import FULL, REFUSED, refusals, unique_name
from sensecheck.io.locks import lock
from sensecheck.io.objectstore import link_once

SCRATCH = ".scratch"
"""Beside the results, since a file can only get a second name on its own disk."""
NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV)
"""What disks say that know no second names: FAT, and some that are reached over a network."""
NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


@dataclass(frozen=True, slots=True)
class LocalLocation:
    """A folder; a file gets its name when all of it is on the disk, and only if no one has the name."""

    root: Path
    conditional: bool = True
    """Whether the disk is asked to give second names; one that cannot do it says so itself."""

    @property
    def address(self) -> str:
        """The folder, as people wrote it."""
        return str(self.root)

    def names(self, folder: str) -> list[str]:
        """The files in a folder of it, sorted."""
        with refusals(self.address):
            try:
                with os.scandir(self.root / folder) as entries:
                    return sorted(f"{folder}/{entry.name}" for entry in entries if entry.is_file())
            except FileNotFoundError:
                return []

    def read(self, name: str) -> bytes | None:
        """All of a small file; None where there is none of the name."""
        with refusals(self.address):
            try:
                return (self.root / name).read_bytes()
            except FileNotFoundError:
                return None

    def open(self, name: str) -> BinaryIO:
        """A file to be read from any position."""
        with refusals(str(self.root / name)):
            return (self.root / name).open("rb")

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder next to the results; a lock tells others that someone still writes there."""
        with refusals(self.address, only=(*FULL, *REFUSED)), self._locked_path() as folder:
            folder.mkdir()
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def keep(self, written: Path, name: str) -> str:
        """Give a finished file its name, unless someone has it already."""
        with refusals(self.address):
            self._ready(written, name)
            if self._linked(written, name) is None:
                name = unique_name(name)
                written.replace(self.root / name)
            folder_to_disk((self.root / name).parent)
            return name

    def write(self, name: str, content: bytes) -> bool:
        """Keep a small file; False if it exists already."""
        with self.scratch() as folder, refusals(self.address):
            source, target = folder / "content", self.root / name
            source.write_bytes(content)
            self._ready(source, name)
            first = self._linked(source, name)
            if first is None:
                first = not target.exists()
                if first:
                    source.replace(target)
            folder_to_disk(target.parent)
            return first

    def sweep(self) -> int:
        """Throw away the scratch of writers that are gone; how many files that were."""
        with refusals(self.address):
            return sum(_swept(left) for left in sorted((self.root / SCRATCH).glob("*.lock")))

    def drop(self, folder: str) -> None:
        """Throw away all files of a folder."""
        with refusals(self.address), suppress(FileNotFoundError):
            shutil.rmtree(self.root / folder)

    def _ready(self, source: Path, name: str) -> None:
        """All of the file is on the disk, and so is the folder to which it goes."""
        with source.open("r+b") as file:
            os.fsync(file.fileno())
        folder = (self.root / name).parent
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            folder_to_disk(folder.parent)

    def _linked(self, source: Path, name: str) -> bool | None:
        """Whether the file was the first to get the name; None where the disk gives no second names."""
        if not self.conditional:
            return None
        try:
            return link_once(source, self.root / name)
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            return None

    @contextmanager
    def _locked_path(self) -> Iterator[Path]:
        """A new folder's path, locked for as long as we live."""
        with refusals(self.address):
            (self.root / SCRATCH).mkdir(parents=True, exist_ok=True)
        while True:
            path = self.root / SCRATCH / f"{os.getpid()}-{token_hex(8)}.lock"
            with path.open("xb") as file:
                if not _is_locked(file) or not path.exists():  # swept in the moment before it was locked
                    continue
                try:
                    yield path.with_suffix("")
                finally:
                    path.unlink(missing_ok=True)
                return


def folder_to_disk(folder: Path) -> None:
    """Make sure that the names in a folder survive a power failure."""
    if sys.platform != "win32":  # which has no such thing
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_locked(file: BinaryIO) -> bool:
    """Whether no one else has the lock; on a disk without locks no one has, and no one sweeps."""
    try:
        lock(file)
    except OSError as error:
        return error.errno in NO_LOCKS
    return True


def _swept(left: Path) -> int:
    try:
        with left.open("r+b") as file:
            lock(file)
            folder = left.with_suffix("")
            files = sum(1 for entry in folder.rglob("*") if entry.is_file())
            shutil.rmtree(folder, ignore_errors=True)
            left.unlink(missing_ok=True)
            return files
    except OSError:  # someone still writes there, or nothing may be changed
        return 0
