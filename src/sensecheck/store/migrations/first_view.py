"""The view `evals` as the step 0001 made it.

A row an answer, a column a metric. Each number is looked up by the whole primary key of `readings`, so that
who asks for one run reads the rows of that run, and who asks for one column looks up nothing else.
"""

_OWN = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
    "answer_relevance",
    "context_relevance",
    "groundedness",
    "llm_judged_overall",
)
_NONE = "''"
"""The fingerprint of metrics that no encoder reads."""
_BY_ENCODER = ("semantic_similarity",)
_REASONED = ("answer_relevance", "context_relevance", "groundedness")


def evals_view() -> str:
    """The statement that makes it, the same for both databases."""
    columns = (
        "coalesce(a.id, r.id || '-' || CAST(a.position AS TEXT)) AS id",
        "r.id AS test_run_id",
        "p.id AS qa_pair_id",
        *(f"{_looked_up('value', name, _NONE)} AS {name}" for name in _OWN),
        *(f"{_looked_up('value', name, 'r.encoder')} AS {name}" for name in _BY_ENCODER),
        "a.answer AS answer",
        *(f"{_looked_up('because', name, _NONE)} AS {name}_reasoning" for name in _REASONED),
        "a.error AS error",
        "a.latency_ms AS latency_ms",
        "a.cost AS cost",
        f"{_WRITTEN} AS created_at",
    )
    tables = "answers AS a JOIN runs AS r ON r.key = a.run JOIN pairs AS p ON p.key = a.pair"
    return "CREATE VIEW evals AS\nSELECT\n  " + ",\n  ".join(columns) + f"\nFROM {tables}"


def _looked_up(column: str, metric: str, fingerprint: str) -> str:
    key = f"(SELECT m.key FROM metrics AS m WHERE m.name = '{metric}' AND m.fingerprint = {fingerprint})"
    where = f"x.run = a.run AND x.position = a.position AND x.metric = {key}"
    return f"(SELECT x.{column} FROM readings AS x WHERE {where})"


_WRITTEN = (
    "(SELECT b.written_at FROM batches AS b WHERE b.run = a.run AND b.first <= a.position "
    "ORDER BY b.first DESC LIMIT 1)"
)
"""When the batch of the answer was committed."""
