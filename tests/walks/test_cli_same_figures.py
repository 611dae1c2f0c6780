"""The same run shows the same figures wherever it is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.runs.page_read import blobs
from tests.walks.cli import typed

METRICS = ("fact_agreement", "semantic_similarity", "bleu")
"""In another order than the catalogue's."""
AWAY = "openai:http://127.0.0.1:9/v1#away"
FIGURES = ("metric", "encoder", "n", "mean", "low", "high", "na")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows() -> list[dict[str, Any]]:
    """One answer is missing, and some questions lack what is compared."""
    told = [
        {"id": str(n), "question": f"What is {n}?", "expected": f"It is {n}.", "answer": f"It is {n % 50}."}
        for n in range(120)
    ]
    del told[4]["answer"]
    for row in told[5:40]:
        del row["expected"]
    return told


def shown(*arguments: str) -> Any:
    return json.loads(typed(*arguments, "--json", SENSECHECK_RETRIES="0").stdout)


def figures(metrics: list[dict[str, Any]], *more: str) -> list[dict[str, Any]]:
    return [{name: one[name] for name in (*FIGURES, *more)} for one in metrics]


def test_an_evaluation_its_history_its_trend_and_its_page_agree_to_the_last_digit() -> None:
    Path("q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows()))
    named = [word for metric in METRICS for word in ("--metric", metric)]
    told = shown("eval", "q.jsonl", *named, "--encoder", "hashing", "--encoder", AWAY, "--html", "page.html")
    typed("history", "report", "latest", "-o", "later.html")

    reasons = ("unread", "missing", "because")
    first = figures(told["metrics"], *reasons)
    assert [(one["metric"], one["encoder"]) for one in first] == [
        ("bleu", ""),
        ("semantic_similarity", "hashing"),
        ("semantic_similarity", AWAY),
        ("fact_agreement", ""),
    ]
    assert first == figures(shown("history", "show", "latest")["metrics"], *reasons)
    assert first == figures(blobs(Path("page.html"))["index"][0]["metrics"], *reasons)
    assert first == figures(blobs(Path("later.html"))["index"][0]["metrics"], *reasons)
    assert figures(told["metrics"]) == figures(shown("history", "trend"))
    bleu, _, away, _ = first
    assert (bleu["n"], bleu["missing"]) == (84, {"no answer": 1, "does not apply": 35})
    assert (away["n"], away["mean"], away["na"], away["unread"]) == (0, None, 120, 84)
    assert "could not be reached" in away["because"]
