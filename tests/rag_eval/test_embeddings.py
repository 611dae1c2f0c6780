"""Cosine similarity of the real model's vectors, and of vectors that are none."""

import asyncio
from pathlib import Path

import pytest

from sensecheck.config import Settings
from sensecheck.core.errors import SpecError
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.io.blobcache import VectorFile
from sensecheck.rag_eval import EmbeddingModel, Embeddings, cosine_similarity
from sensecheck.rag_eval.embeddings import mark_of, similarity_each
from tests.conftest import Counting
from tests.rag_eval.atlas import Down, Uneven


def compared(model: Embeddings, one: str, other: str) -> float:
    return cosine_similarity(*asyncio.run(model.embed_texts([one, other])))


def test_identical_texts_are_alike(model: Embeddings) -> None:
    text = "Photosynthesis turns light into sugar."

    assert compared(model, text, text) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paris is the capital of France.", "My bicycle has a flat tyre."),
        ("The shop opens at nine.", "Whales are mammals that live in the sea."),
    ],
)
def test_texts_about_other_things_are_below_a_half(one: str, other: str, model: Embeddings) -> None:
    assert compared(model, one, other) < 0.5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paris is the capital of France.", "The capital of France is Paris."),
        ("The meeting was moved to Friday.", "They rescheduled the meeting for Friday."),
    ],
)
def test_paraphrases_are_above_seven_tenths(one: str, other: str, model: Embeddings) -> None:
    assert compared(model, one, other) > 0.7


def test_empty_and_zero_vectors_are_like_nothing() -> None:
    assert cosine_similarity([], []) == 0.0
    assert cosine_similarity([0.0, 0.0], [1.0, 0.0]) == 0.0
    assert cosine_similarity([0.0, 0.0], [0.0, 0.0]) == 0.0


def test_vectors_of_other_dimensions_are_an_error_that_names_both() -> None:
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        cosine_similarity([1.0, 0.0], [1.0, 0.0, 0.0])


def test_opposite_vectors_are_zero_and_not_below() -> None:
    assert cosine_similarity([1.0, 0.0], [-1.0, 0.0]) == 0.0


def test_a_reference_answer_is_placed_once() -> None:
    counting = Counting()
    model = Embeddings.of(counting)

    for answer in ("It is red.", "It is blue."):
        asyncio.run(model.embed_texts(["The reference.", answer]))

    assert counting.asked == ["The reference.", "It is red.", "It is blue."]


def test_the_model_of_the_settings_remembers_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite3"
    settings = Settings(cache=str(file))

    first = asyncio.run(Embeddings.from_settings(settings).embed_texts(["It is red."]))
    again = asyncio.run(Embeddings.from_settings(settings).embed_texts(["It is red."]))

    assert first == again
    assert sum(VectorFile(file, max_bytes=1_000_000).count().values()) == 1


def test_all_texts_of_a_batch_are_embedded_in_one_call() -> None:
    calls: list[list[str]] = []

    class Theirs:
        def embed_texts(self, texts: list[str]) -> list[list[float]]:  # not async, as some are not
            calls.append(texts)
            return [[1.0, 0.0] for _ in texts]

    found = asyncio.run(similarity_each([("a", "b"), ("a", "c"), ("", "d")], Theirs()))

    assert found == [1.0, 1.0, 0.0]
    assert calls == [["a", "b", "c"]]


def test_one_pair_that_cannot_be_embedded_does_not_fail_the_others() -> None:
    class Picky:
        async def embed_texts(self, texts: list[str]) -> list[list[float]]:
            if "bad" in texts:
                raise RuntimeError("refused")
            return [[1.0, 0.0] for _ in texts]

    found = asyncio.run(similarity_each([("a", "b"), ("a", "bad")], Picky()))

    assert found == [1.0, "the embedding model `Picky` failed: RuntimeError: refused"]


def test_a_model_that_gives_too_few_vectors_is_told() -> None:
    class Lazy:
        name = "lazy"

        async def embed_texts(self, texts: list[str]) -> list[list[float]]:
            return [[1.0]]

    found = asyncio.run(similarity_each([("a", "b")], Lazy()))

    assert found == ["the embedding model `lazy` gave 1 vectors for 2 texts"]


@pytest.mark.parametrize(
    ("model", "mark"),
    [
        (Down(), ("text-embedding-3-small", "embeddings:text-embedding-3-small")),
        (Uneven(), ("uneven", "embeddings:uneven")),
        (Embeddings(HashingEncoder()), (HashingEncoder().name, HashingEncoder().fingerprint)),
    ],
)
def test_a_model_is_known_by_its_name_or_its_fingerprint(
    model: EmbeddingModel, mark: tuple[str, str]
) -> None:
    assert mark_of(model) == mark


def test_what_cannot_embed_is_no_model() -> None:
    with pytest.raises(SpecError, match="must have `embed_texts`; got int"):
        mark_of(7)  # type: ignore[arg-type]


def test_a_text_that_cannot_be_read_is_why_there_is_no_similarity(model: Embeddings) -> None:
    (found,) = asyncio.run(similarity_each([("It is red.", "\u200b\u200b")], model))

    assert found == "the text is empty"
