"""What an index takes in: looked at as a whole before anything of it is written."""

import math
import operator
from collections.abc import Iterable
from dataclasses import replace
from typing import SupportsIndex

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import EncoderError, SpecError
from sensecheck.retrieval.filters import WIDEST, unwritable
from sensecheck.retrieval.indexes.index import IndexEntry, Reference


def accepted(entries: Iterable[IndexEntry], dimension: int) -> list[IndexEntry]:
    """The entries with unit vectors; of one id twice, the last stays. What cannot be kept is an error.

    It holds them all, so that nothing is written where one is wrong: what is too much for memory goes in by
    several calls of `add`.
    """
    entries_by_id: dict[str, IndexEntry] = {}
    for entry in entries:
        _require_plain(entry.reference)
        reference = replace(entry.reference, metadata=dict(entry.reference.metadata))
        entries_by_id[reference.id] = IndexEntry(reference, unit_vector(entry.vector, dimension))
    return list(entries_by_id.values())


def unit_vector(vector: Vectors, dimension: int) -> Vectors:
    """The vector at length 1; `EncoderError` unless it has this dimension and a direction."""
    row = np.asarray(vector, np.float64)
    if row.shape != (dimension,):
        actual = str(len(row)) if row.ndim == 1 else f"the shape {row.shape}"
        raise EncoderError(f"the index holds vectors of {dimension} numbers; got one of {actual}")
    largest = float(np.abs(row).max())
    if not (math.isfinite(largest) and largest > 0):
        raise EncoderError(
            f"a vector of an index must have finite numbers that are not all 0; the largest is {largest:g}"
        )
    row = row / largest
    unit: Vectors = (row / np.linalg.norm(row)).astype(np.float32)
    return unit


def accepted_k(k: SupportsIndex) -> int:
    """`k` as a plain whole number, which is at least 1; NumPy's are taken too."""
    try:
        whole = operator.index(k)
    except TypeError as problem:
        raise SpecError(f"`k` must be a whole number from 1 on; got {type(k).__name__}") from problem
    if isinstance(k, bool) or whole < 1:
        raise SpecError(f"`k` must be a whole number from 1 on; got {k}")
    return whole


def _require_plain(reference: Reference) -> None:
    _validate_id(reference.id)
    for name in ("text", "source"):
        value = getattr(reference, name)
        if not isinstance(value, str):
            raise SpecError(f"`{name}` of a reference must be a string; got {type(value).__name__}")
    score = reference.reference_score
    if score is not None and not _is_finite(score):
        raise SpecError(
            f"`reference_score` must be a finite number of at most {WIDEST} bits; got {_described(score)}"
        )
    for key, value in reference.metadata.items():
        _require_filterable(key, value)


def _validate_id(value: object) -> None:
    if not isinstance(value, str) or not value:
        raise SpecError(
            f"`id` of a reference must be a string; got {'nothing' if value == '' else _described(value)}"
        )
    try:
        value.encode()
    except UnicodeEncodeError as problem:
        raise SpecError(
            f"`id` of a reference must have characters that can be written; got one half of a pair "
            f"at {problem.start}"
        ) from problem


def _require_filterable(key: object, value: object) -> None:
    if not isinstance(key, str):
        raise SpecError(f"a key of metadata must be a string; got {type(key).__name__}")
    if trouble := unwritable(key):
        raise SpecError(f"a key of metadata must be storable text; got {trouble}")
    if not isinstance(value, str | int | float | bool) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        raise SpecError(
            f"metadata `{key}` must be a string, a finite number, true or false; got {_described(value)}; "
            "leave the key out where there is nothing to say"
        )
    if trouble := unwritable(value):
        raise SpecError(f"metadata `{key}` must be storable, so that it can be filtered by; got {trouble}")


def _is_finite(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and unwritable(value) is None


def _described(value: object) -> str:
    return f"{value}" if isinstance(value, float) else type(value).__name__
