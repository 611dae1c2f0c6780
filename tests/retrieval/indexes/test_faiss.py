"""The index of FAISS: the flat one, and others that people give."""

from pathlib import Path

import faiss
import numpy as np
import pytest

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import SpecError, StaleIndex
from sensecheck.retrieval.indexes.faiss import FaissIndex
from sensecheck.retrieval.indexes.file import Array, write_index_file
from sensecheck.retrieval.indexes.index import Reference
from sensecheck.retrieval.indexes.memory import MemoryIndex
from sensecheck.retrieval.indexes.origin import Origin
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


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros(8), "found float64"),
        (np.zeros((2, 4), np.uint8), r"\(2, 4\)"),
        (np.zeros(8, np.uint8), "FAISS cannot read"),
        (faiss.serialize_index(faiss.IndexFlatIP(WIDE + 1)), f"of {WIDE} numbers.*{WIDE + 1}"),
    ],
)
def test_a_damaged_file_does_not_load(tmp_path: Path, array: Array, said: str) -> None:
    write_index_file(tmp_path / "x", Origin(MADE_BY, WIDE), engine="faiss", references=[], array=array)

    with pytest.raises(SpecError, match=said):
        FaissIndex.load(tmp_path / "x", MADE_BY)


def test_a_file_with_nothing_but_an_array_does_not_load(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((3, WIDE)))

    for kind in (FaissIndex, MemoryIndex):
        with pytest.raises(SpecError, match="cannot be read as an index"):
            kind.load(tmp_path / "x.npy", MADE_BY)


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


@pytest.mark.parametrize("kind", ["PQ2x2", "SQ4", "SQfp16", "PCA8,Flat", "IVF8,SQ8"])
def test_an_index_that_shortens_vectors_is_refused(kind: str) -> None:
    engine = faiss.index_factory(WIDE, kind, faiss.METRIC_INNER_PRODUCT)
    engine.train(np.random.default_rng(3).normal(size=(700, WIDE)).astype(np.float32))

    with pytest.raises(SpecError, match="scores are no cosines"):
        FaissIndex(engine, MADE_BY)


def test_an_index_with_numbers_of_its_own_is_refused() -> None:
    with pytest.raises(SpecError, match=r"`IndexIDMap2`.*`IndexFlatIP`"):
        FaissIndex(faiss.IndexIDMap2(faiss.IndexFlatIP(WIDE)), MADE_BY)


def test_an_index_that_searches_short_vectors_and_keeps_long_ones_gives_the_cosine() -> None:
    rows = np.random.default_rng(3).normal(size=(700, WIDE)).astype(np.float32)
    refined = faiss.index_factory(WIDE, "SQ4,RFlat", faiss.METRIC_INNER_PRODUCT)
    refined.train(rows)
    index = FaissIndex(refined, MADE_BY)
    index.add(entry(f"r{n}", rows[n]) for n in range(len(rows)))

    for match in index.search(rows[8], 20):
        row = rows[int(match.source[1:])]
        cosine = row @ rows[8] / (np.linalg.norm(row) * np.linalg.norm(rows[8]))
        assert match.closeness == pytest.approx(float(cosine), abs=1e-5)


@pytest.mark.parametrize("kind", ["Flat", "HNSW32", "IVF1,Flat"])
def test_of_those_equally_close_the_first_by_id_come_first(kind: str) -> None:
    row, asked = np.random.default_rng(2).normal(size=(2, WIDE)).astype(np.float32)
    engine = faiss.index_factory(WIDE, kind, faiss.METRIC_INNER_PRODUCT)
    engine.train(np.random.default_rng(3).normal(size=(100, WIDE)).astype(np.float32))
    index = FaissIndex(engine, MADE_BY)
    index.add(entry(f"{n:02}", row, part=n % 2) for n in reversed(range(31)))

    assert sources(index.search(asked, 5)) == ["00", "01", "02", "03", "04"]
    assert sources(index.search(asked, 3, filter={"part": 1})) == ["01", "03", "05"]


@pytest.mark.parametrize("kind", ["Flat", "HNSW32", "IVF8,Flat"])
def test_what_was_replaced_is_forgotten_once_it_is_more_than_half(kind: str) -> None:
    rows = np.random.default_rng(3).normal(size=(400, WIDE)).astype(np.float32)
    engine = faiss.index_factory(WIDE, kind, faiss.METRIC_INNER_PRODUCT)
    engine.train(rows)
    index = FaissIndex(engine, MADE_BY)
    for turn in range(20):
        index.add(entry(f"r{n}", rows[(n + turn) % 50], turn=turn) for n in range(50))
        assert engine.ntotal <= 100

    assert index.count() == 50
    (match,) = index.search(rows[19], 1)
    assert (match.source, dict(match.metadata)) == ("r0", {"turn": 19})


def test_a_full_index_of_shortened_vectors_is_refused() -> None:
    references = [entry(f"r{n}").reference for n in range(9)]
    short = faiss.index_factory(WIDE, "SQ8", faiss.METRIC_INNER_PRODUCT)
    rows = np.random.default_rng(3).normal(size=(9, WIDE)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    short.train(rows)
    whole = faiss.IndexFlatIP(WIDE)
    for engine in (short, whole):
        engine.add(rows)

    assert FaissIndex(whole, MADE_BY, references=references).search(rows[4], 1)[0].source == "r4"
    with pytest.raises(SpecError, match="not of length 1"):
        FaissIndex(short, MADE_BY, references=references)


@pytest.mark.parametrize(
    ("kind", "first"),
    [("IDMap,Flat", 0), ("IDMap,Flat", 500), ("IDMap2,Flat", 0), ("IDMap2,Flat", 500), ("IVF4,Flat", 500)],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_full_index_with_numbers_of_its_own_is_refused(kind: str, first: int, *, wrapped: bool) -> None:
    rows, references = _unit_rows(200)
    engine = faiss.index_factory(WIDE, kind, faiss.METRIC_INNER_PRODUCT)
    if wrapped:
        engine = faiss.IndexPreTransform(engine)
    engine.train(rows)
    engine.add_with_ids(rows, np.arange(first, first + len(rows)))

    with pytest.raises(SpecError, match=r"vectors by their order.*`IndexFlatIP`"):
        FaissIndex(engine, MADE_BY, references=references)


def test_a_full_index_that_gives_no_vectors_back_is_refused() -> None:
    rows, references = _unit_rows(200)
    part, shards = faiss.IndexFlatIP(WIDE), faiss.IndexShards(WIDE)
    shards.add_shard(part)
    shards.add(rows)

    with pytest.raises(SpecError, match=r"`IndexShards`.*`IndexFlatIP`"):
        FaissIndex(shards, MADE_BY, references=references)


@pytest.mark.parametrize("kind", ["Flat", "HNSW32", "IVF4,Flat"])
def test_a_full_index_is_searched_as_it_is(kind: str) -> None:
    rows, references = _unit_rows(200)
    engine = faiss.index_factory(WIDE, kind, faiss.METRIC_INNER_PRODUCT)
    engine.train(rows)
    engine.add(rows)

    assert FaissIndex(engine, MADE_BY, references=references).search(rows[4], 1)[0].source == "r4"


def _unit_rows(count: int) -> tuple[Vectors, list[Reference]]:
    rows = np.random.default_rng(3).normal(size=(count, WIDE)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows, [entry(f"r{n}").reference for n in range(count)]
