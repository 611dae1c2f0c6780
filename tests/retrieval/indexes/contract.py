"""What every index keeps to: a test class for each engine takes it on, and says how its index is opened."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import EncoderError, SpecError
from sensecheck.retrieval.filters import MAX_VALUES, Wanted, alternatives, missing
from sensecheck.retrieval.indexes.index import Index, IndexEntry, Reference
from sensecheck.retrieval.match import Match

Opened = Callable[[str, int], Index]
"""(fingerprint, dimension) to the index; called again in one test, it opens the same place again."""
MADE_BY = "test-encoder:1"
WIDE = 16


def along(axis: int, *, lean: float = 0.0, wide: int = WIDE) -> Vectors:
    """A vector along one axis that leans towards the next: the more, the further from the axis."""
    row = np.zeros(wide, np.float32)
    row[axis % wide], row[(axis + 1) % wide] = 1.0, lean
    unit: Vectors = row / np.float32(np.linalg.norm(row))
    return unit


def entry(id: str, vector: Vectors | None = None, **metadata: Any) -> IndexEntry:  # noqa: A002
    """An entry whose source is its id, so that a match can be told."""
    return IndexEntry(Reference(id, f"text of {id}", id, metadata), along(0) if vector is None else vector)


def tagged_entry(id: str, metadata: Mapping[str, Any]) -> IndexEntry:  # noqa: A002
    """An entry with metadata whose keys need not be names."""
    return IndexEntry(Reference(id, f"text of {id}", id, metadata), along(0))


def sources(matches: Sequence[Match]) -> list[str]:
    """The ids of what was found, in order."""
    return [match.source for match in matches]


UNUSUAL: Sequence[Mapping[str, Any]] = (
    {"lang": "en"},
    {"lang": "de", "year": 2025},
    {"year": 1},
    {"year": 1.0},
    {"year": True},
    {"year": "1"},
    {"year": 1.5},
    {"year": False},
    {"year": 0},
    {"year": -0.0},
    {"year": ""},
    {"year": 2**53 + 1},
    {"year": 2**53},
    {"a.b": "x"},
    {"a": "x", "b": "x"},
    {"it's": "Robert'; DROP TABLE entries; --"},
    {'"quoted"': "back\\slash `tick`"},
    {"größe": "日本語 🎉"},
    {"$or": "$and"},
    {"#document": "%_*"},
    {"text": "x", "id": "x", "vector": "x", "tags": "x", "source": "x", "encoder": "x"},
    {"": "empty key"},
    {" spaced key ": " spaced value\n"},
    {"lang": "EN"},
    {},
)
"""Metadata that engines have been known to mix up, to lose, or to run."""


class IndexContract:
    """The tests of all indexes; an engine's class has a fixture `opened`."""

    closeness_within: ClassVar[float] = 1e-5

    @pytest.fixture
    def index(self, opened: Opened) -> Index:
        return opened(MADE_BY, WIDE)

    def test_an_empty_index_finds_nothing(self, index: Index) -> None:
        assert index.count() == 0
        assert index.search(along(0), 3) == []
        assert index.search(along(0), 3, filter={"lang": "en"}) == []
        index.add([])
        assert index.count() == 0

    def test_it_says_which_encoder_made_its_vectors(self, index: Index) -> None:
        index.add([entry("a")])

        assert index.encoder == MADE_BY
        assert index.search(along(0), 1)[0].encoder == MADE_BY

    def test_a_reference_comes_back_as_it_was_put_in(self, index: Index) -> None:
        metadata = {"lang": "en", "year": 1, "share": 1.0, "half": 0.5, "open": True, "shut": False, "no": ""}
        text = "It's “quoted”; \\ 日本語 🎉\n\ttab, <b>"
        index.add([IndexEntry(Reference("id/1 'x'", text, "guide.pdf#p=4", metadata, 2.5), along(3))])

        (match,) = index.search(along(3), 5)

        assert (match.text, match.source, match.reference_score) == (text, "guide.pdf#p=4", 2.5)
        assert dict(match.metadata) == metadata
        assert {key: type(value) for key, value in match.metadata.items()} == {
            key: type(value) for key, value in metadata.items()
        }
        assert match.closeness == pytest.approx(1, abs=self.closeness_within)

    @pytest.mark.parametrize("text", ["nul \x00", "half of a pair \ud83c"])
    def test_a_text_that_cannot_be_kept_is_refused_not_changed(self, index: Index, text: str) -> None:
        try:
            index.add([IndexEntry(Reference("a", text), along(0))])
        except SpecError:
            assert index.count() == 0
        else:
            assert index.search(along(0), 1)[0].text == text

    def test_a_reference_without_source_metadata_or_score_has_none(self, index: Index) -> None:
        index.add([IndexEntry(Reference("a", ""), along(0))])

        (match,) = index.search(along(0), 1)

        assert (match.text, match.source, dict(match.metadata), match.reference_score) == ("", "", {}, None)

    def test_the_closest_come_first_with_their_cosine(self, index: Index) -> None:
        leans = [0.1 * step for step in range(12)]
        index.add([entry(f"r{n}", along(0, lean=leans[n])) for n in (7, 3, 11, 0, 5, 1, 9, 2, 10, 4, 8, 6)])

        found = index.search(along(0), 5)

        assert sources(found) == ["r0", "r1", "r2", "r3", "r4"]
        wanted = [float(along(0) @ along(0, lean=lean)) for lean in leans[:5]]
        assert [match.closeness for match in found] == pytest.approx(wanted, abs=self.closeness_within)

    def test_closeness_is_the_cosine_from_one_to_minus_one(self, index: Index) -> None:
        index.add([entry("same", along(2)), entry("across", along(5)), entry("against", -along(2))])

        found = index.search(along(2), 3)

        assert sources(found) == ["same", "across", "against"]
        assert [match.closeness for match in found] == pytest.approx([1, 0, -1], abs=self.closeness_within)

    def test_the_length_of_a_vector_does_not_matter(self, index: Index) -> None:
        index.add([entry("long", 40 * along(0)), entry("short", np.float32(0.001) * along(0, lean=0.5))])

        found = index.search(7 * along(0), 2)

        assert sources(found) == ["long", "short"]
        wanted = [1, float(along(0) @ along(0, lean=0.5))]
        assert [match.closeness for match in found] == pytest.approx(wanted, abs=self.closeness_within)

    def test_a_vector_that_comes_along_is_the_one_of_its_reference(self, index: Index) -> None:
        index.add([entry(f"r{n}", along(n, lean=0.3)) for n in range(4)])

        for match in index.search(along(0), 4):
            if match.vector is not None:
                wanted = along(int(match.source[1:]), lean=0.3)
                assert np.asarray(match.vector) == pytest.approx(wanted, abs=self.closeness_within)

    def test_fewer_come_back_where_there_are_fewer(self, index: Index) -> None:
        index.add([entry("a", lang="en"), entry("b", lang="de")])

        assert len(index.search(along(0), 50)) == 2
        assert sources(index.search(along(0), 50, filter={"lang": "de"})) == ["b"]

    def test_the_same_question_twice_gets_the_same_answer(self, index: Index) -> None:
        index.add([entry(f"r{n}", along(n % 3)) for n in range(30)])

        assert index.search(along(1), 5) == index.search(along(1), 5)

    def test_an_id_that_is_there_already_is_replaced(self, index: Index) -> None:
        index.add([entry("a", along(0), lang="en"), entry("b", along(1))])
        index.add([IndexEntry(Reference("a", "new", "new", {"lang": "de"}), along(4))])

        assert index.count() == 2
        (nearest, *_) = index.search(along(4), 1)
        assert (nearest.text, nearest.source, dict(nearest.metadata)) == ("new", "new", {"lang": "de"})
        assert sources(index.search(along(0), 5, filter={"lang": "en"})) == []
        assert sorted(sources(index.search(along(0), 5))) == ["b", "new"]

    def test_of_one_id_twice_in_one_go_the_last_stays(self, index: Index) -> None:
        index.add([entry("a", along(0), turn=1), entry("b", along(1)), entry("a", along(2), turn=2)])

        assert index.count() == 2
        (match,) = index.search(along(2), 1)
        assert (match.source, dict(match.metadata)) == ("a", {"turn": 2})

    def test_what_others_do_to_their_metadata_later_does_not_reach_the_index(self, index: Index) -> None:
        metadata: dict[str, Any] = {"lang": "en"}
        index.add([tagged_entry("a", metadata)])
        metadata["lang"] = None
        found: Any = index.search(along(0), 1)[0].metadata
        found["lang"] = "changed"

        assert dict(index.search(along(0), 1, filter={"lang": "en"})[0].metadata) == {"lang": "en"}

    def test_entries_may_come_one_by_one(self, index: Index) -> None:
        index.add(entry(f"r{n}", along(n)) for n in range(3))

        assert index.count() == 3

    @pytest.mark.parametrize("wanted", [{"lang": "en"}, {"year": [1, "1"]}, {"lang": "de", "year": 2025}])
    def test_a_filter_is_met_by_one_of_its_values_for_each_key(self, index: Index, wanted: Wanted) -> None:
        self._agrees(index, wanted)

    def test_a_filter_means_the_same_in_every_index(self, index: Index) -> None:
        index.add(tagged_entry(f"r{n}", metadata) for n, metadata in enumerate(UNUSUAL))
        for metadata in UNUSUAL:
            for key, value in metadata.items():
                self._finds_what_is_wanted(index, {key: value})
                self._finds_what_is_wanted(index, {key: [value, "nowhere", 77]})
        self._finds_what_is_wanted(index, {"year": [1, True]})
        self._finds_what_is_wanted(index, {"nowhere": "x"})
        self._finds_what_is_wanted(index, {"lang": "x' OR '1'='1"})
        self._finds_what_is_wanted(index, {"lang') OR (1=1) --": "en"})
        self._finds_what_is_wanted(index, {"year": float("nan")})
        assert index.count() == len(UNUSUAL)

    def test_an_empty_filter_lets_everything_through(self, index: Index) -> None:
        index.add([entry("a", lang="en"), entry("b")])

        assert len(index.search(along(0), 5, filter={})) == 2

    @pytest.mark.parametrize("wanted", [{"lang": []}, {"lang": None}, {"lang": {"$ne": 1}}, {"lang": [None]}])
    def test_a_filter_that_says_nothing_plain_is_refused(self, index: Index, wanted: Any) -> None:
        index.add([entry("a", lang="en")])

        with pytest.raises(SpecError, match="lang"):
            index.search(along(0), 5, filter=wanted)

    @pytest.mark.parametrize("keys", [1, 2, MAX_VALUES])
    def test_a_filter_names_at_most_so_many_values(self, index: Index, keys: int) -> None:
        index.add([tagged_entry("a", {f"key{n}": 1 for n in range(keys)})])
        wanted = {f"key{n}": list(range(MAX_VALUES // keys)) for n in range(keys)}
        if keys < MAX_VALUES:
            assert sources(index.search(along(0), 5, filter=wanted)) == ["a"]
        with pytest.raises(SpecError, match=f"at most {MAX_VALUES} values; got {MAX_VALUES + 1}"):
            index.search(along(0), 5, filter=wanted | {"one more": 1})

    @pytest.mark.parametrize("wanted", [{"lang": "\ud800"}, {"lang": ["en", 10**5000]}, {"\udc00": 1}])
    def test_a_filter_that_cannot_be_written_is_refused(self, index: Index, wanted: Any) -> None:
        index.add([entry("a", lang="en")])

        with pytest.raises(SpecError, match=r"half a character|more than 64 bits"):
            index.search(along(0), 5, filter=wanted)

    def test_a_filter_does_not_cost_matches_that_are_there(self, index: Index) -> None:
        near = [entry(f"near{n}", along(0, lean=0.0001 * n), lang="en") for n in range(300)]
        far = [entry(f"far{n}", along(3, lean=0.01 * n), lang="de") for n in range(12)]
        index.add(near + far)

        assert len(index.search(along(0), 10, filter={"lang": "de"})) == 10
        assert len(index.search(along(0), 12, filter={"lang": "de"})) == 12

    @pytest.mark.parametrize(
        "value",
        [
            None,
            [1],
            {"a": 1},
            b"x",
            float("nan"),
            float("inf"),
            2**64,
            "half \ud83c",
            pytest.param(-(10**5000), id="wide"),
        ],
    )
    def test_metadata_that_cannot_be_filtered_by_is_refused_before_anything_is_written(
        self, index: Index, value: object
    ) -> None:
        with pytest.raises(SpecError, match="`topic`"):
            index.add([entry("a", lang="en"), entry("b", topic=value)])

        assert index.count() == 0

    @pytest.mark.parametrize("wrong", [np.nan, np.inf, None])
    def test_a_vector_without_a_direction_is_refused(self, index: Index, wrong: float | None) -> None:
        vector = np.zeros(WIDE, np.float32)
        if wrong is not None:
            vector[2] = wrong

        with pytest.raises((EncoderError, SpecError)):
            index.add([entry("a"), entry("b", vector)])
        with pytest.raises((EncoderError, SpecError)):
            index.search(vector, 1)
        assert index.count() == 0

    def test_a_vector_of_another_length_is_refused_with_both_numbers(self, index: Index) -> None:
        with pytest.raises((EncoderError, SpecError), match=r"(8.*16|16.*8)"):
            index.add([entry("a"), entry("b", along(0, wide=8))])
        with pytest.raises((EncoderError, SpecError), match=r"(8.*16|16.*8)"):
            index.search(along(0, wide=8), 1)
        assert index.count() == 0

    @pytest.mark.parametrize("score", [10**400, float("nan"), True])
    def test_a_score_that_is_no_finite_number_is_refused(self, index: Index, score: Any) -> None:
        with pytest.raises(SpecError, match="`reference_score`"):
            index.add([IndexEntry(Reference("a", "text", reference_score=score), along(0))])

    @pytest.mark.parametrize("k", [0, -1, np.int64(0), True])
    def test_k_is_at_least_one(self, index: Index, k: int) -> None:
        index.add([entry("a")])

        with pytest.raises(SpecError, match=f"got {k}"):
            index.search(along(0), k)

    def test_k_may_be_a_number_of_numpy(self, index: Index) -> None:
        index.add(entry(f"r{n}", along(n)) for n in range(3))
        k: Any = np.int64(2)

        assert len(index.search(along(0), k)) == 2

    def test_thousands_of_entries_go_in_and_agree_with_plain_arithmetic(self, opened: Opened) -> None:
        wide, many = 64, 2_000
        rows = np.random.default_rng(6).normal(size=(many, wide)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        index = opened(MADE_BY, wide)
        index.add(entry(f"r{n}", rows[n], part=n % 100, odd=bool(n % 2)) for n in range(many))

        assert index.count() == many
        for near in (5, 1_234, 1_999):
            self._is_nearest_first(index.search(rows[near], 1), rows @ rows[near])
            those = np.flatnonzero(np.arange(many) % 100 == near % 100)
            found = index.search(rows[near], 10, filter={"part": near % 100})
            best = those[np.argsort(-(rows[those] @ rows[near]))[:10]]
            assert sources(found) == [f"r{n}" for n in best]
            self._is_nearest_first(found, rows @ rows[near])

    def _is_nearest_first(self, found: Sequence[Match], cosines: Vectors) -> None:
        wanted = [float(cosines[int(match.source[1:])]) for match in found]
        assert [match.closeness for match in found] == pytest.approx(wanted, abs=self.closeness_within)
        assert wanted == sorted(wanted, reverse=True)

    def _agrees(self, index: Index, wanted: Wanted) -> None:
        index.add(tagged_entry(f"r{n}", metadata) for n, metadata in enumerate(UNUSUAL))
        self._finds_what_is_wanted(index, wanted)

    def _finds_what_is_wanted(self, index: Index, wanted: Wanted) -> None:
        there = alternatives(wanted)
        those = {f"r{n}" for n, metadata in enumerate(UNUSUAL) if missing(metadata, there) is None}
        assert {*sources(index.search(along(0), 100, filter=wanted))} == those, wanted
