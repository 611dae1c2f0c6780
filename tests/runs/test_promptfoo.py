"""Results that promptfoo reads."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sensecheck.runs.export import write_report
from sensecheck.runs.jsonl import RunFile
from tests.runs.kept_runs import HOSTILE, kept, no_answer, result

RESULT = {
    "promptIdx",
    "testIdx",
    "promptId",
    "prompt",
    "provider",
    "vars",
    "testCase",
    "response",
    "success",
} | {
    "score",
    "namedScores",
    "gradingResult",
    "failureReason",
    "latencyMs",
    "cost",
    "tokenUsage",
    "metadata",
    "id",
}
METRICS = {
    "score",
    "testPassCount",
    "testFailCount",
    "testErrorCount",
    "assertPassCount",
    "assertFailCount",
    "totalLatencyMs",
    "tokenUsage",
    "namedScores",
    "namedScoresCount",
    "namedScoreWeights",
    "cost",
}
"""What promptfoo 0.121 writes of each result, and of each prompt."""


@pytest.fixture
def run(tmp_path: Path) -> RunFile:
    """Two sources, a test with repeats, one that is unsure, one that had no answer, and hostile texts."""
    results = [
        result(1, source="one"),
        result(1, "fail", source="two"),
        result(2, source="one", runs=2),
        result(2, "unsure", source="one", repeat=2, runs=2),
        no_answer(3, source="one"),
        result(3, "fail", source="two", answer=HOSTILE, because=HOSTILE, vars={"other": HOSTILE}),
    ]
    return kept(tmp_path / "run.jsonl", results)


def read(run: RunFile) -> Any:
    path = run.path.with_name("report.promptfoo.json")
    write_report(run, path)
    return json.loads(path.read_bytes())


def test_the_file_has_the_shape_that_promptfoo_writes(run: RunFile) -> None:
    found = read(run)

    assert set(found) == {"evalId", "results", "config", "shareableUrl", "metadata", "vars"}
    assert set(found["results"]) == {"version", "timestamp", "prompts", "results", "stats"}
    assert found["results"]["version"] == 3
    assert found["vars"] == ["user", "other"]
    for one in found["results"]["results"]:
        assert set(one) - {"error"} == RESULT
    for prompt in found["results"]["prompts"]:
        assert set(prompt) == {"id", "raw", "label", "provider", "metrics"}
        assert set(prompt["metrics"]) == METRICS


def test_fail_unsure_and_error_are_told_apart(run: RunFile) -> None:
    found = read(run)["results"]

    told = [(one["success"], one["failureReason"]) for one in found["results"]]
    assert told == [(True, 0), (False, 1), (True, 0), (False, 1), (False, 2), (False, 1)]
    assert found["results"][3]["error"] == "unsure: it is a unsure"
    assert found["results"][4]["error"] == "error: the source did not answer: 503"
    assert {name: found["stats"][name] for name in ("successes", "failures", "errors")} == {
        "successes": 2,
        "failures": 3,
        "errors": 1,
    }


def test_a_repeat_is_a_row_of_its_own_and_a_source_a_column(run: RunFile) -> None:
    found = read(run)["results"]

    places = [(one["testIdx"], one["promptIdx"]) for one in found["results"]]
    assert places == [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (3, 1)]
    assert [prompt["provider"] for prompt in found["prompts"]] == ["one", "two"]
    assert [prompt["metrics"]["testPassCount"] for prompt in found["prompts"]] == [2, 0]


def test_each_assertion_has_its_component(run: RunFile) -> None:
    first = read(run)["results"]["results"][1]["gradingResult"]

    assert [(part["pass"], part["score"], part["assertion"]) for part in first["componentResults"]] == [
        (True, 0.8, {"type": "similar", "weight": 1.0, "metric": "near"}),
        (False, 0.0, {"type": "contains", "weight": 2.0}),
    ]
    assert first["namedScores"] == {"near": 0.8}


def test_another_run_is_another_evaluation(run: RunFile, tmp_path: Path) -> None:
    other = kept(tmp_path / "other" / "run.jsonl", [result(1, "fail")])

    assert read(run)["evalId"] != read(other)["evalId"]


@pytest.mark.skipif(
    shutil.which("promptfoo") is None, reason="promptfoo is not installed: npm i -g promptfoo"
)
def test_promptfoo_itself_takes_it_in(run: RunFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = read(run)["evalId"]
    monkeypatch.setenv("PROMPTFOO_CONFIG_DIR", str(tmp_path / "promptfoo"))
    monkeypatch.setenv("PROMPTFOO_DISABLE_TELEMETRY", "1")
    monkeypatch.setenv("PROMPTFOO_DISABLE_UPDATE", "1")

    def promptfoo(*arguments: str) -> None:
        command = [str(shutil.which("promptfoo")), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=120)

    promptfoo("import", str(run.path.with_name("report.promptfoo.json")))
    promptfoo("export", "eval", named, "-o", str(tmp_path / "back.json"))
    back = json.loads((tmp_path / "back.json").read_bytes())["results"]
    assert [one["success"] for one in sorted(back["results"], key=_place)] == [
        True,
        False,
        True,
        False,
        False,
        False,
    ]
    assert back["stats"]["errors"] == 1


def _place(one: Any) -> tuple[int, int]:
    return one["testIdx"], one["promptIdx"]
