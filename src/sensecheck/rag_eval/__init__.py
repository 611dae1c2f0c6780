"""The evaluation service of a RAG system, with the names that such services have."""

from sensecheck.core.extras import extra

with extra("eval"):
    from sensecheck.measures.distances import cosine_similarity
    from sensecheck.rag_eval.embeddings import EmbeddingModel, Embeddings
    from sensecheck.rag_eval.eval_repo import EvalRepo
    from sensecheck.rag_eval.evaluating import RAGEvalService

__all__ = ["EmbeddingModel", "Embeddings", "EvalRepo", "RAGEvalService", "cosine_similarity"]
