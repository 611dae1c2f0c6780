"""What every index must keep to, for the tests of those who bring one."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import EncoderError, SpecError
from sensecheck.retrieval.indexes.index import Entry, Index, Reference
from sensecheck.retrieval.match import Match


def _axis(number: int, lean: float = 0.0) -> Vectors:
    row = np.zeros(8, np.float32)
    row[number], row[number + 1] = 1.0, lean
    unit: Vectors = row / np.float32(np.linalg.norm(row))
    return unit


INDEXED: tuple[tuple[str, Vectors, dict[str, Any]], ...] = (
    ("far", _axis(0, 2.0), {"year": 1.5}),
    ("same", _axis(0), {"lang": "en", "year": 1}),
    ("against", -_axis(0), {"lang": "it's; DROP TABLE x --", "a.b": "日本語 🎉"}),
    ("near", _axis(0, 0.5), {"lang": "en", "year": True}),
    ("across", _axis(5), {"lang": "de", "year": "1"}),
)


def index_contract(opened: Callable[[str, int], Index]) -> None:
    """Raise `AssertionError` unless the index keeps to its protocol.

    `opened` gives an empty index for the fingerprint of an encoder and the dimension of its vectors.
    """
    index = opened("contract:1", 8)
    assert index.encoder in ("contract:1", None), f"it says that `{index.encoder}` made its vectors"
    assert index.count() == 0, "an index that was just made is not empty"
    assert not index.search(_axis(0), 3), "an empty index must find nothing"
    index.add(_entry(name, vector, metadata) for name, vector, metadata in INDEXED)
    assert index.count() == len(INDEXED), f"{len(INDEXED)} entries went in; it counts {index.count()}"
    _finds_the_closest_first(index)
    _filters_exactly(index)
    _replaces_what_has_the_same_id(index)
    _refuses_what_it_cannot_keep(index)
    for _ in range(2):  # a second time does nothing
        index.close()


def _entry(name: str, vector: Vectors, metadata: dict[str, Any]) -> Entry:
    return Entry(Reference(f"id of {name}", f"text of {name}", name, metadata, 0.5), vector)


def _named(matches: Sequence[Match]) -> list[str]:
    return [match.source for match in matches]


def _finds_the_closest_first(index: Index) -> None:
    found = index.search(_axis(0), 10)
    order = ["same", "near", "far", "across", "against"]
    assert _named(found) == order, f"the order is {_named(found)}; wanted {order}"
    assert _named(index.search(_axis(0), 2)) == order[:2], "the two closest are not the first two of all"
    held = {name: (vector, metadata) for name, vector, metadata in INDEXED}
    for match in found:
        vector, metadata = held[match.source]
        cosine = float(vector @ _axis(0))
        off = abs(match.closeness - cosine)
        assert off < 1e-3, f"a closeness is {match.closeness}, where the cosine is {cosine}"
        assert match.text == f"text of {match.source}", f"a text came back as {match.text!r}"
        assert match.reference_score == 0.5, f"a score of 0.5 came back as {match.reference_score}"
        assert repr(sorted(match.metadata.items())) == repr(sorted(metadata.items())), (
            f"metadata came back as {dict(match.metadata)}; wanted {metadata}"
        )


def _filters_exactly(index: Index) -> None:
    wanted: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"lang": "en"}, ["same", "near"]),
        ({"lang": ["de", "en"]}, ["same", "near", "across"]),
        ({"year": 1}, ["same"]),
        ({"year": True}, ["near"]),
        ({"year": "1"}, ["across"]),
        ({"lang": "en", "year": 1.0}, ["same"]),
        ({"lang": "it's; DROP TABLE x --"}, ["against"]),
        ({"a.b": "日本語 🎉"}, ["against"]),
        ({"nowhere": "en"}, []),
        ({"lang": "x' OR '1'='1"}, []),
    )
    for some, those in wanted:
        found = _named(index.search(_axis(0), 10, filter=some))
        assert found == those, f"the filter {some} let {found} pass; wanted {those}"
    only = _named(index.search(_axis(0), 1, filter={"lang": "de"}))
    assert only == ["across"], "a filter must come before the count: the nearest one that passes was lost"


def _replaces_what_has_the_same_id(index: Index) -> None:
    before = index.count()
    index.add([_entry("far", _axis(3), {"lang": "fr"})])
    assert index.count() == before, f"an entry with a known id made {index.count()} of {before}"
    assert _named(index.search(_axis(3), 1, filter={"lang": "fr"})) == ["far"], "it was not replaced"
    assert not index.search(_axis(0), 9, filter={"year": 1.5}), "old metadata still passes a filter"


def _refuses_what_it_cannot_keep(index: Index) -> None:
    before = index.count()
    good = _entry("new", _axis(1), {})
    for wrong in (np.ones(5, np.float32), np.zeros(8, np.float32), np.full(8, np.nan, np.float32)):
        _is_refused(partial(index.add, [good, _entry("wrong", wrong, {})]), "a wrong vector")
        _is_refused(partial(index.search, wrong, 1), "a search for a wrong vector")
    _is_refused(lambda: index.add([good, _entry("wrong", _axis(1), {"key": None})]), "metadata without value")
    _is_refused(lambda: index.search(_axis(0), 0), "a search for none")
    assert index.count() == before, "something was written, though it was refused"


def _is_refused(action: Callable[[], object], what: str) -> None:
    try:
        action()
    except (EncoderError, SpecError):
        return
    raise AssertionError(f"{what} was taken; wanted an EncoderError or a SpecError")
