"""Markdown, as a CI job shows it."""

from pathlib import Path

import pytest

from sensecheck.runs.ci_reports import markdown_pieces
from sensecheck.text.escaping import plain
from tests.runs.kept_runs import HOSTILE, kept, no_answer, result


def test_the_summary_tells_totals_sources_metrics_and_what_failed(tmp_path: Path) -> None:
    results = [result(1, source="one"), result(1, "fail", source="two"), no_answer(2, source="two")]
    text = "".join(markdown_pieces(kept(tmp_path / "run.jsonl", results)))

    assert text.startswith("## ⚠️ not judged in full: bot.battery.yaml\n\n3 tests: 1 pass, 1 fail, 1 error")
    assert "| one | 1 | 1 | 0 | 0 | 0 | 100.0% | 1.000 |" in text
    assert "| near | 0.800 | 2 |" in text
    assert "| **fail** | 1. test 1 | two | it is a fail | The answer 1. |" in text
    assert "| **error** | 2. test 2 | two | the source did not answer: 503 |  |" in text


def test_a_run_that_passed_says_so_in_a_line(tmp_path: Path) -> None:
    text = "".join(markdown_pieces(kept(tmp_path / "run.jsonl", [result(1, scores=())])))

    assert text.startswith("## ✅ passed: bot.battery.yaml\n\n1 test: 1 pass (100.0% passed).\n")
    assert "|" not in text


def test_repeats_that_differ_are_told(tmp_path: Path) -> None:
    repeats = [result(1, runs=2, passes=2), result(1, "fail", repeat=2, runs=2, passes=2)]
    text = "".join(markdown_pieces(kept(tmp_path / "run.jsonl", repeats)))

    assert "1 came out differently from repeat to repeat" in text
    assert "**fail** (inconsistent 1/2)" in text


def test_a_long_run_stays_under_the_limit_of_a_job_summary(tmp_path: Path) -> None:
    worst = "<|`*\U0001f642" * 100
    results = (
        result(n, "fail", description=worst, answer=worst, because=worst, source=worst) for n in range(260)
    )
    text = "".join(markdown_pieces(kept(tmp_path / "run.jsonl", results)))

    assert len(text.encode()) < 1_000_000
    assert "and 60 more tests that did not pass." in text


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "[click](https://evil.example)",
        "WWW.evil.example",
        "![](x)",
        "| a |\n|---|",
        "`code`",
        "$$x$$",
        "# head",
    ],
)
def test_no_text_becomes_markup(text: str) -> None:
    shown = plain(text, 300)

    assert not set(shown.replace("<!-- -->", "")) & set("\\`*_[]()<>|$~\n\x00\ud800")
    assert "://" not in shown
    assert "www." not in shown.lower()
    assert "@all" not in shown
