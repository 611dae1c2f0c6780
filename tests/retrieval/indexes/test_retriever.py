"""A query through the real model, an index and a chain."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import StaleIndex
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval import above, chain, distinct, top
from sensecheck.retrieval.indexes.index import Reference, Retriever, placed_entries
from sensecheck.retrieval.indexes.memory import MemoryIndex

REFERENCES = (
    Reference("hours", "The museum is open from nine to five.", "guide.md", {"lang": "en"}),
    Reference("hours-again", "The museum is open from nine until five.", "faq.md", {"lang": "en"}),
    Reference("tickets", "A ticket for the museum costs twelve euros.", "guide.md", {"lang": "en"}, 2.0),
    Reference("stunden", "Das Museum ist von neun bis fünf geöffnet.", "guide.de.md", {"lang": "de"}),
    Reference("volcano", "Magma rises through cracks in the crust.", "earth.md", {"lang": "en"}),
)
QUERY = "When does the museum open?"


@pytest.fixture(scope="module")
def index(minilm: Encoder) -> MemoryIndex:
    return MemoryIndex.of(REFERENCES, minilm)


def test_a_query_finds_what_answers_it_with_the_cosine_of_its_encoder(
    index: MemoryIndex, minilm: Encoder
) -> None:
    retrieved = Retriever(minilm, index).retrieve(QUERY, 3)

    assert retrieved.query == QUERY
    matches = retrieved.matches
    assert {match.source for match in matches[:2]} == {"guide.md", "faq.md"}
    space = Space.of([QUERY, *(match.text for match in matches)], minilm)
    wanted = [space.similarity(QUERY, match.text) for match in matches]
    assert [match.closeness for match in matches] == pytest.approx(wanted, abs=1e-5)
    assert {match.encoder for match in matches} == {minilm.fingerprint}


def test_a_chain_guards_what_was_retrieved(index: MemoryIndex, minilm: Encoder) -> None:
    retrieved = Retriever(minilm, index).retrieve(QUERY)

    selection = chain(above(0.4), distinct(0.9), top(2))(retrieved.matches, query=retrieved.query)

    assert len(selection.kept) == 2
    assert {gone.match.source: gone.stage for gone in selection.dropped}["earth.md"] == "above"
    assert [gone.twin is not None for gone in selection.dropped if gone.stage == "distinct"] == [True]


def test_a_filter_goes_through_to_the_index(index: MemoryIndex, minilm: Encoder) -> None:
    found = Retriever(minilm, index).retrieve(QUERY, filter={"lang": "de"})

    assert [match.source for match in found.matches] == ["guide.de.md"]


def test_an_index_of_another_encoder_is_refused(index: MemoryIndex) -> None:
    with pytest.raises(StaleIndex, match="hashing"):
        Retriever(HashingEncoder(), index)


def test_an_index_from_a_file_answers_as_before(tmp_path: Path, index: MemoryIndex, minilm: Encoder) -> None:
    index.save(tmp_path / "index")
    again = MemoryIndex.load(tmp_path / "index", minilm.fingerprint)

    assert Retriever(minilm, again).retrieve(QUERY) == Retriever(minilm, index).retrieve(QUERY)


def test_references_placed_by_hand_are_the_same(index: MemoryIndex, minilm: Encoder) -> None:
    mine = MemoryIndex(minilm.fingerprint, minilm.dimension)
    mine.add(placed_entries(REFERENCES, minilm))

    assert Retriever(minilm, mine).retrieve(QUERY) == Retriever(minilm, index).retrieve(QUERY)


def test_references_are_read_and_placed_as_they_are_asked_for() -> None:
    read: list[str] = []

    def coming() -> Iterator[Reference]:
        for number in range(2_000):
            read.append(f"{number}")
            yield Reference(f"{number}", f"text {number}")

    encoder = HashingEncoder()
    placed = placed_entries(coming(), encoder)
    first = next(placed)

    assert (first.reference.id, len(read)) == ("0", 512)
    rest = list(placed)
    assert [entry.reference.id for entry in (first, *rest)] == read
    assert np.array_equal(rest[-1].vector, Space.of(["text 1999"], encoder).vector("text 1999"))


def test_a_match_has_the_id_of_its_reference(index: MemoryIndex, minilm: Encoder) -> None:
    assert Retriever(minilm, index).retrieve(QUERY, filter={"lang": "de"}).matches[0].id == "stunden"
