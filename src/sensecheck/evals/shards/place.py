"""Where a run keeps its files: written once, seen whole or not at all, never changed."""

from contextlib import AbstractContextManager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Protocol


class Place(Protocol):
    """A folder of this machine, or a prefix in a store of objects; names are relative, parted by `/`.

    Whatever it cannot do is a `NotKept` that names the place and says what to do; a full disk is a `NoRoom`.
    """

    @property
    def address(self) -> str:
        """As people wrote it, without secrets."""
        ...

    @property
    def conditional(self) -> bool:
        """Whether it can tell who was first; otherwise kept files get names of their own."""
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
        """Keep a small file; False where somebody was first, and nothing was written."""
        ...

    def sweep(self) -> int:
        """Throw away what killed workers left half written; how many files that were."""
        ...

    def drop(self, folder: str) -> None:
        """Throw away all files of a folder."""
        ...


def unique_name(name: str) -> str:
    """A name that nobody else comes upon, for a place that cannot tell who was first."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}~{token_hex(8)}{dot}{ending}"


def own_name(name: str) -> str:
    """The name that was wanted, of one that may have been made unique."""
    stem, dot, ending = name.rpartition(".")
    return stem.partition("~")[0] + dot + ending
