"""An index of FAISS: exact by default, or any of its indexes for more than a laptop searches whole."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.retrieval.indexes.accepted import accepted, accepted_k, unit_vector
from sensecheck.retrieval.indexes.file import read_index_file, write_index_file
from sensecheck.retrieval.indexes.found import Found, matches_of
from sensecheck.retrieval.indexes.index import Entry, Reference
from sensecheck.retrieval.indexes.nearest import Rows, nearest_rows
from sensecheck.retrieval.indexes.origin import Origin
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import closeness_from
from sensecheck.retrieval.wanted import Wanted, alternatives, missing

_ENGINE = "faiss"
_INNER_PRODUCT = 0
"""What FAISS calls `METRIC_INNER_PRODUCT`."""


class FaissIndex:
    """References by their position in a FAISS index, which holds the vectors.

    Not every FAISS index can forget, so what was replaced stays in it and is passed over. Under a filter,
    and where an approximate index finds fewer than there are, the vectors themselves are compared.
    """

    def __init__(self, engine: Any, encoder: str, *, references: Sequence[Reference] = ()) -> None:
        """`engine` is a trained FAISS index over inner products that can give its vectors back."""
        _must_fit(engine, len(references))
        self._engine = engine
        self._origin = Origin(encoder, engine.d)
        self._references = list(references)
        self._at = {reference.id: at for at, reference in enumerate(references)}

    @classmethod
    def flat(cls, encoder: str, dimension: int) -> Self:
        """An empty index that compares with every vector; `encoder` is a fingerprint."""
        origin = Origin(encoder, dimension)
        return cls(_faiss().IndexFlatIP(origin.dimension), encoder)

    @classmethod
    def load(cls, path: str | Path, encoder: str) -> Self:
        """What `save` wrote, if the encoder with this fingerprint made it; a file from people you trust."""
        _, references, array = read_index_file(path, encoder, engine=_ENGINE)
        try:
            engine = _faiss().deserialize_index(array)
        except RuntimeError as problem:
            raise SpecError(f"FAISS cannot read what the file `{path}` holds") from problem
        return cls(engine, encoder, references=references)

    def save(self, path: str | Path) -> None:
        """Write everything into one file, or leave what was there."""
        array = _faiss().serialize_index(self._engine)
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

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; fewer where there are fewer."""
        accepted_k(k)
        asked = unit_vector(vector, self._origin.dimension)
        wanted = alternatives(filter or {})
        at, scores = ([], []) if wanted else self._by_engine(asked, k)
        if len(at) < min(k, self.count()):
            passing = [
                at for at in self._at.values() if missing(self._references[at].metadata, wanted) is None
            ]
            at, scores = self._by_comparing(asked, k, passing)
        return matches_of(
            (
                Found(self._references[one], closeness_from(score, "inner-product"), row)
                for one, score, row in zip(at, scores, self._vectors(at), strict=True)
            ),
            self.encoder,
        )

    def _by_engine(self, asked: Vectors, k: int) -> tuple[list[int], list[float]]:
        """As many more as were replaced are asked for, so that `k` are left without them."""
        replaced = len(self._references) - len(self._at)
        scores, places = self._engine.search(asked[None, :], max(min(k, self.count()) + replaced, 1))
        found = [
            (at, score)
            for at, score in zip(places[0].tolist(), scores[0].tolist(), strict=True)
            if at >= 0 and self._at[self._references[at].id] == at
        ][:k]
        return [at for at, _ in found], [score for _, score in found]

    def _by_comparing(self, asked: Vectors, k: int, places: Sequence[int]) -> tuple[list[int], list[float]]:
        nearest, scores = nearest_rows(self._vectors(places), asked, k)
        return [places[at] for at in nearest.tolist()], scores.tolist()

    def _vectors(self, places: Sequence[int]) -> Vectors:
        if not places:
            return np.empty((0, self._origin.dimension), np.float32)
        wanted: Rows = np.asarray(places, np.int64)
        try:
            found: Vectors = self._engine.reconstruct_batch(wanted)
        except RuntimeError as problem:
            raise SpecError(
                f"the FAISS index `{type(self._engine).__name__}` cannot give back its vectors; "
                "an `IndexFlatIP`, `IndexHNSWFlat` or `IndexIVFFlat` can"
            ) from problem
        return found


def _must_fit(engine: Any, references: int) -> None:
    name = type(engine).__name__
    if engine.metric_type != _INNER_PRODUCT:
        raise SpecError(f"`{name}` measures something else; wanted a FAISS index over inner products")
    if not engine.is_trained:
        raise SpecError(f"`{name}` is not trained; train it with vectors of the encoder first")
    if engine.ntotal != references:
        raise SpecError(
            f"`{name}` holds {engine.ntotal} vectors for {references} references; wanted one each: "
            "give an empty index and `add` to it, or `load` a file that `save` wrote"
        )
    if hasattr(engine, "make_direct_map"):
        engine.make_direct_map()


def _faiss() -> Any:
    with extra("faiss"):
        import faiss  # noqa: PLC0415  # an extra
    return faiss
