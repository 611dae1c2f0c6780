"""The view `evals` shows an answer with its metrics as one row."""

from typing import Any

from sqlalchemy import text

from sensecheck.core.run import Item, MetricScore, Run, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from sensecheck.store.tables import evals

RECORD = [
    "id",
    "test_run_id",
    "qa_pair_id",
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
    "semantic_similarity",
    "answer",
    "answer_relevance_reasoning",
    "context_relevance_reasoning",
    "groundedness_reasoning",
]


def run_of(store: EvalStore, *told: ScoredAnswer, encoder: str = "mark-1") -> Run:
    chosen = store.keep_set("atlas", [Item(f"What is {n}?", str(n), id=f"n-{n}") for n in range(len(told))])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(test, chosen, encoder=encoder, conditions={})
    store.writer(run).add(list(zip(store.questions(chosen), told, strict=True)))
    return run


def rows(store: EvalStore, run: Run) -> list[dict[str, Any]]:
    query = evals.select().where(evals.c.test_run_id == run.id).order_by(evals.c.qa_pair_id)
    with store.engine.connect() as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def test_the_columns_are_those_of_the_record_and_then_ours(store: EvalStore) -> None:
    with store.engine.connect() as connection:
        found = list(connection.execute(text("SELECT * FROM evals")).keys())

    assert found == [*RECORD, "error", "latency_ms", "cost", "created_at"]
    assert found == [column.name for column in evals.c]


def test_each_metric_is_a_column_and_what_was_not_read_is_null(store: EvalStore) -> None:
    judged = MetricScore("groundedness", 0.8, because="It stands in the passage.")
    told = ScoredAnswer("It is 0.", (MetricScore("bleu", 0.25), judged), latency_ms=12.5, cost=0.01)
    silent = ScoredAnswer(None, (), error="nobody answered")

    one, other = rows(store, run_of(store, told, silent))

    assert (one["bleu"], one["groundedness"], one["groundedness_reasoning"]) == (0.25, 0.8, judged.because)
    assert (one["answer"], one["latency_ms"], one["cost"]) == ("It is 0.", 12.5, 0.01)
    assert one["semantic_similarity"] is None
    assert (other["answer"], other["bleu"], other["error"]) == (None, None, "nobody answered")


def test_the_semantic_similarity_is_that_of_the_runs_own_encoder(store: EvalStore) -> None:
    readings = (
        MetricScore("semantic_similarity", 0.9, encoder="minilm", fingerprint="mark-1"),
        MetricScore("semantic_similarity", 0.7, encoder="other", fingerprint="mark-2"),
    )

    assert [
        row["semantic_similarity"] for row in rows(store, run_of(store, ScoredAnswer("x", readings)))
    ] == [0.9]
    other = run_of(store, ScoredAnswer("x", readings), encoder="mark-2")
    assert [row["semantic_similarity"] for row in rows(store, other)] == [0.7]


def test_an_answer_without_an_id_of_its_own_is_named_by_run_and_position(store: EvalStore) -> None:
    run = run_of(store, ScoredAnswer("x", id="theirs"), ScoredAnswer("y"))

    assert [row["id"] for row in rows(store, run)] == ["theirs", f"{run.id}-1"]
    assert [row["qa_pair_id"] for row in rows(store, run)] == ["n-0", "n-1"]


def test_the_moment_is_that_of_the_batch_that_brought_the_answer(store: EvalStore) -> None:
    run = run_of(store, ScoredAnswer("x"))
    with store.engine.connect() as connection:
        (written,) = connection.execute(text("SELECT written_at FROM batches")).scalars()
        (shown,) = connection.execute(text("SELECT created_at FROM evals")).scalars()

    assert shown == written
    assert rows(store, run)[0]["created_at"] is not None


def test_who_asks_for_one_run_touches_only_that_run(store: EvalStore) -> None:
    run = run_of(store, *(ScoredAnswer(str(n)) for n in range(50)))
    with store.engine.connect() as connection:
        query = f"SELECT * FROM evals WHERE test_run_id = '{run.id}'"
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET enable_seqscan = off"))  # so few rows are quicker read all
            plan = [row[0] for row in connection.execute(text(f"EXPLAIN {query}"))]
            assert not [line for line in plan if "Seq Scan" in line]
        else:
            plan = [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))]
            assert not [line for line in plan if line.startswith("SCAN")]
