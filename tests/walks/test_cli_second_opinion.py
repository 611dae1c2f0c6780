"""`--second-opinion` on the verbs that decide: who was asked, and what it changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.checks.questions import preset_check
from sensecheck.checks.second_opinion import SecondOpinion, seconded
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.judges.cache import prompt_key
from tests.walks.cli import typed

ANSWER, EXPECTED = "It is red.", "It is crimson."
QUESTION = "Which colour is it?"
ABSTAINS = "The passages do not say when the museum opens."
PASSAGE = "The library lends cameras for two weeks."
UNSURE = ("--threshold", "0.5", "--doubt", "0.49")
"""A band of doubt in which nearly all lies."""


def recording(folder: Path, verdict: str, preset: str = "means", sample: Sample | None = None) -> str:
    """A judge that has said this of one sample, and knows no other."""
    check = seconded(preset_check(preset))
    assert isinstance(check, SecondOpinion)
    needs = check.cascade.checks[1].needs(sample or Sample(ANSWER, expected=EXPECTED), Space())
    reply = json.dumps({"reasoning": "Crimson is a red.", "verdict": verdict})
    line = {"prompt": prompt_key(needs.prompts[0]).hex(), "reply": reply, "judge": "openai:m:1"}
    (folder / "replies.jsonl").write_text(json.dumps(line))
    return f"recorded:{folder / 'replies.jsonl'}"


@pytest.mark.parametrize(("word", "code"), [("PASS", 0), ("FAIL", 1)])
def test_one_answer(tmp_path: Path, word: str, code: int) -> None:
    judge = recording(tmp_path, word)
    alone = typed("check", ANSWER, "--means", EXPECTED, *UNSURE)
    found = typed("check", ANSWER, "--means", EXPECTED, *UNSURE, "--second-opinion", judge)

    assert (alone.stdout.split()[0], alone.exit_code) == ("UNSURE", 3)
    assert (found.stdout.split()[0], found.exit_code) == (word, code)
    assert f"asked once in 1 verdict; from unsure: 1 to {word.lower()}" in " ".join(found.stdout.split())


def test_the_flag_takes_the_place_of_the_judge_in_the_settings(tmp_path: Path) -> None:
    judge = recording(tmp_path, "PASS")
    asking = ("check", ANSWER, "--means", EXPECTED, *UNSURE, "--json")
    found = typed(*asking, "--second-opinion", judge, SENSECHECK_JUDGE="recorded:nowhere.jsonl")

    assert json.loads(found.stdout)["outcome"] == "pass"
    assert json.loads(typed(*asking, SENSECHECK_JUDGE=judge).stdout)["outcome"] == "unsure"


def test_a_file_of_answers(tmp_path: Path) -> None:
    rows = [{"answer": ANSWER, "expected": EXPECTED}, {"answer": EXPECTED, "expected": EXPECTED}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = typed(
        "check",
        *("--file", str(tmp_path / "rows.jsonl"), "--preset", "means", *UNSURE),
        *("--second-opinion", recording(tmp_path, "PASS")),
    )

    said = " ".join(found.stdout.split())
    assert "2 judged: 2 pass" in said
    assert "second opinion: the judge was asked once in 2 verdicts; from unsure: 1 to pass" in said


def test_a_check_without_a_question_to_a_judge_is_refused(tmp_path: Path) -> None:
    found = typed("check", ANSWER, "--not-circling", "--second-opinion", recording(tmp_path, "PASS"))

    assert found.exit_code == 2
    assert "no question to a judge in the place of `not_circling`" in " ".join(found.output.split())


def battery(folder: Path) -> str:
    tests = [
        {"description": "red", "vars": {"user": QUESTION}, "providerOutput": ANSWER},
        {"description": "crimson", "vars": {"user": QUESTION}, "providerOutput": EXPECTED},
    ]
    means = {"type": "means", "value": EXPECTED, "threshold": 0.5, "doubt": 0.4999}
    path = folder / "colours.battery.yaml"
    whole = {"prompts": ["{{ user }}"], "tests": [{**test, "assert": [means]} for test in tests]}
    path.write_text(json.dumps(whole))
    return str(path)


def test_a_battery(tmp_path: Path) -> None:
    environment = {"SENSECHECK_RUNS": str(tmp_path / "runs")}
    judge = recording(tmp_path, "PASS", sample=Sample(ANSWER, QUESTION, EXPECTED))
    path = battery(tmp_path)

    alone: Any = json.loads(typed("run", path, "--json", **environment).stdout)
    found = json.loads(typed("run", path, "--json", "--second-opinion", judge, **environment).stdout)
    said = typed("run", path, "--second-opinion", judge, **environment)

    assert (alone["pass"], alone["unsure"], "second_opinion" in alone) == (1, 1, False)
    assert (found["pass"], found["unsure"]) == (2, 0)
    assert found["second_opinion"] == {
        **{"verdicts": 2, "asked": 1},
        **{"pass": 1, "fail": 0, "unsure": 0, "error": 0},
    }
    assert "the judge was asked once in 2 verdicts" in " ".join(said.stdout.split())


@pytest.mark.real_model
def test_ground(tmp_path: Path) -> None:
    judge = recording(tmp_path, "PASS", "grounded", Sample(ABSTAINS, passages=(PASSAGE,)))
    real = {"SENSECHECK_ENCODER": "minilm"}
    asking = ("--second-opinion", judge)
    found = typed("ground", "--answer", ABSTAINS, "--text-passage", PASSAGE, *asking, **real)
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"answer": ABSTAINS, "passages": [PASSAGE]}))
    many = typed("ground", "--in", str(rows), *asking, **real)
    rule = typed("ground", "--in", str(rows), "--policy", "similarity-or-keywords", *asking, **real)

    assert found.exit_code == many.exit_code == 0
    assert "a judge was asked, and its opinion stands" in found.stdout
    assert "promise: none for this verdict: a judge decided it" in found.stdout
    assert "asked once in 1 verdict; from unsure: 1 to pass" in " ".join(many.stdout.split())
    assert rule.exit_code == 2
