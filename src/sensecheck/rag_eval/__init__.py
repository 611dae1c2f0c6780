"""The evaluation service of a RAG system, with the names that such services have."""

from sensecheck.core.extras import extra

with extra("eval"):
    from sensecheck.measures.distances import cosine_similarity
    from sensecheck.rag_eval.embeddings import EmbeddingModel, Embeddings
    from sensecheck.rag_eval.rag_eval_service import RAGEvalService
    from sensecheck.rag_eval.repo import EvalRepo

__all__ = ["EmbeddingModel", "Embeddings", "EvalRepo", "RAGEvalService", "cosine_similarity"]
