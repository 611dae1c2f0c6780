"""The service, with the real model over a real index."""

import asyncio
import threading
from collections.abc import Hashable, Mapping, Sequence

import pytest

from sensecheck.core.backends import Encoder, Vectors
from sensecheck.core.errors import EncoderError, SampleError, SpecError, StaleIndex, Unreadable
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.references import EmbeddingService, EmbeddingSettings, ReferenceBundle
from sensecheck.retrieval.indexes.index import Index, Reference
from sensecheck.retrieval.indexes.memory import MemoryIndex
from sensecheck.retrieval.match import Match
from tests.conftest import Counting
from tests.references.given import EmptyStore, Item

AWAKE = "I lie awake until four in the morning, every night."
EARLY = "I wake up too early and cannot fall asleep again."
HUNGRY = "I am not hungry any more, and food tastes of nothing."
TRAIN = "The train to Bern leaves from platform seven."
EVIDENCE = {Item.SLEEP: ["I hardly sleep at night."], Item.APPETITE: ["I have lost my appetite."]}


@pytest.fixture(scope="module")
def store(minilm: Encoder) -> Index:
    texts = enumerate((TRAIN, AWAKE, HUNGRY, EARLY))
    known = (
        Reference(str(at), text, metadata={"participant_id": at}, reference_score=at) for at, text in texts
    )
    return MemoryIndex.of(known, minilm)


def built(
    encoder: Encoder,
    store: Index,
    settings: EmbeddingSettings,
    evidence: Mapping[Item, Sequence[str]] = EVIDENCE,
) -> ReferenceBundle[Item]:
    return asyncio.run(EmbeddingService(encoder, store, settings).build_reference_bundle(evidence))


def texts_of(bundle: ReferenceBundle[Item], item: Item) -> list[str]:
    return [match.chunk.text for match in bundle.item_references[item]]


def test_without_guards_each_item_gets_its_nearest_however_far(minilm: Encoder, store: Index) -> None:
    bundle = built(minilm, store, EmbeddingSettings(top_k_references=4))

    assert texts_of(bundle, Item.SLEEP)[-1] == TRAIN
    assert set(texts_of(bundle, Item.SLEEP)[:2]) == {AWAKE, EARLY}
    assert texts_of(bundle, Item.APPETITE)[0] == HUNGRY
    for found in bundle.item_references.values():
        assert [m.similarity for m in found] == sorted((m.similarity for m in found), reverse=True)


def test_a_reference_that_is_not_similar_enough_is_dropped(minilm: Encoder, store: Index) -> None:
    bundle = built(minilm, store, EmbeddingSettings(top_k_references=4, min_reference_similarity=0.5))

    assert set(texts_of(bundle, Item.SLEEP)) == {AWAKE, EARLY}
    assert texts_of(bundle, Item.APPETITE) == [HUNGRY]
    assert {gone.stage for gone in bundle.selections[Item.APPETITE].dropped} == {"above"}


def test_the_line_can_lie_exactly_on_a_measured_similarity(minilm: Encoder, store: Index) -> None:
    first, second, *_ = built(minilm, store, EmbeddingSettings()).item_references[Item.SLEEP]
    on_it = EmbeddingSettings(min_reference_similarity=second.similarity)

    assert built(minilm, store, on_it).item_references[Item.SLEEP] == [first, second]


def test_the_references_of_each_item_have_a_budget_of_their_own(minilm: Encoder, store: Index) -> None:
    room = len(AWAKE) + len(EARLY)
    exact = EmbeddingSettings(max_reference_chars_per_item=room)
    short = EmbeddingSettings(max_reference_chars_per_item=room - 1)

    assert len(texts_of(built(minilm, store, exact), Item.SLEEP)) == 2
    bundle = built(minilm, store, short)
    assert len(texts_of(bundle, Item.SLEEP)) == 1
    assert texts_of(bundle, Item.APPETITE)[0] == HUNGRY


def test_a_reference_brings_what_the_index_knows_of_it(minilm: Encoder, store: Index) -> None:
    bundle = built(minilm, store, EmbeddingSettings(top_k_references=1))

    (found,) = bundle.item_references[Item.APPETITE]
    assert (found.chunk.participant_id, found.reference_score) == (2, 2)
    assert found.encoder == minilm.fingerprint
    assert f"(Appetite, score 2)\n{HUNGRY}" in bundle.format_for_prompt()


def test_an_item_with_too_little_evidence_gets_nothing_and_is_not_encoded() -> None:
    encoder = Counting()
    settings = EmbeddingSettings(min_evidence_chars=8)
    evidence = {"few": ["1234567"], "joined": ["1234", "567"], "none": [], "blank": [" " * 20]}
    bundle = asyncio.run(EmbeddingService(encoder, EmptyStore(), settings).build_reference_bundle(evidence))

    assert bundle.item_references == {"few": [], "joined": [], "none": [], "blank": []}
    assert list(bundle.item_references) == list(evidence)
    assert encoder.asked == ["1234\n567"]
    assert bundle.selections["joined"].query == "1234\n567"
    assert bundle.selections["few"].query is None


def test_without_a_least_length_no_evidence_is_still_none() -> None:
    service = EmbeddingService(HashingEncoder(), EmptyStore(), EmbeddingSettings(min_evidence_chars=0))

    assert asyncio.run(service.build_reference_bundle({"item": []})).item_references == {"item": []}


def test_the_evidence_of_all_items_is_placed_in_one_batch_beside_the_event_loop() -> None:
    batches: list[tuple[list[str], str]] = []

    class Watched(Counting):
        def encode(self, texts, *, tokens=False):  # type: ignore[no-untyped-def]
            batches.append((list(texts), threading.current_thread().name))
            return super().encode(texts, tokens=tokens)

    service = EmbeddingService(Watched(), EmptyStore(), EmbeddingSettings())
    asyncio.run(
        service.build_reference_bundle({1: ["the same words"], 2: ["other words"], 3: ["the same words"]})
    )

    ((texts, thread),) = batches
    assert texts == ["the same words", "other words"]
    assert thread != threading.main_thread().name


def test_the_store_is_searched_for_no_more_than_may_be_kept() -> None:
    asked: list[int] = []

    class Watched(EmptyStore):
        def search(self, vector: Vectors, k: int) -> list[Match]:
            asked.append(k)
            return []

    service = EmbeddingService(HashingEncoder(), Watched(), EmbeddingSettings(top_k_references=3))
    asyncio.run(service.build_reference_bundle({1: ["the evidence"]}))

    assert asked == [3]


def test_without_items_the_bundle_is_empty() -> None:
    service = EmbeddingService(HashingEncoder(), EmptyStore(), EmbeddingSettings())

    assert asyncio.run(service.build_reference_bundle({})).item_references == {}


@pytest.mark.parametrize(
    ("evidence", "wanted"),
    [
        ("one text", "must be a list of strings; got str"),
        (None, "must be a list of strings; got NoneType"),
        (["a text", 7], "must be strings; got int"),
    ],
)
def test_evidence_is_a_list_of_texts(evidence: list[str], wanted: str) -> None:
    service = EmbeddingService(HashingEncoder(), EmptyStore(), EmbeddingSettings())

    with pytest.raises(SampleError, match=f"the evidence of the item 'sleep' {wanted}"):
        asyncio.run(service.build_reference_bundle({"sleep": evidence}))


def test_evidence_that_cannot_be_read_is_an_error_that_names_the_item() -> None:
    service = EmbeddingService(HashingEncoder(), EmptyStore(), EmbeddingSettings())

    with pytest.raises(Unreadable, match=r"the evidence of the item 'sleep' cannot be read: .*surrogate"):
        asyncio.run(service.build_reference_bundle({"sleep": ["half a pair: \ud800"]}))


def test_an_index_of_another_encoder_is_refused(store: Index) -> None:
    with pytest.raises(
        StaleIndex, match=r"the reference store holds vectors of the encoder .* build the store"
    ):
        EmbeddingService(HashingEncoder(384), store, EmbeddingSettings())


def test_another_dimension_than_the_encoders_own_is_refused(minilm: Encoder, store: Index) -> None:
    EmbeddingService(minilm, store, EmbeddingSettings(dimension=384))

    with pytest.raises(EncoderError, match=r"`dimension` is 256, but the encoder .* of 384 numbers"):
        EmbeddingService(minilm, store, EmbeddingSettings(dimension=256))


def test_a_store_that_cannot_be_searched_is_refused() -> None:
    with pytest.raises(SpecError, match="`reference_store` must have `search`; got dict"):
        EmbeddingService(HashingEncoder(), {}, EmbeddingSettings())  # type: ignore[arg-type]


def test_one_service_builds_many_bundles_at_once(minilm: Encoder, store: Index) -> None:
    service = EmbeddingService(minilm, store, EmbeddingSettings())

    async def many() -> list[ReferenceBundle[Item]]:
        return await asyncio.gather(*(service.build_reference_bundle(EVIDENCE) for _ in range(8)))

    first, *others = asyncio.run(many())
    assert all(other == first for other in others)


def test_the_same_search_answers_every_item(minilm: Encoder, store: Index) -> None:
    keys: list[Hashable] = [Item.SLEEP, ("sleep", 1), "sleep", 3]
    service = EmbeddingService(minilm, store, EmbeddingSettings())
    bundle = asyncio.run(service.build_reference_bundle(dict.fromkeys(keys, EVIDENCE[Item.SLEEP])))

    assert list(bundle.item_references) == keys
    assert all(found == bundle.item_references[Item.SLEEP] for found in bundle.item_references.values())
