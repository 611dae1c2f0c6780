"""What others evaluate meanwhile stays, and what a model replies may be anything."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.core.errors import BackendError, SpecError
from sensecheck.core.run import Item, RecordedAnswer, ScoredAnswer
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.rag_eval import Embeddings, EvalRepo, RAGEvalService
from sensecheck.rag_eval.records import COLUMNS, full_record
from sensecheck.runs.record import AnsweredItem
from sensecheck.runs.sql import EvalStore
from sensecheck.store.tables import runs
from tests.rag_eval.atlas import PAIRS, answer, begun

MODEL = Embeddings.of(HashingEncoder())
"""What the answers mean does not matter here."""


@pytest.fixture
def service(store: EvalStore) -> RAGEvalService:
    """On both databases."""
    return RAGEvalService(store, metrics=("bleu",))


@pytest.fixture
def anywhere(tmp_path: Path) -> Iterator[RAGEvalService]:
    """In a file, where which database keeps it does not matter."""
    store = EvalStore.open(str(tmp_path / "evals.sqlite3"))
    yield RAGEvalService(store, metrics=("bleu",))
    store.close()


def by(reply: object) -> Any:
    """An embedding model that replies this, whatever it is asked."""

    class Odd:
        name = "odd"

        async def embed_texts(self, texts: list[str]) -> Any:
            return reply(texts) if callable(reply) else reply

    return Odd()


def test_a_question_that_somebody_else_answers_meanwhile_does_not_lose_the_others(
    service: RAGEvalService, store: EvalStore
) -> None:
    async def walk() -> tuple[str, list[dict[str, Any]]]:
        run = await begun(service, MODEL)

        async def slow(question: str) -> str:
            if "Peru" in question:  # while this one is asked, somebody else is quicker
                await service.save_evaluation_to_db(run, "peru", "Theirs.", semantic_similarity=0.5)
            return await answer(question)

        return run, await service.evaluate_test_run(run, generate=slow, embedding_model=MODEL)

    run, records = asyncio.run(walk())

    assert [one["qa_pair_id"] for one in records] == ["france", "sea"]
    kept = EvalRepo(store).get_by_test_run_id(run)
    assert [one["answer"] for one in kept][1] == "Theirs."
    assert len(kept) == len(PAIRS)
    assert store.run("latest").whole
    assert store.run("latest").finished_at is not None


def test_one_question_that_somebody_else_answers_meanwhile_is_told(service: RAGEvalService) -> None:
    async def walk() -> None:
        run = await begun(service, MODEL)

        async def slow(question: str) -> str:
            await service.save_evaluation_to_db(run, "peru", "Theirs.", semantic_similarity=0.5)
            return await answer(question)

        await service.generate_and_evaluate(run, "peru", generate=slow, embedding_model=MODEL)

    with pytest.raises(SpecError, match=r"the pair `peru` of the test run .* has been evaluated, and stays"):
        asyncio.run(walk())


def test_the_run_of_an_id_is_not_the_run_of_that_number(service: RAGEvalService, store: EvalStore) -> None:
    first = store.run(asyncio.run(begun(service, MODEL)))
    row = {"test": first.test.key, "set": first.set.key, "name": "", "encoder": first.encoder}
    with store.engine.begin() as connection:
        connection.execute(
            runs.insert(), row | {"id": str(first.key), "conditions": {}, "started_at": first.started_at}
        )

    asyncio.run(service.save_evaluation_to_db(str(first.key), "sea", "It is.", semantic_similarity=0.5))
    asyncio.run(service.save_evaluation_to_db(first.id, "peru", "Here.", semantic_similarity=0.5))

    repo = EvalRepo(store)
    assert [one["qa_pair_id"] for one in repo.get_by_test_run_id(str(first.key))] == ["sea"]
    assert [one["qa_pair_id"] for one in repo.get_by_test_run_id(first.id)] == ["peru"]
    found = repo.get_full_by_run_and_qa(first.id, "peru")
    assert found is not None
    assert (found["test_run_id"], found["answer"]) == (first.id, "Here.")


@pytest.mark.parametrize(
    "reply",
    [
        None,
        7,
        "vectors",
        {"data": [[1.0]], "usage": [2.0]},
        [0.1, 0.2],
        np.array([0.1, 0.2]),
        [None, None],
        [["a", "b"], ["c", "d"]],
        [{"embedding": [1.0]}, {"embedding": [1.0]}],
        [[[1.0]], [[1.0]]],
    ],
    ids=str,
)
def test_a_reply_that_is_no_vectors_is_why_there_is_no_similarity(
    reply: object, anywhere: RAGEvalService
) -> None:
    model = by(reply)

    async def walk() -> dict[str, Any]:
        run = await begun(anywhere, model)
        return await anywhere.generate_and_evaluate(run, "france", generate=answer, embedding_model=model)

    record = asyncio.run(walk())

    assert record["semantic_similarity"] is None
    assert "the embedding model `odd`" in record["errors"]["semantic_similarity"]
    assert record["bleu"] is not None
    with pytest.raises(BackendError, match="the embedding model `odd`"):
        asyncio.run(anywhere.calculate_semantic_similarity("one", "two", model))


@pytest.mark.parametrize("kind", [np.array, list, tuple])
def test_vectors_may_be_arrays_lists_or_tuples(kind: type, anywhere: RAGEvalService) -> None:
    model = by(lambda texts: kind([(1.0, 0.0) for _ in texts]))

    found = asyncio.run(anywhere.calculate_semantic_similarity("one", "two", model))

    assert found == pytest.approx(1.0)


def test_numbers_from_elsewhere_are_numbers_or_told(service: RAGEvalService, store: EvalStore) -> None:
    run = asyncio.run(begun(service, MODEL))
    odd: Any = "0.5"
    short: Any = np.float32(0.5)

    def saved(pair: str, said: str | None = "x", similarity: float | None = None, **more: Any) -> None:
        asyncio.run(service.save_evaluation_to_db(run, pair, said, semantic_similarity=similarity, **more))

    with pytest.raises(SpecError, match="`bleu` must be a finite number, or None; got str"):
        saved("peru", metrics={"bleu": odd})
    with pytest.raises(
        SpecError, match="`semantic_similarity` must be a number from 0 to 1, or None; got str"
    ):
        saved("peru", similarity=odd)
    with pytest.raises(SpecError, match="`semantic_similarity` is given twice; leave it out of `metrics`"):
        saved("peru", similarity=0.5, metrics={"semantic_similarity": 0.4})
    saved("france", None)
    saved("peru", None, error="the endpoint was away")
    saved("sea", similarity=short, metrics={"bleu": short})

    france, peru, sea = EvalRepo(store).get_by_test_run_id(run)
    assert (france["answer"], france["error"]) == (None, "no answer was given")
    assert (peru["answer"], peru["error"]) == (None, "the endpoint was away")
    assert (sea["semantic_similarity"], sea["bleu"]) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("held", "shown"), [(None, ["It is far."]), ((), []), (("It is near.",), ["It is near."])]
)
def test_a_record_tells_what_the_prompt_held(
    held: Sequence[str] | None, shown: list[str], tmp_path: Path
) -> None:
    store = EvalStore.open(str(tmp_path / "evals.sqlite3"))
    run = store.run(asyncio.run(begun(RAGEvalService(store), MODEL)))
    told = ScoredAnswer("Here.", passages=None if held is None else tuple(held))

    record = full_record(run, AnsweredItem(0, Item("Where?", "There.", ("It is far.",)), told))

    assert record["passages"] == shown
    assert set(COLUMNS) - set(record) == {"created_at"}
    store.close()


def test_records_are_read_while_others_are_written(service: RAGEvalService, store: EvalStore) -> None:
    async def walk() -> None:
        run = await begun(service, MODEL)
        coming = asyncio.create_task(
            service.evaluate_test_run(
                run, generate=lambda _: RecordedAnswer("x"), embedding_model=MODEL, at_once=1
            )
        )
        while not coming.done():
            found = await asyncio.to_thread(EvalRepo(store).get_by_test_run_id, run)
            assert [one["qa_pair_id"] for one in found] == [pair["id"] for pair in PAIRS][: len(found)]
        await coming

    asyncio.run(walk())
