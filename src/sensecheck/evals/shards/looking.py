"""Looking into many files: in a store of objects each takes a while."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

AT_ONCE = 16
File = TypeVar("File")
Found = TypeVar("Found")


def looked_into(look: Callable[[File], Found], files: Iterable[File]) -> list[Found]:
    """What is found in each, in their order; several are looked into at the same time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(look, files))
