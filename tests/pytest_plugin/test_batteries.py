"""Batteries that pytest collects and runs."""

import json

import pytest

from tests.pytest_plugin.conftest import Run

LIBRARY = """\
tests:
  - description: Says how long tablets are lent
    providerOutput: Tablets may be lent for three weeks.
    assert: [{type: means, policy: similarity, value: Tablets are lent for three weeks.}]
  - description: Keeps the number of weeks
    providerOutput: Tablets are lent for two weeks.
    assert: [{type: keeps-facts, value: Tablets are lent for three weeks.}]
  - description: Comes from the passage
    providerOutput: ""
    assert: [{type: means, policy: similarity, value: Tablets are lent for three weeks.}]
  - description: Says it in other words
    providerOutput: You can borrow a tablet for three weeks.
    assert: [{type: means, policy: similarity, value: Tablets are lent for three weeks.}]
"""
ASKED = """\
providers: [{id: "file://bot.py", label: bot}, {id: echo, label: parrot}]
prompts: ["{{word}}", "Say {{word}}"]
tests:
  - {description: Says tea, vars: {word: tea}, assert: [{type: contains, value: tea}]}
  - {description: Says milk, vars: {word: milk}, assert: [{type: contains, value: milk}]}
"""
BOT = """\
from pathlib import Path

def call_api(prompt, options, context):
    with Path("asked.txt").open("a") as file:
        file.write(prompt + "\\n")
    return {"output": "tea"}
"""


def test_pass_fail_unsure_and_error_are_told_apart(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "library.battery.yaml").write_text(LIBRARY)
    result = run("-v")

    result.assert_outcomes(passed=1, failed=2, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*library.battery.yaml::Says how long tablets are lent PASSED*",
            "*library.battery.yaml::Keeps the number of weeks FAILED*",
            "*library.battery.yaml::Comes from the passage ERROR*",
            "*library.battery.yaml::Says it in other words FAILED*",
        ]
    )


@pytest.mark.slow
def test_a_failure_is_readable(pytester: pytest.Pytester, alone: Run) -> None:
    (pytester.path / "library.battery.yaml").write_text(LIBRARY)
    result = alone()
    printed = result.stdout.str()

    result.stdout.fnmatch_lines_random(
        [
            "FAIL: *`two weeks` instead of `three weeks`",
            "*library.battery.yaml:5:5: Keeps the number of weeks",
            "the answer: “Tablets are lent for two weeks.”",
            "UNSURE: *",
            "ERROR, not judged: *the text is empty*",
            "FAILED library.battery.yaml::Keeps the number of weeks - *FAIL: *",
        ]
    )
    assert "sensecheck/" not in printed, "no frames of ours"
    assert "Traceback" not in printed


def test_only_what_is_selected_is_asked_and_all_of_it_at_once(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "bot.py").write_text(BOT)
    (pytester.path / "drinks.battery.yaml").write_text(ASKED)
    result = run("-k", "tea and bot")

    result.assert_outcomes(passed=2, deselected=6)
    assert sorted((pytester.path / "asked.txt").read_text().splitlines()) == ["Say tea", "tea"]


def test_an_item_is_selected_by_its_node_id(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "bot.py").write_text(BOT)
    (pytester.path / "drinks.battery.yaml").write_text(ASKED)
    result = run("drinks.battery.yaml::Says milk [{{word}}, parrot]")

    result.assert_outcomes(passed=1)
    assert not (pytester.path / "asked.txt").exists()


def test_collecting_loads_no_model(
    pytester: pytest.Pytester, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODER", "onnx:/no/such/folder")
    (pytester.path / "library.battery.yml").write_text(LIBRARY)
    result = run("--collect-only", "-q")

    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["library.battery.yml::Says how long tablets are lent", "*4 tests collected*"]
    )


def test_a_model_that_cannot_be_had_is_an_error_of_every_test(
    pytester: pytest.Pytester, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODER", "onnx:/no/such/folder")
    (pytester.path / "library.battery.yaml").write_text(LIBRARY)
    result = run()

    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["ERROR, not judged: *no/such/folder*"])


def test_a_battery_with_a_slip_is_an_error_of_the_collection_with_its_place(
    pytester: pytest.Pytester, run: Run
) -> None:
    (pytester.path / "library.battery.yaml").write_text(LIBRARY.replace("assert:", "assertt:", 1))
    result = run()

    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*library.battery.yaml:4:5: `assertt` is not a known key*"])
    assert "sensecheck/" not in result.stdout.str()


def test_a_battery_that_nobody_answers_says_how_answers_come(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "library.battery.yaml").write_text(
        "tests:\n  - {description: Greets, vars: {user: Hello}, assert: [{type: contains, value: hello}]}\n"
    )
    result = run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*library.battery.yaml:2:5: nothing answers*`--battery-answers FILE`*"])

    row = {"description": "Greets", "answer": "hello there"}
    (pytester.path / "answers.jsonl").write_text(json.dumps(row) + "\n")
    run("--battery-answers", "answers.jsonl").assert_outcomes(passed=1)


def test_answers_beside_a_test_that_has_its_own_are_warned_of(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "library.battery.yaml").write_text(
        "tests:\n  - {description: Greets, providerOutput: hello, assert: [{type: contains, value: hello}]}\n"
    )
    (pytester.path / "answers.jsonl").write_text('{"description": "Greets", "answer": "goodbye"}\n')
    result = run("--battery-answers", "answers.jsonl", "-W", "default")

    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*1 test has an answer of its own (`providerOutput`)*`answers.jsonl`*"])


def test_repeats_are_inside_an_item(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "bot.py").write_text(
        "said = iter(['tea', 'milk', 'tea', 'milk'])\n"
        "def call_api(prompt, options, context):\n    return {'output': next(said)}\n"
    )
    (pytester.path / "drinks.battery.yaml").write_text(
        'providers: ["file://bot.py"]\nprompts: [Say tea]\nevaluateOptions: {maxConcurrency: 1}\ntests:\n'
        "  - {description: Says tea, repeat: {runs: 4, pass: 3}, assert: [{type: contains, value: tea}]}\n"
    )
    result = run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["inconsistent 2/4; wanted 3 of 4 to pass"])


@pytest.mark.slow
def test_workers_of_xdist_ask_each_question_once(
    pytester: pytest.Pytester, alone: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODER", "hashing")
    (pytester.path / "bot.py").write_text(BOT)
    (pytester.path / "drinks.battery.yaml").write_text(ASKED)
    result = alone("-n", "2")

    result.assert_outcomes(passed=6, failed=2)
    asked = (pytester.path / "asked.txt").read_text().splitlines()
    assert sorted(asked) == ["Say milk", "Say tea", "milk", "tea"]


def test_names_that_are_the_same_or_would_steer_a_terminal_are_made_usable(
    pytester: pytest.Pytester, run: Run
) -> None:
    case = '{description: "a::b \\x1b[31m", providerOutput: x, assert: [{type: equals, value: x}]}'
    (pytester.path / "odd.battery.yaml").write_text(f"tests:\n  - {case}\n  - {case}\n")
    result = run("--collect-only", "-q")

    result.stdout.fnmatch_lines(["odd.battery.yaml::a:b �*", "odd.battery.yaml::a:b �* (2)"])


def test_what_strangers_wrote_does_not_steer_the_terminal(
    pytester: pytest.Pytester, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENSECHECK_ENCODER", "hashing")
    (pytester.path / "judge.py").write_text(
        "def get_assert(output, context):\n"
        "    return {'pass': False, 'score': 0, 'reason': 'wrong \\x1b[2J\\u202e'}\n"
    )
    (pytester.path / "odd.battery.yaml").write_text(
        'providers: [{id: echo, label: "bot \\x1b[31m"}]\nprompts: ["Say \\x1b[5m"]\n'
        'tests: [{assert: [{type: python, value: "file://judge.py"}]}]\n'
    )
    (pytester.path / "slip.battery.yaml").write_text('tests: [{"\\x1b[7m": 1}]\n')
    failed, slip = run("odd.battery.yaml").stdout.str(), run("slip.battery.yaml").stdout.str()

    assert "wrong �[2J�" in failed
    assert "source `bot �[31m`" in failed
    assert "�[7m" in slip
    assert not [
        mark for mark in ("\x1b[2J", "\u202e", "\x1b[31mx", "\x1b[5m", "\x1b[7m") if mark in failed + slip
    ]


def test_other_yaml_files_are_left_alone(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "test_settings.yaml").write_text("assertt: 1\n")

    assert run().ret == pytest.ExitCode.NO_TESTS_COLLECTED
