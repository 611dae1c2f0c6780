"""`sensecheck check` as a newcomer types it, with one answer."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sensecheck.calibration.library import shipped_card
from sensecheck.cli.exit_codes import exit_code
from sensecheck.core.verdict import Outcome, Verdict
from tests.walks.cli import typed

SIMILARITY = {"kind": "similarity"}


def run(*arguments: str, stdin: str | None = None, **environment: str) -> Any:
    return typed("check", *arguments, stdin=stdin, **environment)


def check_file(folder: Path, **gate: object) -> str:
    path = folder / "check.json"
    path.write_text(json.dumps({"kind": "gate", "measure": SIMILARITY, **gate}), encoding="utf-8")
    return str(path)


@pytest.mark.core
@pytest.mark.parametrize(
    ("cutoff", "word", "code"),
    [
        ({"at_least": 0.9}, "PASS", 0),
        ({"at_most": 0.9}, "FAIL", 1),
        ({"at_least": 1.1, "doubt": [0.5, 1.5]}, "UNSURE", 3),
        (None, "MEASURED", 3),
    ],
)
def test_each_outcome_has_its_word_and_its_exit_code(
    tmp_path: Path, cutoff: object, word: str, code: int
) -> None:
    file = check_file(tmp_path, cutoff=cutoff)

    found = run("It is red.", "--check", file, "--expected", "It is red.")

    assert found.stdout.startswith(word)
    assert found.exit_code == code


@pytest.mark.core
def test_what_cannot_be_judged_is_an_error_and_not_a_fail(tmp_path: Path) -> None:
    found = run("It is red.", "--check", check_file(tmp_path, cutoff={"at_least": 0.5}))

    assert found.stdout.startswith("ERROR  similarity: the sample has no `expected` answer")
    assert found.exit_code == 3


@pytest.mark.core
@pytest.mark.parametrize(
    ("outcomes", "code"),
    [(["pass"], 0), (["pass", "fail", "unsure"], 1), (["error", "fail"], 3), (["pass", "unsure"], 3)],
)
def test_the_worst_outcome_decides_the_exit_code(outcomes: list[Outcome], code: int) -> None:
    assert exit_code(outcomes) == code


def test_a_verdict_shows_its_reading_its_line_and_the_exact_characters() -> None:
    found = run("It opened in 1932.", "--means", "It opened in 1937.")

    assert found.exit_code == 1
    assert found.stdout.startswith("FAIL   means: ")
    assert f"needs at least {shipped_card('means').line:g}" in found.stdout
    assert "(uncalibrated)" in found.stdout
    assert "answer[13:17] “1932” ~ expected[13:17] “1937”" in found.stdout


def test_several_questions_are_each_judged() -> None:
    text = "It is 503 m long."

    found = run(text, "--not-circling", "--means", text, "--keeps-facts-of", text, "--json")

    verdicts = [Verdict.from_json(line) for line in found.stdout.splitlines()]
    assert [verdict.check for verdict in verdicts] == ["means", "keeps_facts", "not_circling"]
    assert found.exit_code == 0


def test_json_gives_the_verdict_back() -> None:
    found = run("It opened in 1932.", "--means", "It opened in 1937.", "--json")

    verdict = Verdict.from_json(found.stdout)
    assert verdict.outcome == "fail"
    assert verdict.to_json() == found.stdout.removesuffix("\n")


def test_facts_are_compared_without_any_model() -> None:
    found = run("It cost 5 euros.", "--keeps-facts-of", "It cost 6 euros.", SENSECHECK_ENCODER="onnx:nowhere")

    assert found.exit_code == 1


def test_no_question_is_a_usage_error_that_names_the_questions() -> None:
    found = run("It is red.")

    assert found.exit_code == 2
    assert all(flag in found.stderr for flag in ("--means", "--grounded-in", "--not-refusal", "--check"))


def test_texts_come_from_files_and_from_standard_input(tmp_path: Path) -> None:
    expected = tmp_path / "expected.txt"
    expected.write_bytes(b"\xef\xbb\xbfIt is red.\r\n")

    found = run("-", "--means", f"@{expected}", "--json", stdin="It is red.\n")

    nearest = Verdict.from_json(found.stdout).parts[0].reading
    assert nearest is not None
    assert nearest.value == 1.0
    assert found.exit_code == 0


def test_two_at_signs_stand_for_one() -> None:
    found = run("@@home", "--means", "@@home", "--json")

    assert '"text": "@home"' in found.stdout


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"caf\xe9 au lait", "is not UTF-8: byte 3 is 0xe9"),
        (b"a" * 10_000_001, "is larger than 10,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_said_clearly(
    tmp_path: Path, content: bytes | None, complaint: str
) -> None:
    path = tmp_path / "answer.txt"
    if content is not None:
        path.write_bytes(content)

    found = run(f"@{path}", "--not-circling")

    assert f"`{path}` {complaint}" in found.stderr
    assert found.exit_code == 2


def test_standard_input_is_read_only_once() -> None:
    found = run("-", "--means", "-", stdin="It is red.")

    assert "`-` was given twice" in found.stderr
    assert found.exit_code == 2


def test_an_unknown_kind_names_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "check.json"
    path.write_text('{"kind": "meens"}', encoding="utf-8")

    found = run("It is red.", "--check", str(path))

    assert "`meens` is not a known kind; did you mean `means`?" in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize("content", ["{", "[" * 100_000, ""])
def test_a_check_that_is_not_json_is_a_usage_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "check.json"
    path.write_text(content, encoding="utf-8")

    found = run("It is red.", "--check", str(path))

    assert f"error: `{path}` is not JSON" in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (["It is red."], "SpecError", 2),
        (["It is red.", "--meens", "It is red."], "UsageError", 2),
        (["It is red.", "--means", "It is red.", "--encoder", "onnx:nowhere"], "WeightsError", 3),
    ],
)
def test_with_json_errors_are_json_too(arguments: list[str], kind: str, code: int) -> None:
    found = run(*arguments, "--json")

    complaint = json.loads(found.stderr)
    assert complaint["kind"] == kind
    assert complaint["error"]
    assert found.stdout == ""
    assert found.exit_code == code


def test_a_missing_model_is_no_verdict_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sensecheck_minilm", None)

    found = run("It is red.", "--means", "It is red.", "--encoder", "minilm")

    assert "pip install 'sensecheck[minilm]'" in found.stderr
    assert "Traceback" not in found.stderr
    assert found.exit_code == 3


def test_a_reading_is_shown_with_enough_places_to_be_on_its_side(tmp_path: Path) -> None:
    file = check_file(tmp_path, cutoff={"at_least": 0.707})

    found = run("red", "--check", file, "--expected", "red blue")

    assert "similarity 0.7071, needs at least 0.707" in found.stdout
