"""An evaluation goes into any place: a folder needs neither a database nor anything else installed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sensecheck.config import Settings
from sensecheck.datasets.columns import Columns
from sensecheck.evaluation import EvaluationProgress, EvaluationRequest, evaluation_steps, run_evaluation
from sensecheck.evaluation.batches import BATCH_SIZE
from sensecheck.runs.find import open_place

SETTINGS = Settings(encoder="hashing", cache="off", verifier="off")
COUNT = BATCH_SIZE + 60
BARE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("sqlalchemy", "fsspec", "pyarrow", "duckdb", "psycopg"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from sensecheck.cli.main import main
main()
"""


def asked(folder: Path, store: str, **named: Any) -> EvaluationRequest:
    """A request for many questions, of which some have no answer."""
    file = folder / "questions.jsonl"
    rows = (
        {
            "id": f"q{n}",
            "question": f"What is {n}?",
            "expected": f"It is {n}.",
            "topic": "odd" if n % 2 else "even",
            **({} if n % 10 == 7 else {"answer": f"It is {n + n % 3}.", "correct": float(n % 3 == 0)}),
        }
        for n in range(COUNT)
    )
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    given: dict[str, Any] = {
        "questions": file,
        "metrics": ("bleu", "semantic_similarity"),
        "settings": SETTINGS,
        "columns": Columns(slices=("topic",), labels=("correct",)),
        "store": store,
    }
    return EvaluationRequest(**given | named)


def test_a_folder_gets_what_a_database_gets_also_after_an_interruption(tmp_path: Path) -> None:
    folder, database = f"folder:{tmp_path / 'runs'}", str(tmp_path / "evals.sqlite3")
    wanted = run_evaluation(asked(tmp_path, database, html=tmp_path / "database.html"))
    events = evaluation_steps(asked(tmp_path, folder, name="mine"))
    for event in events:
        if isinstance(event, EvaluationProgress) and event.done:
            break
    events.close()
    place = open_place(folder)
    assert place.run("mine").done == BATCH_SIZE
    place.close()

    result = run_evaluation(asked(tmp_path, folder, resume="mine", html=tmp_path / "folder.html"))

    assert result.address == folder
    assert result.totals == wanted.totals
    assert result.means == wanted.means
    assert (tmp_path / "folder.html").is_file()
    store = open_place(database)
    assert [one.scored for one in place.answers(result.run)] == [
        one.scored for one in store.answers(wanted.run)
    ]
    assert place.run("latest").finished_at is not None
    store.close()


@pytest.mark.slow
def test_without_a_database_installed_runs_are_made_and_read_in_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    rows = ({"question": f"What is {n}?", "expected": f"{n}", "answer": f"{n}"} for n in range(5))
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    option = ("--store", f"folder:{tmp_path / 'runs'}")

    def typed(*words: str) -> str:
        command = (sys.executable, "-c", BARE, *words, *option)
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path).stdout

    evaluated = typed("eval", str(file), "--metric", "bleu", "--metric", "rouge_l", "--json")
    shown = json.loads(typed("history", "show", "latest", "--json"))
    listed = json.loads(typed("history", "list", "--json"))

    assert json.loads(evaluated)["questions"] == shown["questions"] == 5
    assert [one["metric"] for one in shown["metrics"]] == ["bleu", "rouge_l"]
    assert [one["run"] for one in listed] == [1]
