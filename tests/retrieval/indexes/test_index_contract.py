"""The contract for indexes: ours keep it, and it notices those that do not."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from sensecheck.core.backends import Vectors
from sensecheck.retrieval.filters import Wanted, alternatives
from sensecheck.retrieval.indexes.index import Index, IndexEntry
from sensecheck.retrieval.indexes.memory import MemoryIndex
from sensecheck.retrieval.match import Match
from sensecheck.testing import index_contract


class Wrong:
    """An index in memory that gets one thing wrong."""

    def __init__(self, inner: MemoryIndex) -> None:
        self._inner = inner
        self.encoder = inner.encoder
        self.count: Callable[[], int] = inner.count

    def add(self, entries: Iterable[IndexEntry]) -> None:
        self._inner.add(entries)

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:  # noqa: A002
        return self._inner.search(vector, k, filter=filter)

    def close(self) -> None:
        self._inner.close()


class HalfCosine(Wrong):
    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:  # noqa: A002
        found = super().search(vector, k, filter=filter)
        return [replace(match, closeness=(1 + match.closeness) / 2) for match in found]


class FurthestFirst(Wrong):
    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:  # noqa: A002
        return super().search(vector, k, filter=filter)[::-1]


class FiltersAfterCounting(Wrong):
    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:  # noqa: A002
        passing = super().search(vector, 100, filter=filter)
        return [match for match in super().search(vector, k) if match in passing]


class TakesTrueForOne(Wrong):
    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:  # noqa: A002
        wanted = alternatives(filter or {})
        found = super().search(vector, 100)
        return [match for match in found if _loosely(match.metadata, wanted)][:k]


class ForgetsToReplace(Wrong):
    def add(self, entries: Iterable[IndexEntry]) -> None:
        numbered = enumerate(entries, self.count())
        super().add([replace(one, reference=replace(one.reference, id=f"{n}")) for n, one in numbered])


class WritesBeforeItLooks(Wrong):
    def add(self, entries: Iterable[IndexEntry]) -> None:
        for entry in entries:
            super().add([entry])


def _loosely(metadata: Mapping[str, Any], wanted: Mapping[str, tuple[Any, ...]]) -> bool:
    return all(key in metadata and metadata[key] in values for key, values in wanted.items())


def test_the_index_in_memory_keeps_to_it() -> None:
    index_contract(MemoryIndex)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (HalfCosine, "where the cosine is"),
        (FurthestFirst, "the order is"),
        (FiltersAfterCounting, "a filter must come before the count"),
        (TakesTrueForOne, "wanted \\['same'\\]"),
        (ForgetsToReplace, "with a known id"),
        (WritesBeforeItLooks, "though it was refused"),
    ],
)
def test_what_is_wrong_with_an_index_is_said(wrong: Callable[[MemoryIndex], Index], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        index_contract(lambda encoder, dimension: wrong(MemoryIndex(encoder, dimension)))
