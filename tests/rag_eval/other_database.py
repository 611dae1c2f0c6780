"""Databases as other evaluation services keep them, made for a test."""

from collections.abc import Mapping, Sequence

from sqlalchemy import create_engine, text

from sensecheck.store.address import database_url

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
REASONS = tuple(f"{name}_reasoning" for name in JUDGED[:3])
OLD = (*LEXICAL, *JUDGED)
VALUES = tuple(0.1 * n + 1e-17 for n in range(1, len(OLD) + 1))
"""One a metric, none of them short in decimals."""

TESTS = """CREATE TABLE tests (id TEXT PRIMARY KEY, name TEXT, embedding_model TEXT, generation_model TEXT,
           api_key TEXT)"""
RUNS = "CREATE TABLE test_runs (id TEXT PRIMARY KEY, test_id TEXT, created_at TEXT)"
PAIRS = "CREATE TABLE qa_pairs (id TEXT PRIMARY KEY, question TEXT, answer TEXT)"


def evals_table(*more: str) -> str:
    """The statement that makes the table of evaluations, in its old shape and with more columns."""
    numbers = [f"{name} DOUBLE PRECISION" for name in OLD]
    texts = [f"{name} TEXT" for name in REASONS]
    ids = ("id TEXT PRIMARY KEY", "test_run_id TEXT", "qa_pair_id TEXT")
    return f"CREATE TABLE evals ({', '.join((*ids, *numbers, 'answer TEXT', *texts, *more))})"


def evaluation(run: str, pair: str, **more: object) -> dict[str, object]:
    """A row of it; what `more` names is said otherwise."""
    row: dict[str, object] = {"id": f"eval-{run}-{pair}", "test_run_id": run, "qa_pair_id": pair}
    row |= dict(zip(OLD, VALUES, strict=True)) | {name: f"so says {name}" for name in REASONS}
    return row | {"answer": f"It is {pair}."} | more


def fill(address: str, statements: Sequence[str], rows: Mapping[str, Sequence[Mapping[str, object]]]) -> None:
    """Run statements on a database, then add rows to its tables."""
    engine = create_engine(database_url(address))
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
        for name, some in rows.items():
            for row in some:
                marks = ", ".join(f":{column}" for column in row)
                connection.execute(text(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})"), dict(row))
    engine.dispose()


def fill_old(address: str) -> None:
    """Two runs of two questions, from before there was a semantic similarity."""
    fill(
        address,
        [TESTS, RUNS, PAIRS, evals_table()],
        {
            "tests": [
                {
                    "id": "t1",
                    "name": "nightly",
                    "embedding_model": "text-embedding-3-large",
                    "generation_model": "gpt-4o",
                    "api_key": "sk-secret",
                }
            ],
            "test_runs": [
                {"id": "run-10", "test_id": "t1", "created_at": "2025-02-01 10:00:00"},
                {"id": "run-1", "test_id": "t1", "created_at": "2025-01-01T10:00:00+01:00"},
            ],
            "qa_pairs": [
                {"id": "a", "question": "What is the capital of France?", "answer": "Paris."},
                {"id": "b", "question": "How many fingers?", "answer": "Ten."},
            ],
            "evals": [evaluation(run, pair) for run in ("run-10", "run-1") for pair in ("b", "a")],
        },
    )


def add_the_column(address: str) -> None:
    """What such a service does when it learns of semantic similarity: old rows have NULL."""
    new = {"id": "run-2", "test_id": "t1", "created_at": "2025-03-01 10:00:00"}
    measured = [evaluation("run-2", pair, semantic_similarity=1 / 3) for pair in ("a", "b")]
    fill(
        address,
        ["ALTER TABLE evals ADD COLUMN semantic_similarity DOUBLE PRECISION"],
        {"test_runs": [new], "evals": measured},
    )
