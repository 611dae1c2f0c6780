"""From a question to a record, with the real model and both databases."""

import asyncio

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.rag_eval import Embeddings, EvalRepo, RAGEvalService
from sensecheck.rag_eval.records import COLUMNS
from sensecheck.runs.sql import EvalStore
from sensecheck.store.tables import JUDGED, LEXICAL, REASONED
from tests.conftest import Counting
from tests.rag_eval.atlas import PAIRS, answer, begun


def evaluated(service: RAGEvalService, model: Embeddings) -> str:
    """A run of all questions, evaluated."""

    async def walk() -> str:
        run = await begun(service, model)
        await service.evaluate_test_run(run, generate=answer, embedding_model=model, at_once=2)
        return run

    return asyncio.run(walk())


def test_a_run_from_its_questions_to_its_records(store: EvalStore, model: Embeddings) -> None:
    run = evaluated(RAGEvalService(store), model)

    france, peru, sea = EvalRepo(store).get_by_test_run_id(run)

    assert [one["qa_pair_id"] for one in (france, peru, sea)] == ["france", "peru", "sea"]
    assert 0.7 < france["semantic_similarity"] < 1
    assert peru["semantic_similarity"] == pytest.approx(1.0, abs=1e-6)
    assert sea["semantic_similarity"] < 0.5
    assert peru["squad_em"] == 1.0
    assert store.run("latest").finished_at is not None


OLD = (*LEXICAL, *JUDGED)
VALUES = {name: 0.1 * n + 1e-17 for n, name in enumerate(OLD, 1)}
"""One a metric, none of them short in decimals."""
REASONS = {name: f"so says {name}" for name in REASONED}


def written(store: EvalStore, model: Embeddings, similarity: float | None) -> str:
    """A run as services wrote it elsewhere, before or after they knew of semantic similarity."""

    async def walk() -> str:
        service = RAGEvalService(store)
        run = await begun(service, model)
        for pair in PAIRS:
            await service.save_evaluation_to_db(
                run,
                str(pair["id"]),
                f"It is {pair['id']}.",
                semantic_similarity=similarity,
                metrics=VALUES,
                reasoning=REASONS,
            )
        return run

    return asyncio.run(walk())


def test_records_from_before_the_value_have_none_and_new_evaluations_have_it(
    store: EvalStore, model: Embeddings
) -> None:
    old_run = written(store, model, None)
    run = evaluated(RAGEvalService(store), model)

    repo = EvalRepo(store)
    assert all(one["semantic_similarity"] is not None for one in repo.get_by_test_run_id(run))
    old = repo.get_by_test_run_id(old_run)
    assert [one["semantic_similarity"] for one in old] == [None] * len(PAIRS)
    assert {name: old[0][name] for name in OLD} == VALUES
    assert old[0]["answer_relevance_reasoning"] == "so says answer_relevance"


def test_one_record_has_all_there_is(store: EvalStore, model: Embeddings) -> None:
    old_run, new_run = written(store, model, None), written(store, model, 1 / 3)
    repo = EvalRepo(store)

    new, old = (repo.get_full_by_run_and_qa(run, "france") for run in (new_run, old_run))

    assert new is not None
    assert {name: new[name] for name in COLUMNS} == repo.get_by_test_run_id(new_run)[0]
    assert new["semantic_similarity"] == 1 / 3
    assert new["question"] == PAIRS[0]["question"]
    assert new["reference_answer"] == PAIRS[0]["reference_answer"]
    assert old is not None
    assert old["semantic_similarity"] is None
    assert "semantic_similarity" not in old["metrics"]
    assert repo.get_full_by_run_and_qa(old_run, "z") is None
    assert repo.get_full_by_run_and_qa("run", "france") is None
    assert repo.get_by_test_run_id("run") == []


def test_a_batch_gives_every_pair_its_value_and_goes_on_where_it_stopped(
    store: EvalStore, minilm: Encoder
) -> None:
    counting = Counting(minilm)
    service, model = RAGEvalService(store), Embeddings.of(counting)

    async def walk() -> str:
        run = await begun(service, model)
        await service.generate_and_evaluate(run, "peru", generate=answer, embedding_model=model)
        left = await service.evaluate_test_run(run, generate=answer, embedding_model=model)
        assert [one["qa_pair_id"] for one in left] == ["france", "sea"]
        assert await service.evaluate_test_run(run, generate=answer, embedding_model=model) == []
        return run

    run = asyncio.run(walk())

    records = EvalRepo(store).get_by_test_run_id(run)
    assert len(records) == len(PAIRS)
    assert all(isinstance(one["semantic_similarity"], float) for one in records)
    assert len(counting.asked) == len(set(counting.asked)) == 5  # one answer is its own reference


def test_a_question_that_fails_is_kept_without_an_answer_and_the_others_go_on(
    store: EvalStore, model: Embeddings
) -> None:
    async def sometimes(question: str) -> str:
        if "Peru" in question:
            raise ConnectionError("the system is away")
        return await answer(question)

    async def walk() -> str:
        service = RAGEvalService(store)
        run = await begun(service, model)
        await service.evaluate_test_run(run, generate=sometimes, embedding_model=model)
        return run

    france, peru, sea = EvalRepo(store).get_by_test_run_id(asyncio.run(walk()))

    assert (peru["answer"], peru["semantic_similarity"]) == (None, None)
    assert peru["error"] == "ConnectionError: the system is away"
    assert france["semantic_similarity"] > 0.7
    assert sea["semantic_similarity"] is not None


def test_pairs_evaluated_at_the_same_time_are_all_kept(store: EvalStore, model: Embeddings) -> None:
    service = RAGEvalService(store)

    async def walk() -> str:
        run = await begun(service, model)
        await asyncio.gather(
            *(
                service.generate_and_evaluate(run, str(pair["id"]), generate=answer, embedding_model=model)
                for pair in reversed(PAIRS)
            )
        )
        return run

    assert len(EvalRepo(store).get_by_test_run_id(asyncio.run(walk()))) == len(PAIRS)
