"""Where a run's files are: the protocol of storage locations, their addresses, and what they refuse.

Files are written once, seen whole or not at all, and never changed.
"""

import errno
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, Protocol, TypeVar
from urllib.parse import urlsplit

from sensecheck.core.errors import SpecError, StorageError, StorageFull

MAX_CONCURRENCY = 16
"""Files that are looked into at the same time: in a store of objects each takes a while."""
LOCAL = ("file", "local")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
REFUSED = (errno.EROFS, errno.EACCES, errno.EPERM)
GO_ON = "what was finished before is stored: the same command continues from there"
_PASSWORD = re.compile(r"^[^/@]*:(?!\d+/).*@")  # `/` and `@` may stand in it; a port is none
_QUERY = re.compile(r"\?[^/]*=.*$")
File = TypeVar("File")
Found = TypeVar("Found")


class StorageLocation(Protocol):
    """A folder of this machine, or a prefix in a store of objects; names are relative, parted by `/`.

    What it cannot do is a `StorageError` that names it and says what to do; a full disk is a `StorageFull`.
    """

    @property
    def address(self) -> str:
        """As people wrote it, without secrets."""
        ...

    @property
    def conditional(self) -> bool:
        """Whether it can tell who was first; otherwise files get names of their own."""
        ...

    def names(self, folder: str) -> list[str]:
        """The files in a folder of it that are there whole, sorted, as `read` and `open` take them
        (`results/ab12.parquet`); none where there is no such folder."""
        ...

    def read(self, name: str) -> bytes | None:
        """All of a small file; None where there is none of the name."""
        ...

    def open(self, name: str) -> BinaryIO:
        """A file to be read from any position."""
        ...

    def scratch(self) -> AbstractContextManager[Path]:
        """A folder of this machine for files that are still being written; it is gone afterwards."""
        ...

    def keep(self, written: Path, name: str) -> str:
        """Keep a finished file of `scratch` under a name, and say which it has got.

        The first one to keep a name wins, and what a second one brings is thrown away. Where a store cannot
        tell who was first, the name becomes one of its own (`results/ab12~9f3c.parquet`), and readers take
        the one that the manifest names.
        """
        ...

    def write(self, name: str, content: bytes) -> bool:
        """Keep a small file; False if it exists already, and nothing was written."""
        ...

    def sweep(self) -> int:
        """Throw away what killed workers left half written; how many files that were."""
        ...

    def drop(self, folder: str) -> None:
        """Throw away all files of a folder."""
        ...


def unique_name(name: str) -> str:
    """A name that no one else comes upon, for a location that cannot tell who was first."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}~{token_hex(8)}{dot}{ending}"


def own_name(name: str) -> str:
    """The name that was wanted, of one that may have been made unique."""
    stem, dot, ending = name.rpartition(".")
    return stem.partition("~")[0] + dot + ending


@contextmanager
def refusals(where: str, *, only: tuple[int, ...] | None = None) -> Iterator[None]:
    """Errors of the system as `StorageError`, or `StorageFull`; with `only`, others are left as they are."""
    try:
        yield
    except OSError as error:
        if only is not None and error.errno not in only:
            raise
        raise _as_not_kept(where, error) from error


def is_url(address: str) -> bool:
    """Whether it is no path of this machine."""
    return "://" in address and urlsplit(address).scheme not in LOCAL


def local_path(address: str) -> Path:
    """The path of an address on this machine."""
    return Path(urlsplit(address).path if "://" in address else address).expanduser()


def reject_secret(address: str) -> None:
    """Raise where a password or a key stands in the address, since a run writes its addresses down."""
    if not is_url(address):
        return
    scheme, _, rest = address.partition("://")
    bare = _QUERY.sub("", _PASSWORD.sub("", rest))
    if bare != rest:
        raise SpecError(
            f"`{scheme}://{bare}` has a password or a query, which would be written into the run; leave "
            f"it out, and tell `{scheme}` of it in its own settings: its variables, or fsspec's `conf.json`"
        )


def opened(address: str) -> tuple[Any, str]:
    """The file system of fsspec for an address, and the path in it."""
    import fsspec  # noqa: PLC0415 - an extra, which folders of this machine do without

    reject_secret(address)
    try:
        store, path = fsspec.core.url_to_fs(address if is_url(address) else str(local_path(address)))
    except ImportError as missing:
        scheme = address.partition("://")[0]
        raise SpecError(
            f"`{address}` cannot be opened: {missing}; install what reads `{scheme}`"
        ) from missing
    except ValueError as unknown:
        raise SpecError(f"`{address}` cannot be opened: {unknown}") from unknown
    return store, path


def looked_into(look: Callable[[File], Found], files: Iterable[File]) -> list[Found]:
    """What is found in each, in their order; several are looked into at the same time."""
    with ThreadPoolExecutor(MAX_CONCURRENCY) as pool:
        return list(pool.map(look, files))


def _as_not_kept(where: str, error: OSError) -> StorageError:
    if error.errno in FULL:
        return StorageFull(f"`{where}` is full: {_words(error)}; make room there; {GO_ON}")
    if error.errno in REFUSED or isinstance(error, PermissionError):
        return StorageError(
            f"`{where}` may not be written: {_words(error)}; allow it, or choose another place"
        )
    return StorageError(f"`{where}` cannot be used: {_words(error)}; {GO_ON}")


def _words(error: OSError) -> str:
    return str(error.strerror or error) or type(error).__name__
