"""The index of FAISS: the flat one, and others that people give."""

from pathlib import Path

import faiss
import numpy as np
import pytest

from sensecheck.core.errors import SpecError, StaleIndex
from sensecheck.retrieval.indexes.faiss import FaissIndex
from sensecheck.retrieval.indexes.memory import MemoryIndex
from tests.retrieval.indexes.contract import MADE_BY, WIDE, IndexContract, Opened, along, entry, sources


class TestFlatFaissIndex(IndexContract):
    @pytest.fixture
    def opened(self) -> Opened:
        return FaissIndex.flat


class TestFaissIndexOfGraphs(IndexContract):
    """Approximate: HNSW finds what it finds, and the rest is compared one by one."""

    @pytest.fixture
    def opened(self) -> Opened:
        return lambda encoder, dimension: FaissIndex(
            faiss.IndexHNSWFlat(dimension, 32, faiss.METRIC_INNER_PRODUCT), encoder
        )


def test_an_index_of_cells_gives_k_though_it_looks_into_one_cell() -> None:
    rows = np.random.default_rng(3).normal(size=(400, WIDE)).astype(np.float32)
    cells = faiss.IndexIVFFlat(faiss.IndexFlatIP(WIDE), WIDE, 8, faiss.METRIC_INNER_PRODUCT)
    cells.train(rows)
    index, exact = FaissIndex(cells, MADE_BY), MemoryIndex(MADE_BY, WIDE)
    for one in (index, exact):
        one.add(entry(f"r{n}", rows[n], part=n % 7) for n in range(len(rows)))

    assert len(index.search(rows[0], 390)) == 390
    wanted = exact.search(rows[0], 30, filter={"part": [1, 2]})
    assert sources(index.search(rows[0], 30, filter={"part": [1, 2]})) == sources(wanted)


def test_what_was_replaced_many_times_does_not_crowd_out_the_rest() -> None:
    index = FaissIndex.flat(MADE_BY, WIDE)
    index.add([entry("b", along(1)), entry("c", along(2))])
    for turn in range(20):
        index.add([entry("a", along(0), turn=turn)])

    assert index.count() == 3
    assert sorted(sources(index.search(along(0), 3))) == ["a", "b", "c"]
    assert index.search(along(0), 1)[0].metadata == {"turn": 19}


def test_a_file_brings_everything_back(tmp_path: Path) -> None:
    path = tmp_path / "guide.index"
    index = FaissIndex.flat(MADE_BY, WIDE)
    index.add(entry(f"r{n}", along(n, lean=0.2), year=n) for n in range(5))
    index.add([entry("r0", along(7), year=70)])
    index.save(path)

    again = FaissIndex.load(path, MADE_BY)

    assert again.count() == 5
    assert again.search(along(2), 5) == index.search(along(2), 5)
    assert [file.name for file in tmp_path.iterdir()] == ["guide.index"]


def test_a_file_of_another_encoder_or_another_engine_does_not_load(tmp_path: Path) -> None:
    FaissIndex.flat(MADE_BY, WIDE).save(tmp_path / "faiss")
    MemoryIndex(MADE_BY, WIDE).save(tmp_path / "memory")

    with pytest.raises(StaleIndex, match=r"test-encoder:1.*other:2"):
        FaissIndex.load(tmp_path / "faiss", "other:2")
    with pytest.raises(SpecError, match="`faiss`"):
        FaissIndex.load(tmp_path / "memory", MADE_BY)


def test_an_index_that_measures_distances_is_refused() -> None:
    with pytest.raises(SpecError, match="inner products"):
        FaissIndex(faiss.IndexFlatL2(WIDE), MADE_BY)


def test_an_index_that_is_not_trained_is_refused() -> None:
    cells = faiss.IndexIVFFlat(faiss.IndexFlatIP(WIDE), WIDE, 8, faiss.METRIC_INNER_PRODUCT)

    with pytest.raises(SpecError, match="not trained"):
        FaissIndex(cells, MADE_BY)


def test_an_index_with_vectors_of_unknown_references_is_refused() -> None:
    full = faiss.IndexFlatIP(WIDE)
    full.add(along(0)[None, :])

    with pytest.raises(SpecError, match="1 vectors for 0 references"):
        FaissIndex(full, MADE_BY)
