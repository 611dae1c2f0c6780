"""The view `evals`: a row an answer, with its metrics as columns, for people and programs that read SQL."""

from sqlalchemy import Column, DateTime, Double, MetaData, Table, Text

LEXICAL = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
)
JUDGED = ("answer_relevance", "context_relevance", "groundedness", "llm_judged_overall")
SEMANTIC = ("semantic_similarity",)
REASONED = ("answer_relevance", "context_relevance", "groundedness")
REASONS = tuple(f"{name}_reasoning" for name in REASONED)

evals = Table(
    "evals",
    MetaData(),  # its own: a view is no table to be made or compared
    Column("id", Text),
    Column("test_run_id", Text),
    Column("qa_pair_id", Text),
    *(Column(name, Double) for name in (*LEXICAL, *JUDGED, *SEMANTIC)),
    Column("answer", Text),
    *(Column(name, Text) for name in REASONS),
    Column("error", Text),
    Column("latency_ms", Double),
    Column("cost", Double),
    Column("created_at", DateTime(timezone=True)),
)
"""A number is NULL where it was not read; numbers that an encoder makes are those of the run's first one."""
