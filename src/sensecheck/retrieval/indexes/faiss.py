"""An index of FAISS: exact by default, or a graph or cells for more than a laptop searches whole."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import SpecError
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.faiss_engine import faiss_package, must_fit
from sensecheck.retrieval.indexes.file import read_index_file, write_index_file
from sensecheck.retrieval.indexes.found import ROUNDING, nearest_matches
from sensecheck.retrieval.indexes.index import Entry, Reference
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.wanted import Wanted, alternatives, missing

_ENGINE = "faiss"


class FaissIndex:
    """References by their position in a FAISS index, which holds the vectors.

    Not every FAISS index can forget, so what was replaced stays in it and is passed over, until it is more
    than half; then the rest is put in anew. Under a filter, and where an approximate index finds fewer than
    there are, the vectors themselves are compared.
    """

    def __init__(self, engine: Any, encoder: str, *, references: Sequence[Reference] = ()) -> None:
        """`engine` is a trained FAISS index over inner products that gives its vectors back as they were."""
        must_fit(engine, len(references))
        self._engine = engine
        self._origin = Origin(encoder, engine.d)
        self._references = list(references)
        self._at = {reference.id: at for at, reference in enumerate(references)}

    @classmethod
    def flat(cls, encoder: str, dimension: int) -> Self:
        """An empty index that compares with every vector; `encoder` is a fingerprint."""
        origin = Origin(encoder, dimension)
        return cls(faiss_package().IndexFlatIP(origin.dimension), encoder)

    @classmethod
    def load(cls, path: str | Path, encoder: str) -> Self:
        """What `save` wrote, if the encoder with this fingerprint made it; a file from people you trust."""
        dimension, references, array = read_index_file(path, encoder, engine=_ENGINE)
        if array.dtype != np.uint8 or array.ndim != 1:
            raise SpecError(
                f"the file `{path}` is damaged: wanted a row of bytes for FAISS; found {array.dtype} of the "
                f"shape {array.shape}; build it again"
            )
        try:
            engine = faiss_package().deserialize_index(array)
        except RuntimeError as problem:
            raise SpecError(f"FAISS cannot read what the file `{path}` holds") from problem
        if engine.d != dimension:
            raise SpecError(
                f"the file `{path}` is damaged: it tells of vectors of {dimension} numbers, and holds some "
                f"of {engine.d}; build it again"
            )
        return cls(engine, encoder, references=references)

    def save(self, path: str | Path) -> None:
        """Write everything into one file, or leave what was there."""
        array = faiss_package().serialize_index(self._engine)
        write_index_file(path, self._origin, engine=_ENGINE, references=self._references, array=array)

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        return len(self._at)

    def add(self, entries: Iterable[Entry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        some = accepted(entries, self._origin.dimension)
        if not some:
            return
        self._engine.add(np.stack([entry.vector for entry in some]))
        for entry in some:
            self._at[entry.reference.id] = len(self._references)
            self._references.append(entry.reference)
        if len(self._references) > 2 * len(self._at):
            self._forget_what_was_replaced()

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; of those equally close, by their ids."""
        whole = accepted_k(k)
        asked = unit_vector(vector, self._origin.dimension)
        wanted = alternatives(filter or {})
        places = [] if wanted else self._by_engine(asked, whole)
        if len(places) < min(whole, self.count()):
            places = [
                at for at in self._at.values() if missing(self._references[at].metadata, wanted) is None
            ]
        references = [self._references[at] for at in places]
        return nearest_matches(self._vectors(places), references, asked, k=whole, encoder=self.encoder)

    def close(self) -> None:
        """Nothing to let go of."""

    def _by_engine(self, asked: Vectors, k: int) -> list[int]:
        """Where the nearest stand: as many more than `k` as are equally close, none that was replaced."""
        there = len(self._references)
        ask = min(k + 1, self.count()) + there - self.count()
        while ask:
            scores, places = self._engine.search(asked[None, :], ask)
            found = [
                (at, score)
                for at, score in zip(places[0].tolist(), scores[0].tolist(), strict=True)
                if at >= 0 and self._at[self._references[at].id] == at
            ]
            if len(found) <= k or ask == there or found[-1][1] < found[k - 1][1] - ROUNDING:
                return [at for at, _ in found]
            ask = min(2 * ask, there)
        return []

    def _vectors(self, places: Sequence[int]) -> Vectors:
        if not places:
            return np.empty((0, self._origin.dimension), np.float32)
        found: Vectors = self._engine.reconstruct_batch(np.asarray(places, np.int64))
        return found

    def _forget_what_was_replaced(self) -> None:
        places = list(self._at.values())
        rows = self._vectors(places)
        self._engine.reset()
        self._engine.add(rows)
        self._references = [self._references[at] for at in places]
        self._at = {reference.id: at for at, reference in enumerate(self._references)}
