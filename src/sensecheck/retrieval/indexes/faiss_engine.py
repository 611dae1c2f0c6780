"""The FAISS indexes that can be used: over inner products, trained, and with their vectors as they were."""

from typing import Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

_INNER_PRODUCT = 0
"""What FAISS calls `METRIC_INNER_PRODUCT`."""
_THESE_DO = "an `IndexFlatIP`, `IndexHNSWFlat` or `IndexIVFFlat` does"
_LOOKED_AT = 100
_SAME = 1e-5
"""How far a number of a vector may move: a rotation moves it less, half precision more."""


def must_fit(engine: Any, references: int) -> None:
    """Raise unless it can hold the vectors of so many references; afterwards it finds them by place."""
    name = type(engine).__name__
    _must_number_by_order(engine)
    if engine.metric_type != _INNER_PRODUCT:
        raise SpecError(f"`{name}` measures something else; wanted a FAISS index over inner products")
    if not engine.is_trained:
        raise SpecError(f"`{name}` is not trained; train it with vectors of the encoder first")
    if engine.ntotal != references:
        raise SpecError(
            f"`{name}` holds {engine.ntotal} vectors for {references} references; wanted one each: "
            "give an empty index and `add` to it, or `load` a file that `save` wrote"
        )
    if references:
        _must_hold_unit_vectors(engine)
    else:
        _must_keep_vectors(engine)
        _make_findable(engine)


def _must_number_by_order(engine: Any) -> None:
    """Raise where it, or one beneath it, gives vectors numbers of their own, which are no places."""
    faiss, within = faiss_package(), engine
    while within is not None:
        within = faiss.downcast_index(within)
        if isinstance(within, faiss.IndexIDMap):
            raise SpecError(
                f"`{type(within).__name__}` does not take vectors by their order: it numbers them in a way "
                f"of its own; {_THESE_DO}"
            )
        within = getattr(within, "index", None) or getattr(within, "base_index", None)


def _must_keep_vectors(engine: Any) -> None:
    """Try it on a copy: what shortens vectors has scores that are no cosines."""
    rows = np.random.default_rng(0).normal(size=(4, engine.d)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    try:
        trial = faiss_package().clone_index(engine)
        _make_findable(trial)
        trial.add(rows)
        back = trial.reconstruct_batch(np.arange(len(rows)))
    except RuntimeError as problem:
        raise _gives_none_back(engine) from problem
    if not np.allclose(back, rows, rtol=0, atol=_SAME):
        raise SpecError(
            f"`{type(engine).__name__}` keeps vectors other than they were, so its scores are no cosines; "
            f"{_THESE_DO}"
        )


def _must_hold_unit_vectors(engine: Any) -> None:
    """Of an index that is full already only this can be seen: what was shortened has another length."""
    first = np.arange(min(_LOOKED_AT, engine.ntotal))
    try:
        _make_findable(engine)
        # Not `reconstruct_n`: where that fails, the whole process ends.
        rows = engine.reconstruct_batch(np.union1d(first, engine.ntotal - 1 - first))
    except RuntimeError as problem:
        raise _gives_none_back(engine) from problem
    if not np.allclose(np.linalg.norm(rows, axis=1), 1, rtol=0, atol=_SAME):
        raise SpecError(
            f"`{type(engine).__name__}` holds vectors that are not of length 1: its scores are no cosines; "
            f"{_THESE_DO}, of vectors that `add` put in"
        )


def _gives_none_back(engine: Any) -> SpecError:
    return SpecError(
        f"`{type(engine).__name__}` does not take vectors by their order and give them back; {_THESE_DO}"
    )


def _make_findable(engine: Any) -> None:
    """An index of cells finds a vector by its place only with a map."""
    if hasattr(engine, "make_direct_map"):
        engine.make_direct_map()


def faiss_package() -> Any:
    """FAISS, which is an extra."""
    with extra("faiss"):
        import faiss  # noqa: PLC0415  # an extra
    return faiss
