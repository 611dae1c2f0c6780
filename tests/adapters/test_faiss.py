"""The recipe for FAISS, with the real package, and the scales that its indexes measure on."""

from typing import Any

import pytest

from sensecheck.retrieval.match import Scale
from tests.adapters.stores import recipe_must_hold, scores_must_be_on, unit_rows

faiss: Any = pytest.importorskip("faiss", reason="FAISS is not installed here; `just adapters` tests it")


def test_the_recipe_of_our_page_finds_what_our_own_index_finds(capsys: pytest.CaptureFixture[str]) -> None:
    found = recipe_must_hold("import faiss", capsys)

    assert [match.id for match in found] == ["0", "1", "2"]


@pytest.mark.parametrize(("kind", "scale"), [("IndexFlatIP", "inner-product"), ("IndexFlatL2", "squared-l2")])
def test_an_index_measures_on_the_scale_that_our_docs_name(kind: str, scale: Scale) -> None:
    rows = unit_rows()
    index = getattr(faiss, kind)(rows.shape[1])
    index.add(rows)
    scores, places = index.search(rows[:1], len(rows))

    scores_must_be_on(scale, dict(zip(places[0].tolist(), scores[0].tolist(), strict=True)))
