"""`sensecheck ground` as a newcomer types it, with the real model and the line that ships."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from tests.grounding.found import HOSTILE, MOON
from tests.runs.page_read import packed_in
from tests.walks.cli import started, typed

WRONG = "Armstrong walked on the Moon on 3 May 1963."
RIGHT = "Michael Collins stayed in orbit."


FAST = ("--policy", "fast")


def run(*arguments: str, **environment: str) -> Any:
    """Decided by words unless another policy is named: no reader has to be loaded."""
    policy = () if "--policy" in arguments else FAST
    return typed("ground", *arguments, *policy, **{"SENSECHECK_ENCODER": "minilm", **environment})


@pytest.fixture
def moon(tmp_path: Path) -> str:
    """A file with the passage."""
    path = tmp_path / "moon.txt"
    path.write_text(MOON + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.core
def test_the_wrong_word_is_marked_and_its_source_is_named(moon: str) -> None:
    found = started("ground", "--answer", WRONG, "--passage", moon, *FAST)

    lines = [line.strip() for line in found.stdout.decode("ascii").splitlines()]
    assert lines[0].startswith("FAIL   unsupported: ")
    assert "policy fast@1, fail mode closed: the answer is held back" in lines
    assert any(line.startswith("promise: ") for line in lines)
    at = lines.index("Armstrong walked on the Moon on [3 May 1963]{1}.")
    assert lines[at + 1].startswith("{1} date_mismatch: `3 May 1963` instead of `20 July 1969`, ")
    assert lines[at + 1].endswith("moon.txt passages[0][37:49]")
    assert lines[at + 2].startswith('nearest: "Neil Armstrong walked on the Moon on 20 July 1969."')
    assert found.returncode == 1


@pytest.mark.core
def test_a_reader_decides_unless_another_policy_is_named(moon: str) -> None:
    found = started("ground", "--answer", WRONG, "--passage", moon)

    lines = [line.strip() for line in found.stdout.decode("ascii").splitlines()]
    assert lines[0].startswith("FAIL   unsupported: `3 May 1963` instead of `20 July 1969`; ")
    assert "(support is " in lines[0]
    assert "policy default@2, fail mode closed: the answer is held back" in lines
    assert [", needs at least " in line for line in lines].count(True) == 1, "one cutoff is shown once"
    assert any(line.startswith("promise: ") for line in lines)
    (note,) = [line for line in lines if line.startswith("{1} ")]
    assert note.startswith("{1} date_mismatch: `3 May 1963` instead of `20 July 1969`, ")
    assert note.endswith("moon.txt passages[0][37:49]")
    assert found.returncode == 1


def test_without_a_reader_nothing_is_decided_in_its_place(moon: str) -> None:
    found = run("--answer", WRONG, "--passage", moon, "--policy", "default", SENSECHECK_VERIFIER="off")

    assert found.stdout.startswith("ERROR  no cross-encoder is set up")
    assert "policy default@2, fail mode closed: the answer is held back" in found.stdout
    assert found.exit_code == 3


@pytest.mark.core
def test_an_answer_that_is_there_passes(moon: str) -> None:
    found = run("--answer", RIGHT, "--passage", moon)

    assert found.stdout.startswith("PASS   supported: ")
    assert found.exit_code == 0


@pytest.mark.core
def test_an_abstention_is_neither_a_pass_nor_a_fail(moon: str) -> None:
    found = run("--answer", "The passage does not say who paid.", "--passage", moon)

    assert found.stdout.startswith("UNSURE abstained: ")
    assert found.exit_code == 3


def test_answer_and_passages_come_from_files_texts_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text(f"## Orbit\n\n- {RIGHT}\n")
    arguments = ("--answer-file", str(tmp_path / "answer.md"), "--text-passage", "Bread needs flour.")

    found = typed("ground", *arguments, "--passage", "-", *FAST, stdin=MOON, SENSECHECK_ENCODER="minilm")

    assert "  ## Orbit\n" in found.stdout
    assert f"  - {RIGHT}\n" in found.stdout
    assert "standard input passages[0][51:83]" in found.stdout
    assert found.exit_code == 0


def test_a_file_whose_name_begins_with_an_at_sign_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("@answer.txt", RIGHT), ("@moon.txt", MOON)):
        (tmp_path / name).write_text(text)

    found = run("--answer-file", "@answer.txt", "--passage", "@moon.txt")

    assert f"  {RIGHT}\n" in found.stdout
    assert "@moon.txt passages[0][51:83]" in found.stdout
    assert found.exit_code == 0


def test_json_counts_places_as_it_is_told(moon: str) -> None:
    answer = f"🚀 {WRONG}"

    found = run("--answer", answer, "--passage", moon, "--json", "--offsets", "utf16")

    data = json.loads(found.stdout)
    wrong = next(item for item in data["claims"][0]["reasons"] if item["kind"] == "date_mismatch")
    span = slice(2 * wrong["answer"]["start"], 2 * wrong["answer"]["end"])
    assert answer.encode("utf-16-le")[span].decode("utf-16-le") == "3 May 1963"
    assert (data["offsets"], data["support"], data["policy"]) == ("utf16", "unsupported", "fast@1")
    assert found.exit_code == 1


def test_two_processes_print_the_same_bytes(moon: str) -> None:
    one, other = (started("ground", "--answer", WRONG, "--passage", moon, "--json", *FAST) for _ in range(2))

    assert one.stdout == other.stdout
    assert one.returncode == 1


def test_on_a_terminal_words_are_coloured_and_without_colours_marked(moon: str) -> None:
    arguments = ("--answer", WRONG, "--passage", moon)

    coloured = run(*arguments, FORCE_COLOR="1", COLUMNS="100").stdout
    without = run(*arguments, FORCE_COLOR="1", NO_COLOR="1", COLUMNS="100").stdout

    assert "\x1b[1;31m3 May 1963\x1b[0m" in coloured
    assert "[3 May 1963]{1}" not in coloured
    assert "[3 May 1963]{1}" in without


@pytest.mark.parametrize("columns", [48, 80, 140])
def test_lines_fit_the_terminal_and_a_wide_one_has_two_columns(moon: str, columns: int) -> None:
    shown = run("--answer", f"{WRONG} {RIGHT}", "--passage", moon, FORCE_COLOR="1", COLUMNS=str(columns))

    lines = Text.from_ansi(shown.stdout).plain.splitlines()
    beside = [line for line in lines if "1 unsupported" in line and "date_mismatch" in line]
    assert max(map(cell_len, lines)) <= columns
    assert bool(beside) == (columns == 140)


@pytest.mark.parametrize("columns", ["80", "200"])
def test_what_strangers_wrote_is_shown_and_not_obeyed(tmp_path: Path, columns: str) -> None:
    path = tmp_path / "source.txt"
    path.write_text(f"{HOSTILE} walked in 1969.", encoding="utf-8")

    shown = run(
        "--answer", f"{HOSTILE} walked in 1963.", "--passage", str(path), FORCE_COLOR="1", COLUMNS=columns
    )

    assert "[bold red]\\x1b[5m\\u202e" in Text.from_ansi(shown.stdout).plain.replace("\n", "")
    assert "\x1b[5m" not in shown.stdout
    assert "\u202e" not in shown.stdout


def test_a_page_is_written(moon: str, tmp_path: Path) -> None:
    page = tmp_path / "out.html"

    found = run("--answer", WRONG, "--passage", moon, "--html", str(page))

    verdict, written = found.stdout.splitlines()
    assert verdict.startswith("FAIL   unsupported: ")
    assert written == f"written to {page}"
    assert found.exit_code == 1
    data = packed_in(page.read_text(encoding="utf-8"))["grounding"][0]
    assert data["support"] == "unsupported"
    assert data["passages"][0]["name"] == moon
    assert "20 July 1969" in data["passages"][0]["text"]


def test_another_policy_can_be_named_or_given_as_data(moon: str, tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text('{"name": "lenient", "version": 3, "reads": "words", "fail_mode": "open"}')
    open_answer = ("--answer", "The passage does not say who paid.", "--passage", moon)

    common = run("--answer", RIGHT, "--passage", moon, "--policy", "similarity-or-keywords@1", "--json")
    lenient = run(*open_answer, "--policy", str(own))

    assert json.loads(common.stdout)["policy"] == "similarity-or-keywords@1"
    assert "policy lenient@3, fail mode open: the answer may be shown" in lenient.stdout
    assert lenient.exit_code == 3


def test_a_file_of_samples_is_judged_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    rows = [{"id": text[:4], "answer": text, "passages": [MOON]} for text in (RIGHT, WRONG)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    told = run("--in", str(path))
    data = [json.loads(line) for line in run("--in", str(path), "--json").stdout.splitlines()]

    assert told.stdout.splitlines()[-1] == "2 judged: 1 pass, 1 fail"
    assert [(item["sample"], item["support"]) for item in data] == [
        ("Mich", "supported"),
        ("Arms", "unsupported"),
    ]
    assert told.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--passage", "-"], "there is no answer"),
        (["--answer", WRONG], "there is no passage to look into"),
        (["--answer", WRONG, "--answer-file", "x"], "one answer at a time"),
        (["--answer", WRONG, "--passage", "nowhere.txt"], "`nowhere.txt` cannot be read: No such file"),
        (["--answer", WRONG, "--passage", "@nowhere.txt"], "`@nowhere.txt` cannot be read: No such file"),
        (["--answer-file", "@nowhere.txt", "--text-passage", MOON], "`@nowhere.txt` cannot be read"),
        (["--answer", WRONG, "--text-passage", MOON, "--html", "-"], "must be a file to write the page to"),
        (["--answer", WRONG, "--text-passage", MOON, "--policy", "strikt"], "did you mean `strict`"),
        (["--answer", WRONG, "--text-passage", MOON, "--policy", "default@9"], "has the version 2; wanted"),
        (["--answer", WRONG, "--text-passage", MOON, "--offsets", "utf-8"], "did you mean `utf8`"),
        (["--in", "x.jsonl", "--answer", WRONG], "`--in` must stand without an answer, a passage"),
        (["--in", "x.jsonl", "--html", "x.html"], "`--html` must be for one answer; got `--in`"),
    ],
)
def test_a_wrong_command_says_what_is_wanted(arguments: list[str], complaint: str) -> None:
    found = run(*arguments)

    assert complaint in found.stderr
    assert found.exit_code == 2


@pytest.mark.core
def test_what_claims_nothing_is_named_and_rejects_no_answer(moon: str) -> None:
    answer = (
        "## The crew\n\nHere's an overview:\n\nBased on the passages, Michael Collins stayed in orbit [1]. "
        "The passage does not say who paid. Hope this helps! Let me know if you'd like more details."
    )
    found = run("--answer", answer, "--passage", moon, "--json")

    data = json.loads(found.stdout)
    assert [(one["kind"], one["text"]) for one in data["non_claims"]] == [
        ("heading", "The crew"),
        ("frame", "Here's an overview:"),
        ("frame", "Based on the passages,"),
        ("citation", "[1]"),
        ("abstention", "The passage does not say who paid."),
        ("chat", "Hope this helps!"),
        ("offer", "Let me know if you'd like more details."),
    ]
    assert all(answer[one["start"] : one["end"]] == one["text"] for one in data["non_claims"])
    assert [claim["support"] for claim in data["claims"]] == ["supported", "abstained"]
    assert (data["outcome"], found.exit_code) == ("pass", 0)


@pytest.mark.core
def test_an_abstention_that_is_wrong_fails_and_quotes_what_the_passages_say(moon: str) -> None:
    found = run("--answer", "The passages do not mention Michael Collins.", "--passage", moon, "--json")

    data = json.loads(found.stdout)
    (claim,) = data["claims"]
    assert (claim["support"], found.exit_code) == ("unsupported", 1)
    assert claim["because"].endswith("they say `Michael Collins stayed in orbit.`")
    (reason,) = [one for one in claim["reasons"] if one["kind"] == "mentioned"]
    assert reason["source"]["text"] == "Michael Collins stayed in orbit."
    assert data["non_claims"] == []
