"""The recipe for LanceDB, with the real package, and the scales that its searches measure on."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.retrieval.match import Scale
from tests.adapters.stores import recipe_must_hold, scores_must_be_on, unit_rows

lancedb: Any = pytest.importorskip(
    "lancedb", reason="LanceDB is not installed here; `just adapters` tests it"
)


def test_the_recipe_of_our_page_finds_what_our_own_index_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = recipe_must_hold("import lancedb", capsys)

    assert [match.id for match in found] == ["0", "1", "2"]


@pytest.mark.parametrize(("told", "scale"), [(None, "squared-l2"), ("cosine", "cosine-distance")])
def test_a_search_measures_on_the_scale_that_our_docs_name(
    tmp_path: Path, told: str | None, scale: Scale
) -> None:
    rows = unit_rows()
    table = lancedb.connect(tmp_path).create_table(
        "rows", [{"at": at, "vector": row} for at, row in enumerate(rows)]
    )
    search = table.search(rows[0]).limit(len(rows))
    got = (search if told is None else search.distance_type(told)).to_list()

    scores_must_be_on(scale, {row["at"]: row["_distance"] for row in got})
