"""An index in memory: one NumPy matrix, searched whole. Exact, and enough for a laptop."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from sensecheck.core.encoder import Encoder, Vectors
from sensecheck.core.errors import SpecError
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.file import read_index_file, write_index_file
from sensecheck.retrieval.indexes.found import nearest_matches
from sensecheck.retrieval.indexes.index import Entry, Reference, placed_entries
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.wanted import Scalar, Wanted, alternatives, missing

_ENGINE = "memory"


class MemoryIndex:
    """References and their vectors, in the order in which they came."""

    def __init__(self, encoder: str, dimension: int) -> None:
        """`encoder` is the fingerprint of the one that makes the vectors."""
        self._origin = Origin(encoder, dimension)
        self._rows = np.empty((0, dimension), np.float32)
        self._references: list[Reference] = []
        self._at: dict[str, int] = {}

    @classmethod
    def of(cls, references: Iterable[Reference], encoder: Encoder) -> Self:
        """The references, placed by this encoder."""
        index = cls(encoder.fingerprint, encoder.dimension)
        index.add(placed_entries(references, encoder))
        return index

    @classmethod
    def load(cls, path: str | Path, encoder: str) -> Self:
        """What `save` wrote, if the encoder with this fingerprint made it."""
        dimension, references, rows = read_index_file(path, encoder, engine=_ENGINE)
        if rows.shape != (len(references), dimension):
            raise SpecError(
                f"the file `{path}` is damaged: {len(references)} references of {dimension} numbers, "
                f"and an array of the shape {rows.shape}"
            )
        index = cls(encoder, dimension)
        index._rows = rows.astype(np.float32, copy=False)
        index._references = references
        index._at = {reference.id: at for at, reference in enumerate(references)}
        return index

    def save(self, path: str | Path) -> None:
        """Write everything into one file, or leave what was there."""
        write_index_file(
            path, self._origin, engine=_ENGINE, references=self._references, array=self._filled()
        )

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        return len(self._references)

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        some = accepted(entries, self._origin.dimension)
        self._make_room(len(self._references) + len(some))
        for entry in some:
            at = self._at.setdefault(entry.reference.id, len(self._references))
            if at == len(self._references):
                self._references.append(entry.reference)
            else:
                self._references[at] = entry.reference
            self._rows[at] = entry.vector

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; of those equally close, by their ids."""
        whole = accepted_k(k)
        asked = unit_vector(vector, self._origin.dimension)
        rows, references = self._passing(alternatives(filter or {}))
        return nearest_matches(rows, references, asked, k=whole, encoder=self.encoder)

    def close(self) -> None:
        """Nothing to let go of."""

    def _passing(self, wanted: Mapping[str, tuple[Scalar, ...]]) -> tuple[Vectors, Sequence[Reference]]:
        if not wanted:
            return self._filled(), self._references
        held = enumerate(self._references)
        passing = [at for at, one in held if missing(one.metadata, wanted) is None]
        return self._rows[np.array(passing, np.intp)], [self._references[at] for at in passing]

    def _filled(self) -> Vectors:
        return self._rows[: len(self._references)]

    def _make_room(self, wanted: int) -> None:
        """Twice as much each time, so that many small additions copy little."""
        if wanted > len(self._rows):
            grown = np.empty((max(wanted, 2 * len(self._rows)), self._origin.dimension), np.float32)
            grown[: len(self._references)] = self._filled()
            self._rows = grown
