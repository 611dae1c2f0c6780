"""The index in LanceDB."""

from pathlib import Path

import lancedb
import pytest

from sensecheck.core.errors import SpecError, StaleIndex, ToolError
from sensecheck.retrieval.indexes.lancedb import LanceIndex
from tests.retrieval.indexes.contract import MADE_BY, WIDE, KeptIndexContract, Opened, along, entry


class TestLanceIndex(KeptIndexContract):
    @pytest.fixture
    def opened(self, tmp_path: Path) -> Opened:
        return lambda encoder, dimension: LanceIndex.open(
            tmp_path, "guide", encoder=encoder, dimension=dimension
        )


def test_a_table_that_somebody_else_made_is_refused(tmp_path: Path) -> None:
    lancedb.connect(tmp_path).create_table("theirs", [{"vector": [1.0, 2.0], "text": "x"}])

    with pytest.raises(SpecError, match="`theirs`"):
        LanceIndex.open(tmp_path, "theirs", encoder=MADE_BY, dimension=WIDE)


def test_a_table_with_a_name_that_lancedb_does_not_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be opened"):
        LanceIndex.open(tmp_path, "../outside", encoder=MADE_BY, dimension=WIDE)


def test_vectors_can_be_left_out(tmp_path: Path) -> None:
    index = LanceIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE, with_vectors=False)
    index.add([entry("a")])

    assert index.search(along(0), 1)[0].vector is None


def test_a_table_that_another_encoder_made_anew_is_noticed(tmp_path: Path) -> None:
    index = LanceIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    index.add([entry("a")])
    lancedb.connect(tmp_path).drop_table("guide")
    LanceIndex.open(tmp_path, "guide", encoder="other:2", dimension=WIDE).add([entry("b")])

    with pytest.raises(StaleIndex, match=r"other:2.*test-encoder:1"):
        index.search(along(0), 1)
    with pytest.raises(StaleIndex, match=r"other:2.*test-encoder:1"):
        index.add([entry("c")])


def test_a_table_that_was_taken_away_is_an_error_of_ours(tmp_path: Path) -> None:
    index = LanceIndex.open(tmp_path, "guide", encoder=MADE_BY, dimension=WIDE)
    index.add([entry("a")])
    lancedb.connect(tmp_path).drop_table("guide")

    with pytest.raises(ToolError, match=r"`guide`.*taken away"):
        index.search(along(0), 1)
    with pytest.raises(ToolError, match="`guide`"):
        index.add([entry("b")])
    with pytest.raises(ToolError, match="`guide`"):
        index.count()


def test_a_folder_that_is_a_file_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(SpecError, match="the LanceDB folder"):
        LanceIndex.open(tmp_path / "file", "guide", encoder=MADE_BY, dimension=WIDE)
