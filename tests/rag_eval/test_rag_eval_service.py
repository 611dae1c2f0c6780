"""The service: one pair at a time, whatever fails beside it."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sensecheck.core.errors import BackendError, SpecError
from sensecheck.core.needs import Prompt
from sensecheck.core.run import RecordedAnswer
from sensecheck.rag_eval import Embeddings, EvalRepo, RAGEvalService
from sensecheck.runs.sql import EvalStore
from tests.rag_eval.atlas import PAIRS, Down, Uneven, answer, begun

LEXICAL = ("bleu", "rouge_l", "rouge_l_precision", "rouge_l_recall", "squad_em", "squad_token_f1")
OTHERS = (*LEXICAL, "content_f1", "lexical_aggregate")


@pytest.fixture
def service(store: EvalStore) -> RAGEvalService:
    """On both databases."""
    return RAGEvalService(store)


@pytest.fixture
def anywhere(tmp_path: Path) -> Iterator[RAGEvalService]:
    """In a file, where which database keeps it does not matter."""
    store = EvalStore.open(str(tmp_path / "evals.sqlite3"))
    yield RAGEvalService(store)
    store.close()


def test_two_answers_are_compared_by_the_model_that_is_given(
    anywhere: RAGEvalService, model: Embeddings
) -> None:
    def similar(one: str, other: str) -> float:
        return asyncio.run(anywhere.calculate_semantic_similarity(one, other, model))

    assert similar("Paris is the capital of France.", "The capital of France is Paris.") > 0.7
    assert similar("Paris is the capital of France.", "My bicycle has a flat tyre.") < 0.5
    assert similar("It is so.", "It is so.") == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    ("reference", "generated", "whose"),
    [("", "It is so.", "reference"), ("It is so.", " \n", "generated"), ("", "", "reference")],
)
def test_an_empty_answer_is_zero_with_a_warning_and_nobody_is_asked(
    reference: str,
    generated: str,
    whose: str,
    anywhere: RAGEvalService,
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = asyncio.run(anywhere.calculate_semantic_similarity(reference, generated, Down()))

    assert found == 0.0
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage() == f"the {whose} answer is empty: its semantic similarity is 0.0"


def test_a_failing_model_is_an_error_that_says_who_failed_and_why(anywhere: RAGEvalService) -> None:
    with pytest.raises(BackendError, match="`text-embedding-3-small` failed: TimeoutError: the endpoint"):
        asyncio.run(anywhere.calculate_semantic_similarity("one", "two", Down()))


def test_vectors_of_other_dimensions_are_a_value_error_and_logged(
    anywhere: RAGEvalService, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ValueError, match=r"\(3,\) and \(4,\)"):
        asyncio.run(anywhere.calculate_semantic_similarity("one", "two", Uneven()))

    assert caplog.messages == ["the embeddings differ in dimension: 3 and 4"]


def test_an_answer_is_generated_read_by_all_metrics_and_kept(
    service: RAGEvalService, store: EvalStore, model: Embeddings
) -> None:
    async def walk() -> dict[str, object]:
        run = await begun(service, model)
        return await service.generate_and_evaluate(run, "france", generate=answer, embedding_model=model)

    record = asyncio.run(walk())

    similarity = record["semantic_similarity"]
    assert isinstance(similarity, float)
    assert 0.7 < similarity <= 1.0
    assert all(isinstance(record[name], float) for name in OTHERS)
    assert record["groundedness"] is None
    assert record["answer"] == "The capital of France is Paris."
    assert record["reference_answer"] == "Paris is the capital of France."
    assert record["errors"] == {}
    (kept,) = EvalRepo(store).get_by_test_run_id(str(record["test_run_id"]))
    assert kept == {name: record[name] for name in kept}


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (Down(), "the embedding model `text-embedding-3-small` failed: TimeoutError: the endpoint did not"),
        (Uneven(), "the vectors differ in dimension: (3,) and (4,)"),
    ],
)
def test_where_the_embedding_fails_the_others_are_kept_and_the_reason_too(
    model: Down | Uneven, why: str, service: RAGEvalService, caplog: pytest.LogCaptureFixture
) -> None:
    async def walk() -> dict[str, object]:
        run = await begun(service, model)
        return await service.generate_and_evaluate(run, "france", generate=answer, embedding_model=model)

    record = asyncio.run(walk())

    assert record["semantic_similarity"] is None
    assert isinstance(record["errors"], dict)
    assert record["errors"]["semantic_similarity"].startswith(why)
    assert all(isinstance(record[name], float) for name in OTHERS)
    assert any(one.levelno == logging.ERROR for one in caplog.records)
    assert "Paris" not in caplog.text


def test_a_value_that_was_computed_elsewhere_is_saved_and_comes_back(
    service: RAGEvalService, store: EvalStore, model: Embeddings
) -> None:
    async def walk() -> tuple[str, str]:
        run = await begun(service, model)
        saved = await service.save_evaluation_to_db(
            run,
            "peru",
            "In the Andes.",
            semantic_similarity=1 / 3,
            metrics={"bleu": 0.1, "groundedness": 0.5, "rouge_l": None},
            reasoning={"groundedness": "the passage says so"},
        )
        await service.save_evaluation_to_db(run, "sea", "", semantic_similarity=None)
        return run, saved

    run, saved = asyncio.run(walk())

    peru, sea = EvalRepo(store).get_by_test_run_id(run)
    assert (peru["id"], peru["qa_pair_id"], peru["answer"]) == (saved, "peru", "In the Andes.")
    assert peru["semantic_similarity"] == 1 / 3
    assert (peru["bleu"], peru["rouge_l"], peru["groundedness"]) == (0.1, None, 0.5)
    assert peru["groundedness_reasoning"] == "the passage says so"
    assert sea["semantic_similarity"] is None


def test_what_was_evaluated_stays_and_what_is_not_there_is_told(
    anywhere: RAGEvalService, model: Embeddings
) -> None:
    run = asyncio.run(begun(anywhere, model))

    def saved(
        run: str, pair: str, similarity: float | None = 0.5, reasoning: dict[str, str] | None = None
    ) -> None:
        asyncio.run(
            anywhere.save_evaluation_to_db(
                run, pair, "x", semantic_similarity=similarity, metrics={}, reasoning=reasoning
            )
        )

    saved(run, "peru")
    with pytest.raises(SpecError, match=r"the pair `peru` of the test run .* has been evaluated"):
        saved(run, "peru")
    with pytest.raises(SpecError, match="has no pair `mars`"):
        saved(run, "mars")
    with pytest.raises(SpecError, match="there is no test run `nobody`"):
        saved("nobody", "peru")
    with pytest.raises(
        SpecError, match=r"`semantic_similarity` must be a number from 0 to 1, or None; got 1\.5"
    ):
        saved(run, "sea", 1.5)
    with pytest.raises(SpecError, match="there is a reason for `groundednes`"):
        saved(run, "sea", reasoning={"groundednes": "it is"})


def test_a_run_is_evaluated_by_the_model_it_was_begun_with(
    anywhere: RAGEvalService, model: Embeddings
) -> None:
    run = asyncio.run(begun(anywhere, model))

    with pytest.raises(SpecError, match="was begun with the embedding model"):
        asyncio.run(anywhere.generate_and_evaluate(run, "peru", generate=answer, embedding_model=Down()))


def test_a_generator_that_fails_is_the_callers_and_nothing_is_kept(
    service: RAGEvalService, store: EvalStore, model: Embeddings
) -> None:
    run = asyncio.run(begun(service, model))

    async def broken(question: str) -> str:
        raise ConnectionError("no")

    with pytest.raises(ConnectionError):
        asyncio.run(service.generate_and_evaluate(run, "peru", generate=broken, embedding_model=model))

    assert EvalRepo(store).get_by_test_run_id(run) == []


def test_passages_and_metrics_that_need_the_encoder_come_along(store: EvalStore, model: Embeddings) -> None:
    service = RAGEvalService(store, metrics=("gold_recall", "recall_and_cosine", "retrieval_closeness"))

    async def walk() -> dict[str, object]:
        run = await begun(service, model)
        answer = RecordedAnswer("Peru lies in the Andes.", passages=("Peru is in South America.",))
        return await service.generate_and_evaluate(
            run, "peru", generate=lambda _: answer, embedding_model=model
        )

    record = asyncio.run(walk())

    assert record["passages"] == ["Peru is in South America."]
    assert isinstance(record["metrics"], dict)
    assert set(record["metrics"]) == {
        "gold_recall",
        "recall_and_cosine",
        "retrieval_closeness",
        "semantic_similarity",
    }
    assert None not in record["metrics"].values()


def test_a_pair_with_a_key_that_is_not_known_is_an_error(anywhere: RAGEvalService, model: Embeddings) -> None:
    wrong = [{**PAIRS[0], "refrence": "x"}]

    with pytest.raises(SpecError, match="a pair has no `refrence`; known: `id`, `question`"):
        asyncio.run(anywhere.start_test_run(project="p", qa_pairs=wrong, embedding_model=model))


def test_with_a_judge_its_opinions_and_reasoning_are_kept(store: EvalStore, model: Embeddings) -> None:
    class Kind:
        """A judge with one opinion, and no model behind it."""

        fingerprint = "kind"

        def ask(self, prompts: Sequence[Prompt]) -> list[str]:
            return ["It is all there.\nScore: 5"] * len(prompts)

    service = RAGEvalService(store, judge=Kind())

    async def walk() -> dict[str, object]:
        run = await begun(service, model)
        said = lambda question: RecordedAnswer("Peru lies in South America.", passages=("Peru is there.",))  # noqa: E731
        return await service.generate_and_evaluate(run, "peru", generate=said, embedding_model=model)

    record = asyncio.run(walk())

    assert record["answer_relevance"] == record["llm_judged_overall"] == 1.0
    assert "It is all there." in str(record["groundedness_reasoning"])
