"""Several sources read in turn."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_turn(sources: Iterable[Iterator[T]]) -> Iterator[T]:
    """One of each source, then the next of each, until all are empty."""
    left = list(sources)
    while left:
        for source in list(left):
            try:
                yield next(source)
            except StopIteration:
                left.remove(source)
