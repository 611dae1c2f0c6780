"""Where segments lie: a folder of this machine, or a prefix in any store of objects."""

from functools import cached_property
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import pyarrow as pa
from fsspec import AbstractFileSystem
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from sensecheck.core.created_once import create_once, knows_conditions, put_once
from sensecheck.core.errors import CacheError, SpecError


class SegmentFolder:
    """Files that are created once, and never changed; names are parted by `/`."""

    def __init__(self, files: AbstractFileSystem, root: str, address: str) -> None:
        self._files = files
        self._root = root.rstrip("/")
        self.address = address
        """As people wrote it, without secrets."""

    @classmethod
    def at(cls, address: str) -> Self:
        """A folder, or an address such as `s3://BUCKET/PREFIX`, with the store's own credentials."""
        if "://" not in address:
            address = str(Path(address).expanduser().resolve())
        shown = _without_secrets(address)
        try:
            files, root = url_to_fs(address, use_listings_cache=False)
        except (ImportError, ValueError) as unknown:
            raise SpecError(f"the cache `parquet:{shown}` cannot be opened: {unknown}") from unknown
        return cls(files, root, shown)

    def names(self, under: str = "") -> list[str]:
        """The segments under a folder of it, sorted; none where there is no such folder."""
        return sorted(self._sizes(under))

    def open(self, name: str) -> pa.NativeFile:
        """A file to be read from any position; what a store holds is fetched whole.

        Never a file of Python: a thread of Arrow that still reads from one when Python ends takes it down.
        """
        path = f"{self._root}/{name}"
        if self._local:
            return pa.OSFile(path)
        return pa.BufferReader(self._files.cat_file(path, start=0))  # else S3 is first asked how long it is

    def create(self, name: str, content: bytes) -> bool:
        """Create a file; False where somebody was first, and nothing was written."""
        path = f"{self._root}/{name}"
        if self._local:
            return create_once(Path(path), content, mode=0o600)
        if not self._conditional:
            raise CacheError(
                f"the store of the cache `parquet:{self.address}` does not refuse to create what is there "
                "already, so that nobody could tell who was first; use another one, or a shared folder"
            )
        return put_once(self._files, path, content)

    @property
    def _local(self) -> bool:
        return isinstance(self._files, LocalFileSystem)

    @cached_property
    def _conditional(self) -> bool:
        return knows_conditions(self._files, f"{self._root}/.created-once")

    def used_bytes(self) -> int:
        """How many bytes the segments have."""
        return sum(self._sizes().values())

    def _sizes(self, under: str = "") -> dict[str, int]:
        """The bytes of each `MAKER/BUCKET/NUMBER.parquet`; what lies deeper is another cache's."""
        cut = len(self._root) + 1
        found = self._files.find(f"{self._root}/{under}".rstrip("/"), detail=True)
        sizes = {str(path)[cut:]: int(told["size"] or 0) for path, told in found.items()}
        return {
            name: size for name, size in sizes.items() if name.endswith(".parquet") and name.count("/") == 2
        }

    def remove(self, names: list[str]) -> None:
        """Delete files."""
        if names:
            self._files.rm([f"{self._root}/{name}" for name in names])


def _without_secrets(address: str) -> str:
    if "://" not in address:
        return address
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
