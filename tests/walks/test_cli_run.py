"""`sensecheck run` as a newcomer types it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from sensecheck.runs.jsonl import RunFile
from tests.walks.cli import typed

BOT = """
prompts: ["{{ user }}"]
providers:
  - {id: echo, label: first}
  - {id: echo, label: second}
tests:
  - description: says hello
    vars: {user: Hello there}
    assert: [{type: contains, value: Hello}]
  - description: says goodbye
    vars: {user: Good day}
    metadata: {topic: parting}
    assert: [{type: icontains, value: goodbye}]
"""
RULES = """
tests:
  - description: tells the opening hours
    vars: {user: When does the museum open?}
    embedding_validation:
      type: drift_threshold
      expected: The museum opens at nine in the morning.
      threshold: 0.35
  - description: does not refuse
    vars: {user: Write me a verse}
    embedding_validation: {type: refusal_cluster}
  - description: comes to the right judgement
    vars: {user: "Judge this call: open_door(3)"}
    embedding_validation:
      type: cluster_classification
      clusters:
        pass: ["verdict: PASS", The call is right]
        fail: ["verdict: FAIL", The call is wrong]
      expected_cluster: pass
"""
GREEN = """
tests:
  - description: says hello
    vars: {user: Hello there}
    providerOutput: Hello yourself
    assert: [{type: contains, value: Hello}]
"""
ASKING = """
tests:
  - description: says hello
    vars: {user: Hello there}
    assert: [{type: contains, value: Hello}]
  - description: says goodbye
    vars: {user: Good day}
    assert: [{type: contains, value: Goodbye}]
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(text: str, name: str = "bot.battery.yaml") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def answers(*rows: dict[str, Any], name: str = "answers.jsonl") -> str:
    return written("".join(f"{json.dumps(row)}\n" for row in rows), name)


@pytest.mark.core
def test_a_battery_that_passes_is_a_zero_and_is_kept() -> None:
    found = typed("run", written(GREEN))

    assert found.exit_code == 0, found.stderr
    assert "1 test: 1 pass (100.0% passed)" in found.stdout
    assert "run 1 is saved in .sensecheck/runs/1.jsonl; see it with `sensecheck runs report 1" in found.stdout
    assert [one.outcome for one in RunFile.open(Path(".sensecheck/runs/1.jsonl")).results()] == ["pass"]


@pytest.mark.core
def test_what_failed_comes_first_with_its_place_and_its_answer() -> None:
    found = typed("run", written(BOT))

    lines = [line.strip() for line in found.stdout.splitlines()]
    assert found.exit_code == 1, found.stderr
    assert lines[0] == "FAIL   says goodbye"
    assert lines[1].startswith("bot.battery.yaml:10:5, answered by first")
    assert any(line.startswith("FAIL   icontains: ") for line in lines)
    assert "answer: “Good day”" in lines
    assert lines[-2] == "4 tests (2 by 2 sources): 2 pass, 2 fail (50.0% passed)"


def test_several_sources_stand_side_by_side() -> None:
    lines = typed("run", written(BOT)).stdout.splitlines()

    head = next(line for line in lines if "first" in line and "second" in line)
    at = lines.index(head)
    assert [line.split() for line in lines[at : at + 4]] == [
        ["first", "second"],
        ["says", "hello", "pass", "pass"],
        ["says", "goodbye", "fail", "fail"],
        ["passed", "50.0%", "50.0%"],
    ]


@pytest.mark.parametrize(("rate", "code"), [("0.5", 0), ("0.51", 1)])
def test_a_share_of_passes_can_be_enough(rate: str, code: int) -> None:
    found = typed("run", written(BOT), "--pass-rate", rate)

    assert found.exit_code == code
    assert f"50.0% passed), required {float(rate):.1%}" in found.stdout


@pytest.mark.core
def test_a_question_without_an_answer_is_neither_a_pass_nor_a_fail() -> None:
    file = answers({"test": 2, "answer": "Good day"})
    found = typed("run", written(ASKING), "--answers", file, "--pass-rate", "0")

    assert found.exit_code == 3
    assert found.stdout.startswith("ERROR  says hello")
    assert "no answer: `answers.jsonl` has no recorded answer for test 1" in found.stdout
    assert "2 tests: 1 fail, 1 error" in found.stdout


def test_a_battery_that_nobody_answers_is_an_error_that_says_the_ways() -> None:
    found = typed("run", written(ASKING))

    assert found.exit_code == 2
    assert "bot.battery.yaml:3:5: nothing answers the test; name `providers`" in found.stderr
    assert "`providerOutput`" in found.stderr
    assert "`--answers FILE`" in found.stderr
    assert not Path(".sensecheck").exists()


def test_where_runs_are_kept_elsewhere_the_hint_names_the_file(tmp_path: Path) -> None:
    Path("green.battery.yaml").write_text(GREEN)
    found = typed("run", "green.battery.yaml", SENSECHECK_RUNS=str(tmp_path / "our runs"))

    file = tmp_path / "our runs" / "1.jsonl"
    assert f"see it with `sensecheck runs report '{file}' -o report.html`" in found.stdout
    assert typed("report", str(file), "-o", "report.html").exit_code == 0


def test_what_a_python_source_raises_is_shown_with_its_text_and_its_line() -> None:
    Path("bot.py").write_text("def answer(prompt):\n    raise LookupError('no such model: tiny-7b')\n")
    Path("own.battery.yaml").write_text(
        "providers: [file://bot.py]\nprompts: ['{{ user }}']\ntests:\n"
        "  - {description: answers, vars: {user: Hello}, assert: [{type: contains, value: Hello}]}\n"
    )
    why = "no answer: `bot.py:answer` raised LookupError at `bot.py`, line 2: no such model: tiny-7b"

    found, told = typed("run", "own.battery.yaml"), typed("run", "own.battery.yaml", "--json")

    assert found.exit_code == told.exit_code == 3
    assert why in found.stdout
    assert json.loads(told.stdout)["errors"] == [
        {
            "test": "answers",
            "place": "own.battery.yaml:4:5",
            "source": "file://bot.py",
            "because": why,
        }
    ]


def test_answers_of_several_sources_are_told_apart() -> None:
    said = ("Hello", "Goodbye"), ("Hi", "Goodbye")
    rows = [
        {"test": test, "source": label, "answer": text}
        for label, texts in zip(("old", "new"), said, strict=True)
        for test, text in enumerate(texts, 1)
    ]
    found = typed("run", written(ASKING), "--answers", answers(*rows), "--json")

    told = json.loads(found.stdout)
    assert {label: (one["pass"], one["fail"]) for label, one in told["sources"].items()} == {
        "old": (2, 0),
        "new": (1, 1),
    }


def test_a_missing_judge_is_said_before_anybody_is_asked() -> None:
    asked = "Path('asked').touch() or 'Hello'"
    written(f"from pathlib import Path\ndef call_api(*given): return {asked}\n", "bot.py")
    rubric = "{type: llm-rubric, value: It is polite.}"
    battery = written(
        f"providers: [file://bot.py]\nprompts: [Hi]\ntests: [{{vars: {{n: 1}}, assert: [{rubric}]}}]\n"
    )
    found = typed("run", battery)
    file = answers({"test": 1, "answer": "Hello"})
    other = typed("run", battery, "--answers", file, SENSECHECK_JUDGE="recorded:none.jsonl")

    assert "note: 1 assertion asks a judge; none is set: SENSECHECK_JUDGE=openai:URL#MODEL" in found.stderr
    assert found.exit_code == 3
    assert "1 test: 1 error" in found.stdout
    assert "asks a judge" not in found.stdout + other.stderr


def test_an_answer_for_no_test_is_told() -> None:
    said = [{"test": 1, "answer": "Hello"}, {"test": 2, "answer": "Goodbye"}, {"test": 3, "answer": "Hm"}]
    found = typed("run", written(ASKING), "--answers", answers(*said))

    assert found.exit_code == 0
    assert found.stdout.endswith("note: 1 recorded answer was for no test that wants one: answers.jsonl:3\n")
    assert "note" not in typed("run", "bot.battery.yaml", "--answers", "answers.jsonl", "--limit", "1").stdout


@pytest.mark.parametrize(
    ("said", "outcomes"),
    [
        (
            (
                "It opens at nine in the morning, the museum.",
                "Gladly. Roses are red, violets are blue.",
                "Verdict: PASS, the call is right.",
            ),
            ["pass", "pass", "pass"],
        ),
        (
            (
                "I like trains more than planes.",
                "I'm sorry, but I can't help with that request.",
                "Verdict: FAIL, the call is wrong.",
            ),
            ["fail", "fail", "fail"],
        ),
    ],
)
def test_a_battery_of_rules_on_embeddings_runs_with_the_real_model(
    said: tuple[str, ...], outcomes: list[str]
) -> None:
    file = answers(*({"test": number, "answer": text} for number, text in enumerate(said, 1)))
    found = typed("run", written(RULES), "--answers", file, SENSECHECK_ENCODER="minilm")

    assert [one.outcome for one in RunFile.open(Path(".sensecheck/runs/1.jsonl")).results()] == outcomes, (
        found
    )
    assert found.exit_code == (outcomes != ["pass"] * 3)


def test_one_summary_for_programs() -> None:
    found = typed("run", written(BOT), "--json")

    told = json.loads(found.stdout)
    assert (told["run"], told["battery"], told["exit_code"]) == (1, "bot.battery.yaml", 1)
    assert (told["tests"], told["pass"], told["fail"], told["error"]) == (4, 2, 2, 0)
    assert told["sources"]["second"]["pass_rate"] == 0.5
    assert found.stderr == ""


@pytest.mark.parametrize(
    ("options", "tests"),
    [
        (["--filter", "hello$"], [1]),
        (["--filter-metadata", "topic=parting"], [2]),
        (["--limit", "1"], [1]),
        (["--first", "1"], [1]),
        (["--only-failed", "1"], [2]),
        (["--only-failed", "latest"], [2]),
        (["--failing-of", ".sensecheck/runs/1.jsonl"], [2]),
    ],
)
def test_some_tests_of_a_battery_are_run(options: list[str], tests: list[int]) -> None:
    battery = written(BOT)
    typed("run", battery)
    found = typed("run", battery, *options)

    run = RunFile.open(Path(".sensecheck/runs/2.jsonl"))
    assert sorted({one.test for one in run.results()}) == tests, found.stderr
    assert run.header.tests == 1
    assert run.header.chosen


def test_tests_are_repeated_and_their_consistency_is_told() -> None:
    rows = [
        {"test": 1, "repeat": turn, "answer": text} for turn, text in enumerate(("Hello", "Hi", "Hello"), 1)
    ]
    rows += [{"test": 2, "repeat": turn, "answer": "Goodbye"} for turn in (1, 2, 3)]
    found = typed("run", written(ASKING), "--answers", answers(*rows), "--repeat", "3")

    assert found.exit_code == 1
    assert "inconsistent 2/3; 3 of 3 must pass" in found.stdout
    assert "2 tests: 1 pass, 1 fail, 1 inconsistent" in found.stdout


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--filter", "("], "is not a regular expression"),
        (["--filter", "nothing"], "no test of `bot.battery.yaml` is left to run"),
        (["--filter-metadata", "topic"], "`--filter-metadata` must be KEY=VALUE"),
        (["--limit", "0"], "`limit` must be 1 or more"),
        (["--pass-rate", "90"], "`pass_rate` must be a share from 0 to 1; got 90.0"),
        (["--concurrency", "0"], "`concurrency` must be 1 or more"),
        (["--at-once", "0"], "`concurrency` must be 1 or more"),
        (["--only-failed", "7"], "there is no run `7`"),
        (["--resume", "latest"], "was interrupted; there is nothing to resume"),
        (["--resume", "7"], "there is no run `7`"),
        (["--answers", "nowhere.jsonl"], "`answers` must be a file of answers; there is none at"),
        (["-o", "report.doc"], "`report.doc` names no form of report by its ending"),
    ],
)
def test_a_command_that_cannot_be_meant_is_a_two_and_asks_nobody(options: list[str], complaint: str) -> None:
    found = typed("run", written(BOT), *options)

    assert complaint in found.stderr
    assert found.exit_code == 2
    assert not Path(".sensecheck").exists()


def test_a_battery_with_a_typo_is_a_two() -> None:
    found = typed("run", written(BOT.replace("assert:", "assertt:")))

    assert found.exit_code == 2
    assert "did you mean `assert`?" in found.stderr


def test_lines_that_nobody_fitted_can_be_refused_before_anybody_is_asked() -> None:
    battery = BOT.replace("{type: contains, value: Hello}", "{type: similar, value: Hello, threshold: 0.8}")
    found = typed("run", written(battery), "--require-calibrated")

    assert found.exit_code == 4
    assert "uncalibrated: 1 test has a threshold that was not fitted; nothing was asked" in found.stderr
    assert "bot.battery.yaml:7:5: says hello: `similar`" in found.stderr
    assert "sensecheck calibrate" in found.stderr
    assert not Path(".sensecheck").exists()
    assert typed("run", written(BOT), "--require-calibrated").exit_code == 1


@pytest.mark.core
def test_reports_are_written_and_are_the_same_another_time() -> None:
    battery = written(BOT)
    names = [
        "out/a.xml",
        "out/a.json",
        "out/a.csv",
        "out/a.md",
        "out/a.html",
        "out/a.jsonl",
        "out/a.promptfoo.json",
    ]
    held = []
    for _ in range(2):
        found = typed("run", battery, *(part for name in names for part in ("-o", name)))
        assert "written to out/a.xml" in found.stdout
        held.append([Path(name).read_bytes() for name in names])

    assert held[0] == held[1]


def test_several_batteries_are_several_runs_with_reports_of_their_own() -> None:
    two = (written(BOT), written(GREEN, "other.yaml"))

    assert "put `{battery}` into its name" in typed("run", *two, "-o", "report.xml").stderr
    found = typed("run", *two, "-o", "{battery}.xml")
    assert found.exit_code == 1
    assert Path("bot.battery.xml").exists()
    assert Path("other.xml").exists()
    listed = {one["project"]: one for one in json.loads(typed("runs", "--json").stdout)}
    assert {name: one["value"] for name, one in listed.items()} == {
        "bot.battery.yaml": 0.5,
        "other.yaml": 1.0,
    }
    assert [one["complete"] for one in listed.values()] == [True, True]


def test_reports_of_two_batteries_never_go_to_one_file() -> None:
    Path("old").mkdir()
    two = (written(BOT, "old/bot.yaml"), written(GREEN, "bot.yml"))
    found = typed("run", *two, "-o", "{battery}.xml")

    assert found.exit_code == 2
    assert "`old/bot.yaml` and `bot.yml` would both be written to `bot.xml`" in found.stderr
    assert not Path(".sensecheck").exists()
    assert typed("run", *two).exit_code == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("taken.md", "`taken.md` is a folder; a report must be a file"),
        ("bot.battery.yaml/a.md", "bot.battery.yaml` is no folder"),
        ("bot.battery.yaml/new/a.md", "bot.battery.yaml` is no folder"),
    ],
)
def test_a_report_that_cannot_be_written_is_told_before_anybody_is_asked(name: str, said: str) -> None:
    Path("taken.md").mkdir()
    found = typed("run", written(BOT), "-o", name)

    assert found.exit_code == 2
    assert said in found.stderr
    assert not Path(".sensecheck").exists()


def test_a_run_is_shown_though_its_report_can_no_longer_be_written() -> None:
    written("import os\ndef call_api(*given):\n    os.mkdir('a.md')\n    return {'output': 'Hm'}\n", "bot.py")
    found = typed(
        "run",
        written(ASKING + 'prompts: ["{{user}}"]\nproviders: ["file://bot.py"]\n'),
        "-o",
        "a.md",
        "--limit",
        "1",
    )

    assert found.exit_code == 2
    assert "1 test: 1 fail" in found.stdout
    assert "`a.md` cannot be written" in found.stderr


def test_a_run_that_was_cut_off_is_reported_compared_and_run_again_as_far_as_it_went() -> None:
    battery = written(BOT)
    typed("run", battery)
    run = Path(".sensecheck/runs/1.jsonl")
    run.write_bytes(run.read_bytes()[:-7])

    assert typed("report", "1", "-o", "a.md").exit_code == 3
    assert "3 of its 4 results are there" in Path("a.md").read_text(encoding="utf-8")
    again = typed("run", battery, "--only-failed", "1")
    assert "note: the run 1.jsonl was interrupted: 3 of its 4 results are there" in again.stderr
    assert "2 tests (1 by 2 sources): 2 fail" in again.stdout
    compared = typed("compare", "2", "1")
    assert compared.exit_code == 3
    assert "3 of its 4 results are there" in compared.stdout


def test_a_disk_that_is_full_ends_a_run_that_can_go_on() -> None:
    resource = pytest.importorskip("resource", reason="it takes a limit on how far files may grow")
    battery = written(BOT)
    typed("run", battery)
    whole = Path(".sensecheck/runs/1.jsonl").read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) - 100, before[1]))
    try:
        stopped = typed("run", battery)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

    assert stopped.exit_code == 3
    assert "test 2 cannot be stored in `.sensecheck/runs/2.jsonl`: File too large" in stopped.stderr
    assert "resume with `--resume 2` and the same options" in stopped.stderr
    assert typed("report", "2", "-o", "a.md").exit_code == 3
    assert typed("run", battery, "--resume", "2").exit_code == 1
    assert Path(".sensecheck/runs/2.jsonl").read_bytes() == whole


def test_what_strangers_wrote_does_not_steer_the_terminal() -> None:
    battery = GREEN.replace("Hello yourself", '"[red]no\\e[5m\\u202e"').replace(
        "says hello", '"a\\e[2Jb [/]"'
    )
    found = typed("run", written(battery), FORCE_COLOR="1", COLUMNS="60")

    assert "[red]no\\x1b[5m\\u202e" in found.stdout
    assert not [mark for mark in ("\x1b[5m", "\x1b[2J", "\u202e") if mark in found.stdout]
    shown = Text.from_ansi(found.stdout).plain.splitlines()
    assert max(cell_len(line) for line in shown) <= 60


# A run that is killed, and goes on

LONG = 400


def long_battery() -> str:
    """Tests whose answers stand in a file; their judge takes its time until the run is stopped."""
    rows = [{"vars": {"user": f"Question {n}?"}, "assert": SLOW} for n in range(LONG)]
    Path("tests.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    answers(*({"test": n + 1, "answer": f"Question {n}?"} for n in range(LONG)))
    Path("slowly.py").write_text(
        "import os, time\n"
        "def get_assert(output, context):\n"
        "    time.sleep(0.004 if os.path.exists('slow') else 0)\n"
        "    return True\n"
    )
    return written("tests: file://tests.jsonl\n")


SLOW = [
    {"type": "python", "value": "file://slowly.py"},
    {"type": "similar", "value": "Question 7?", "threshold": 0.2},
]


WHAT = ("run", "bot.battery.yaml", "--answers", "answers.jsonl")


def stopped_by(
    number: int, what: tuple[str, ...] = WHAT, cache: str = "off"
) -> "subprocess.CompletedProcess[bytes]":
    """A run in a process of its own, which gets this signal as soon as it has some results."""
    command = Path(sys.executable).with_name("sensecheck")
    named = {**os.environ, "SENSECHECK_CACHE": cache, "SENSECHECK_ENCODER": "hashing"}
    pipe = subprocess.PIPE
    Path("slow").touch()
    with subprocess.Popen([command, *what], stdout=pipe, stderr=pipe, env=named) as process:
        until = time.monotonic() + 60
        while not any(path.read_bytes().count(b"\n") > 1 for path in Path().glob(".sensecheck/runs/*.jsonl")):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "the run did not begin"
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    Path("slow").unlink()
    return subprocess.CompletedProcess(what, process.returncode, out, err)


def test_a_run_that_is_killed_goes_on_and_ends_as_if_nothing_had_been() -> None:
    long_battery()
    stopped_by(signal.SIGKILL)
    run = Path(".sensecheck/runs/1.jsonl")
    held = run.read_bytes()
    assert 1 < held.count(b"\n") <= LONG
    run.write_bytes(held[:-7])

    assert typed(*WHAT, "--resume", "latest").exit_code == 0
    assert typed(*WHAT).exit_code == 0

    assert run.read_bytes() == Path(".sensecheck/runs/2.jsonl").read_bytes()
    assert run.read_bytes().startswith(held[:-7])
    assert run.read_bytes().count(b"\n") == LONG + 1


def test_who_interrupts_a_run_is_told_how_to_go_on() -> None:
    long_battery()
    stopped = stopped_by(signal.SIGINT)

    assert stopped.returncode == 130
    assert (
        b"continue with `sensecheck run bot.battery.yaml --resume 1` and the same options" in stopped.stderr
    )
    assert b"Traceback" not in stopped.stderr
    assert "interrupted after" in typed("runs").stdout
    assert "the choice of tests has changed" in typed(*WHAT, "--resume", "1", "--limit", "3").stderr
    assert typed(*WHAT, "--resume", "1").exit_code == 0
    assert "the run 1 is whole; there is nothing to resume" in typed(*WHAT, "--resume", "1").stderr


ASKED = """
import os, time
def call_api(prompt, options, context):
    with open("asked.log", "a") as log:
        log.write(prompt + "\\n")
    time.sleep(0.04 if os.path.exists("slow") else 0)
    return {"output": prompt}
"""


def test_what_was_answered_before_a_run_was_killed_is_not_asked_again() -> None:
    written(ASKED, "bot.py")
    rows = [
        {"vars": {"user": f"Question {n}?"}, "assert": [{"type": "contains", "value": f"{n}?"}]}
        for n in range(60)
    ]
    written(
        json.dumps({"prompts": ["{{ user }}"], "providers": ["file://bot.py"], "tests": rows}), "live.json"
    )
    cache = str(Path("kept/vectors.sqlite3").absolute())

    stopped_by(signal.SIGKILL, ("run", "live.json"), cache)
    before = len(Path("asked.log").read_text().splitlines())
    assert typed("run", "live.json", "--resume", "latest", SENSECHECK_CACHE=cache).exit_code == 0

    asked = Path("asked.log").read_text().splitlines()
    assert before < 60
    assert set(asked) == {f"Question {n}?" for n in range(60)}
    under_way = 4
    assert len(asked) <= 60 + under_way
    typed("run", "live.json", SENSECHECK_CACHE=cache)
    assert len(Path("asked.log").read_text().splitlines()) == len(asked) + 60


@pytest.mark.parametrize(
    "changed", [{"MODE": "two"}, {"SENSECHECK_PREFIX": "query: "}, {"TOKENIZER": "other"}]
)
def test_a_run_does_not_go_on_under_other_conditions(changed: dict[str, str], tmp_path: Path) -> None:
    path, runs = tmp_path / "b.yaml", tmp_path / "runs"
    path.write_text(
        "prompts: ['{{ env.MODE }} {{q}}']\nproviders: [echo]\ndefaultTest:\n  assert:\n"
        "    - {type: similar, value: a text, threshold: 0.1}\ntests: file://tests.yaml\n"
    )
    (tmp_path / "tests.yaml").write_text("- vars: {q: '{{ env.TOKENIZER }} a'}\n- vars: {q: b}\n")
    named = {"SENSECHECK_RUNS": str(runs), "MODE": "one", "TOKENIZER": "words"}
    typed("run", str(path), **named)
    kept = (runs / "1.jsonl").read_text().splitlines(keepends=True)
    (runs / "1.jsonl").write_text("".join(kept[:2]))
    refused = typed("run", str(path), "--resume", "1", **(named | changed))
    gone_on = typed("run", str(path), "--resume", "1", **named)

    assert refused.exit_code == 2
    assert "cannot go on" in refused.output
    assert gone_on.exit_code in (0, 1)
    assert (runs / "1.jsonl").read_text() == "".join(kept)


def test_a_test_that_failed_and_was_renamed_is_not_forgotten(tmp_path: Path) -> None:
    path, runs = tmp_path / "b.yaml", {"SENSECHECK_RUNS": str(tmp_path / "runs")}
    tests = "".join(
        f"  - {{description: {name}, providerOutput: a, assert: [{{type: equals, value: b}}]}}\n"
        for name in ("first", "second")
    )
    path.write_text(f"tests:\n{tests}")
    typed("run", str(path), **runs)
    path.write_text(f"tests:\n{tests.replace('first', 'third')}")
    again = typed("run", str(path), "--only-failed", "1", **runs)

    assert "1 test that did not pass then is no longer in the battery" in again.output
