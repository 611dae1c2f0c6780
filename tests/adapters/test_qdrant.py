"""The recipe for Qdrant, with the real package, and the scales that its collections measure on."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.retrieval.match import Scale
from tests.adapters.stores import recipe_must_hold, scores_must_be_on, unit_rows

qdrant: Any = pytest.importorskip(
    "qdrant_client", reason="Qdrant is not installed here; `just adapters` tests it"
)


def test_the_recipe_of_our_page_finds_what_our_own_index_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = recipe_must_hold("import QdrantClient", capsys)

    assert [match.id for match in found] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("distance", "scale"), [("COSINE", "cosine"), ("DOT", "inner-product"), ("EUCLID", "l2")]
)
def test_a_collection_measures_on_the_scale_that_our_docs_name(distance: str, scale: Scale) -> None:
    rows, models = unit_rows(), qdrant.models
    client = qdrant.QdrantClient(":memory:")
    wide = models.VectorParams(size=rows.shape[1], distance=models.Distance[distance])
    client.create_collection("rows", wide)
    points = [models.PointStruct(id=at, vector=row.tolist()) for at, row in enumerate(rows)]
    client.upsert("rows", points)
    got = client.query_points("rows", rows[0].tolist(), limit=len(rows)).points
    client.close()

    scores_must_be_on(scale, {point.id: point.score for point in got})
