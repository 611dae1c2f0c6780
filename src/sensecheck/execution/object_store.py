"""A run's files in a store of objects: S3, Google's, Azure's, or another that fsspec reaches.

`location_of` chooses between this and a local folder by the address.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, cast

from sensecheck.core.errors import StorageError
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.location import (
    FULL,
    GO_ON,
    REFUSED,
    StorageLocation,
    is_url,
    local_path,
    opened,
    refusals,
    reject_secret,
    unique_name,
)
from sensecheck.io.objectstore import knows_conditions, put_once, store_errors

READ_AHEAD = 256 * 1024
HALF = ".scratch"
TRIED = "conditions"
"""A file of nothing, by which it is found out whether the store refuses a name that is taken."""


def location_of(address: str) -> StorageLocation:
    """A folder of this machine, or a prefix in a store: `results/`, `s3://bucket/results`."""
    reject_secret(address)
    return ObjectStoreLocation(address.rstrip("/")) if is_url(address) else LocalLocation(local_path(address))


@dataclass(frozen=True)  # without slots: what the store can do is found out once
class ObjectStoreLocation:
    """A prefix in a store, in which a file is seen when all of it was uploaded."""

    address: str

    def names(self, folder: str) -> list[str]:
        """The files in a folder of it, sorted."""
        with self._refusals():
            self._store.invalidate_cache()
            try:
                entries = self._store.ls(self._at(folder), detail=True)
            except FileNotFoundError:
                return []
            files = (entry["name"].rpartition("/")[2] for entry in entries if entry["type"] == "file")
            return sorted(f"{folder}/{name}" for name in files if name)

    def read(self, name: str) -> bytes | None:
        """All of a small file; None where there is none of the name."""
        with self._refusals():
            try:
                return cast(bytes, self._store.cat_file(self._at(name)))
            except FileNotFoundError:
                return None

    def open(self, name: str) -> BinaryIO:
        """A file to be read from any position."""
        with self._refusals():
            return cast(BinaryIO, self._store.open(self._at(name), "rb", block_size=READ_AHEAD))

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder of this machine."""
        with (
            tempfile.TemporaryDirectory(prefix="sensecheck-") as folder,
            refusals(folder, only=(*FULL, *REFUSED)),
        ):
            yield Path(folder)

    def keep(self, written: Path, name: str) -> str:
        """Upload a finished file; what a second one brings is thrown away, or gets a name of its own."""
        with self._refusals():
            if self.conditional:
                put_once(self._store, self._at(name), written)
                return name
            name = unique_name(name)
            self._moved(written, name)
            return name

    def write(self, name: str, content: bytes) -> bool:
        """Upload a small file; False if it exists already."""
        with self._refusals():
            if self.conditional:
                return put_once(self._store, self._at(name), content)
            self._store.invalidate_cache()
            if self._store.exists(self._at(name)):
                return False
        with self.scratch() as folder, self._refusals():
            (folder / "content").write_bytes(content)
            self._moved(folder / "content", name)
        return True

    def sweep(self) -> int:
        """None: what was not uploaded whole is not seen, and the store's own rules clear it away."""
        return 0

    def drop(self, folder: str) -> None:
        """Throw away all files of a folder."""
        with self._refusals(), suppress(FileNotFoundError):
            self._store.invalidate_cache()
            self._store.rm(self._at(folder), recursive=True)

    @cached_property
    def conditional(self) -> bool:
        """Whether the store refuses a name that is taken; tried out, since some ignore what they are told."""
        with self._refusals():
            return knows_conditions(self._store, self._at(TRIED))

    def _moved(self, source: Path, name: str) -> None:
        """Upload by another name first: where files are seen while they grow, only a move is one step."""
        half = self._at(f"{HALF}/{token_hex(8)}")
        for path in (half, self._at(name)):
            self._store.makedirs(path.rpartition("/")[0], exist_ok=True)
        self._store.put_file(str(source), half)
        self._store.mv(half, self._at(name))

    def _at(self, name: str) -> str:
        return f"{self._opened[1].rstrip('/')}/{name}"

    @property
    def _store(self) -> Any:
        return self._opened[0]

    @cached_property
    def _opened(self) -> tuple[Any, str]:
        return opened(self.address)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Whatever a store's own library raises, as `StorageError`."""
        with refusals(self.address):
            try:
                yield
            except OSError:
                raise
            except store_errors() as error:
                words = f"{type(error).__name__}: {error}".splitlines()[0]
                raise StorageError(f"`{self.address}` cannot be used: {words}; {GO_ON}") from error
