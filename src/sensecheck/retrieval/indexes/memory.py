"""An index in memory and in one file: a NumPy matrix, searched whole. Exact, and enough for a laptop."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from sensecheck.core.backends import Encoder, Vectors
from sensecheck.core.errors import SpecError
from sensecheck.io.atomic import whole_binary_file
from sensecheck.retrieval.filters import Scalar, Wanted, alternatives, missing
from sensecheck.retrieval.indexes.index import (
    IndexEntry,
    Origin,
    Reference,
    accepted,
    accepted_k,
    origin_of,
    placed_entries,
    unit_vector,
)
from sensecheck.retrieval.match import Match, closeness_from

_ENGINE = "memory"
"""What a file says that it holds."""
_ROUNDING = 1e-6
"""How far two products of the same unit vectors may lie apart, by the order in which they were added up."""


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
        """The references, encoded by this encoder."""
        index = cls(encoder.fingerprint, encoder.dimension)
        index.add(placed_entries(references, encoder))
        return index

    @classmethod
    def load(cls, path: str | Path, encoder: str) -> Self:
        """What `save` wrote, if the encoder with this fingerprint made it."""
        dimension, references, rows = _read_file(path, encoder)
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
        about = json.dumps({"engine": _ENGINE, "origin": self._origin.written()})
        lines = "\n".join(_line_of(reference) for reference in self._references)
        parts = {"about": _bytes(about), "references": _bytes(lines), "array": self._filled()}
        with whole_binary_file(Path(path)) as file:
            np.savez(file, **parts)  # type: ignore[arg-type]  # its stub takes the names for its options

    @property
    def encoder(self) -> str:
        """The fingerprint of the encoder that made its vectors."""
        return self._origin.encoder

    def count(self) -> int:
        """How many references it holds."""
        return len(self._references)

    def add(self, entries: Iterable[IndexEntry]) -> None:
        """Put these in; an entry whose id is there already takes its place."""
        batch = accepted(entries, self._origin.dimension)
        self._make_room(len(self._references) + len(batch))
        for entry in batch:
            at = self._at.setdefault(entry.reference.id, len(self._references))
            if at == len(self._references):
                self._references.append(entry.reference)
            else:
                self._references[at] = entry.reference
            self._rows[at] = entry.vector

    def search(self, vector: Vectors, k: int, *, filter: Wanted | None = None) -> list[Match]:
        """The `k` nearest that pass the filter, the closest first; of those equally close, by their ids."""
        limit = accepted_k(k)
        query_vector = unit_vector(vector, self._origin.dimension)
        rows, references = self._passing(alternatives(filter or {}))
        near = _nearest(rows, query_vector, limit)
        vectors = rows[near]
        # Row by row: a product of matrices gives equal rows scores that differ by where they stand.
        scores: Vectors = np.einsum("ij,j->i", vectors, query_vector)
        matches = [
            self._match(references[at], score, row)
            for at, score, row in zip(near.tolist(), scores.tolist(), vectors, strict=True)
        ]
        return sorted(matches, key=lambda match: (-match.closeness, match.id))[:limit]

    def close(self) -> None:
        """Nothing to let go of."""

    def _match(self, reference: Reference, score: float, vector: Vectors) -> Match:
        return Match(
            reference.text,
            closeness_from(score, "inner-product"),
            source=reference.source,
            metadata=dict(reference.metadata),
            reference_score=reference.reference_score,
            encoder=self.encoder,
            id=reference.id,
            vector=vector,
        )

    def _passing(self, wanted: Mapping[str, tuple[Scalar, ...]]) -> tuple[Vectors, Sequence[Reference]]:
        if not wanted:
            return self._filled(), self._references
        numbered = enumerate(self._references)
        passing = [at for at, reference in numbered if missing(reference.metadata, wanted) is None]
        return self._rows[np.array(passing, np.intp)], [self._references[at] for at in passing]

    def _filled(self) -> Vectors:
        return self._rows[: len(self._references)]

    def _make_room(self, size: int) -> None:
        """Twice as much each time, so that many small additions copy little."""
        if size > len(self._rows):
            grown = np.empty((max(size, 2 * len(self._rows)), self._origin.dimension), np.float32)
            grown[: len(self._references)] = self._filled()
            self._rows = grown


def _nearest(rows: Vectors, query_vector: Vectors, k: int) -> npt.NDArray[np.intp]:
    """Which rows may be among the `k` nearest: those, and all that are as close up to rounding."""
    if len(rows) <= k:
        return np.arange(len(rows))
    scores: Vectors = rows @ query_vector
    least = np.partition(scores, len(rows) - k)[len(rows) - k]
    return np.flatnonzero(scores >= least - _ROUNDING)


def _read_file(path: str | Path, encoder: str) -> tuple[int, list[Reference], npt.NDArray[Any]]:
    """The dimension, the references and the vectors, if the encoder with this fingerprint made them."""
    at = f"the file `{path}`"
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as parts:
            about = json.loads(parts["about"].tobytes())
            lines, rows = parts["references"].tobytes().decode("ascii").splitlines(), parts["array"]
    except FileNotFoundError:
        raise SpecError(f"{at} is not there; `save` writes one") from None
    except (BadZipFile, ValueError, KeyError, EOFError, OSError, AttributeError, TypeError) as problem:
        raise SpecError(f"{at} cannot be read as an index ({type(problem).__name__})") from problem
    if not isinstance(about, dict) or about.get("engine") != _ENGINE:
        raise SpecError(f"{at} holds no index of the engine `{_ENGINE}`")
    origin = origin_of(about.get("origin"), at=at)
    Origin(encoder, origin.dimension).require_origin(about["origin"], at=at)
    return origin.dimension, [_reference_in(line, number, at) for number, line in enumerate(lines, 1)], rows


def _line_of(reference: Reference) -> str:
    """The reference as JSON in ASCII: 1 stays 1, 1.0 stays 1.0, and no character ends a line."""
    values = {field.name: getattr(reference, field.name) for field in fields(reference)}
    return json.dumps(values | {"metadata": dict(reference.metadata)}, allow_nan=False)


def _reference_in(line: str, number: int, at: str) -> Reference:
    try:
        return Reference(**json.loads(line))
    except (ValueError, TypeError) as problem:
        raise SpecError(
            f"{at} is damaged: its reference {number} cannot be read; build it again"
        ) from problem


def _bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode("ascii"), np.uint8)
