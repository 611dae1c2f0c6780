"""`sensecheck check --file`: many answers, one a line."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.verdict import Verdict
from tests.walks.cli import typed

SAME = {"answer": "It opened in 1932.", "expected": "It opened in 1932."}
OTHER = {"answer": "It opened in 1932.", "expected": "It opened in 1937.", "id": "year"}
EMPTY = {"answer": "", "expected": "It opened in 1937."}
SIMILAR = ("--preset", "means", "--policy", "similarity")


def judged(folder: Path, rows: list[object], *more: str) -> Any:
    path = folder / "samples.jsonl"
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return typed("check", "--file", str(path), *SIMILAR, *more)


@pytest.mark.core
@pytest.mark.parametrize(
    ("rows", "tally", "code"),
    [
        ([SAME, SAME], "2 judged: 2 pass", 0),
        ([SAME, OTHER], "2 judged: 1 pass, 1 fail", 1),
        ([OTHER, SAME, EMPTY], "3 judged: 1 pass, 1 fail, 1 error", 3),
    ],
)
def test_every_line_is_judged_and_counted(tmp_path: Path, rows: list[object], tally: str, code: int) -> None:
    found = judged(tmp_path, rows)

    assert len(found.stdout.splitlines()) == len(rows) + 1
    assert found.stdout.splitlines()[-1] == tally
    assert found.exit_code == code


def test_a_line_is_called_by_its_id_or_its_number(tmp_path: Path) -> None:
    found = judged(tmp_path, [SAME, "", OTHER, EMPTY])

    lines = found.stdout.splitlines()
    assert lines[0].startswith("PASS   line 1: ")
    assert lines[1].startswith("FAIL   year: ")
    assert lines[2].startswith("ERROR  line 4: ")


def test_json_is_one_verdict_a_line_and_nothing_else(tmp_path: Path) -> None:
    found = judged(tmp_path, [SAME, OTHER, EMPTY] * 50, "--json")

    verdicts = [Verdict.from_json(line) for line in found.stdout.splitlines()]
    assert [verdict.outcome for verdict in verdicts] == ["pass", "fail", "error"] * 50
    assert [verdict.sample for verdict in verdicts[:3]] == [None, "year", None]
    assert found.stderr == ""


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ('{"answer": "It is red."', "is not JSON: Expecting ',' delimiter at character 24"),
        ({"answr": "It is red."}, ": in `sample`: `answr` is not a known key; did you mean `answer`?"),
        ({"answer": 5}, ": `sample.answer` must be a string; got int"),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_bad_line_is_an_error_that_names_it(tmp_path: Path, row: object, complaint: str) -> None:
    found = judged(tmp_path, [SAME, "", row])

    assert "error: line 3 of `" in found.stderr
    assert complaint in found.stderr
    assert found.exit_code == 2


def test_half_a_surrogate_pair_does_not_stop_the_run(tmp_path: Path) -> None:
    found = judged(tmp_path, ['{"answer": "5\\ud800", "expected": "6", "id": "\\udc9b[2J"}', SAME], "--json")

    verdict = Verdict.from_json(found.stdout.splitlines()[0])
    assert verdict.outcome == "error"
    assert verdict.sample == "\udc9b[2J"


def test_a_file_without_samples_is_not_green(tmp_path: Path) -> None:
    found = judged(tmp_path, [""])

    assert "holds no sample; nothing was judged" in found.stderr
    assert found.exit_code == 2


def test_samples_come_from_standard_input_too() -> None:
    found = typed("check", "--file", "-", *SIMILAR, stdin=json.dumps(SAME))

    assert found.stdout.endswith("1 judged: 1 pass\n")
    assert found.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--file", "nowhere.jsonl", "--preset", "means"], "`nowhere.jsonl` cannot be read"),
        (["--file", "nowhere.jsonl"], "`--file` must come with `--check` or `--preset`"),
        (["--file", "nowhere.jsonl", "--preset", "means", "It is red."], "`--file` must come with"),
        (["--file", "nowhere.jsonl", "--preset", "meens"], "did you mean `means`?"),
    ],
)
def test_a_command_that_cannot_be_meant_is_a_usage_error(arguments: list[str], complaint: str) -> None:
    found = typed("check", *arguments)

    assert complaint in found.stderr
    assert found.exit_code == 2
