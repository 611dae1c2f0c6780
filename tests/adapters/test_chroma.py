"""The recipe for Chroma, with the real package, and the scales that its collections measure on."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.retrieval.match import Scale
from tests.adapters.stores import recipe_must_hold, scores_must_be_on, unit_rows

chromadb: Any = pytest.importorskip(
    "chromadb", reason="Chroma is not installed here; `just adapters` tests it"
)


def test_the_recipe_of_our_page_finds_what_our_own_index_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = recipe_must_hold("import chromadb", capsys)

    assert [match.id for match in found] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("told", "scale"),
    [
        ({}, "squared-l2"),
        ({"hnsw": {"space": "cosine"}}, "cosine-distance"),
        ({"hnsw": {"space": "l2"}}, "squared-l2"),
    ],
)
def test_a_collection_measures_on_the_scale_that_our_docs_name(
    tmp_path: Path, told: dict[str, Any], scale: Scale
) -> None:
    rows = unit_rows()
    client = chromadb.PersistentClient(str(tmp_path), chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("rows", configuration=told, embedding_function=None)
    collection.add(ids=[f"{at}" for at in range(len(rows))], embeddings=list(rows))
    got = collection.query(query_embeddings=[rows[0]], n_results=len(rows), include=["distances"])
    client.close()

    scores_must_be_on(scale, dict(zip(map(int, got["ids"][0]), got["distances"][0], strict=True)))
