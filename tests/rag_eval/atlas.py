"""Questions about places, a system that answers them, and embedding models that fail."""

from sensecheck.rag_eval import Embeddings, RAGEvalService

PAIRS: list[dict[str, object]] = [
    {
        "id": "france",
        "question": "What is the capital of France?",
        "reference_answer": "Paris is the capital of France.",
    },
    {"id": "peru", "question": "Where is Peru?", "reference_answer": "Peru lies in South America."},
    {"id": "sea", "question": "Why is the sea salty?", "reference_answer": "Rivers wash salt into it."},
]
ANSWERS = {
    "What is the capital of France?": "The capital of France is Paris.",
    "Where is Peru?": "Peru lies in South America.",
    "Why is the sea salty?": "My bicycle has a flat tyre.",
}


async def answer(question: str) -> str:
    """The system under test."""
    return ANSWERS[question]


class Down:
    """An embedding model whose endpoint is away."""

    model = "text-embedding-3-small"

    async def embed_texts(self, texts: list[str]) -> list[list[float]]:
        raise TimeoutError("the endpoint did not answer")


class Uneven:
    """An embedding model that has gone wrong: each vector is longer than the one before it."""

    model = "uneven"

    async def embed_texts(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] * (3 + at) for at in range(len(texts))]


async def begun(service: RAGEvalService, model: Embeddings | Down | Uneven) -> str:
    """A run of all questions."""
    return await service.start_test_run(
        project="atlas", test="nightly", qa_pairs=PAIRS, embedding_model=model, generation={"model": "toy"}
    )
