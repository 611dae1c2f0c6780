"""The evaluation service of a RAG system, with the names that such services have."""
