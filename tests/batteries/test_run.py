"""A battery run as a notebook runs it: a request, one call, a result."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensecheck.batteries import (
    BatteryProgress,
    BatteryRequest,
    BatteryRun,
    BatteryStarted,
    ReportWritten,
    TestFilter,
    battery_steps,
    lint_battery,
    run_battery,
)
from sensecheck.batteries.request import batteries_in
from sensecheck.batteries.run import UncalibratedThresholds
from sensecheck.config import Settings
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.runs.jsonl import RunFile

LIBRARY = """
prompts: ["{{ user }}"]
providers: [echo]
tests:
  - description: says hello
    vars: {user: Hello there}
    assert: [{type: similar, value: Hello there, threshold: 0.9}]
  - description: says goodbye
    vars: {user: Good day}
    assert: [{type: icontains, value: goodbye}]
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(encoder="hashing", verifier="off", cache="off", runs=str(tmp_path / "runs"))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.battery.yaml"
    path.write_text(LIBRARY)
    return path


def test_a_battery_is_run_in_one_call(library: Path, settings: Settings) -> None:
    seen: list[BatteryProgress] = []

    run = run_battery(BatteryRequest(battery=library, settings=settings), seen.append)

    assert (run.number, run.outcome, run.tally.pass_rate) == (1, "fail", 0.5)
    assert [(one.first.description, one.outcome) for one in run.tests()] == [
        ("says hello", "pass"),
        ("says goodbye", "fail"),
    ]
    assert [(step.done, step.total, step.result.outcome) for step in seen] == [(1, 2, "pass"), (2, 2, "fail")]
    assert run.to_data()["fail"] == 1
    assert run.notes == ()
    assert "Overview" not in repr(run)


def test_its_steps_are_the_start_the_results_the_run_and_the_reports(
    library: Path, settings: Settings, tmp_path: Path
) -> None:
    reports = (tmp_path / "{battery}.xml", str(tmp_path / "all.html"))

    steps = list(battery_steps(BatteryRequest(battery=str(library), reports=reports, settings=settings)))

    assert [type(step) for step in steps] == [
        BatteryStarted,
        BatteryProgress,
        BatteryProgress,
        BatteryRun,
        ReportWritten,
        ReportWritten,
    ]
    assert steps[0] == BatteryStarted(library, 1, 2, ())
    assert [step.path.name for step in steps if isinstance(step, ReportWritten)] == [
        "library.battery.xml",
        "all.html",
    ]
    assert "says goodbye" in (tmp_path / "library.battery.xml").read_text()


def test_every_result_is_stored_before_it_is_reported(library: Path, settings: Settings) -> None:
    steps = battery_steps(BatteryRequest(battery=library, settings=settings))
    stored = settings.runs_folder() / "1.jsonl"

    for step in steps:
        if isinstance(step, BatteryProgress):
            assert len(list(RunFile.open(stored).results())) >= step.done


def test_a_run_that_was_left_is_resumed(library: Path, settings: Settings) -> None:
    whole = run_battery(BatteryRequest(battery=library, settings=settings)).file.path
    held = whole.read_text()
    whole.write_text("".join(held.splitlines(keepends=True)[:2]))

    steps = list(battery_steps(BatteryRequest(battery=library, resume="latest", settings=settings)))

    assert whole.read_text() == held
    assert [step.done for step in steps if isinstance(step, BatteryProgress)] == [1, 2]


def test_a_run_that_a_caller_stops_can_be_resumed(library: Path, settings: Settings) -> None:
    steps = battery_steps(BatteryRequest(battery=library, settings=settings))
    assert isinstance(steps, Iterator)
    next(steps)
    del steps

    run = run_battery(BatteryRequest(battery=library, resume="1", settings=settings))

    assert (run.number, run.tally.total) == (1, 2)


def test_only_tests_that_failed_are_run_again_and_what_is_missing_is_noted(
    library: Path, settings: Settings
) -> None:
    first = run_battery(BatteryRequest(battery=library, settings=settings))
    again = BatteryRequest(battery=library, only_failed="latest", settings=settings)
    assert [one.first.test for one in run_battery(again).tests()] == [2]

    by_file = BatteryRequest(battery=library, only_failed=first.file.path, settings=settings)
    extra = "  - {description: new, vars: {user: x}, assert: [{type: contains, value: x}]}\n"
    library.write_text(LIBRARY.replace("says goodbye", "renamed") + extra)
    with pytest.raises(SpecError, match=r"matches the tests that did not pass in `1.jsonl`"):
        battery_steps(by_file)


def test_an_interrupted_run_and_unused_answers_are_noted(
    library: Path, settings: Settings, tmp_path: Path
) -> None:
    first = run_battery(BatteryRequest(battery=library, settings=settings)).file.path
    lines = first.read_text().splitlines(keepends=True)
    first.write_text("".join([lines[0], lines[2]]))
    again = run_battery(BatteryRequest(battery=library, only_failed="1", settings=settings))
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(f'{{"test": {n}, "answer": "Goodbye"}}\n' for n in (1, 2, 3)))

    run = run_battery(BatteryRequest(battery=library, answers=answers, settings=settings))

    assert again.notes == (
        "the run 1.jsonl was interrupted: 1 of its 2 results are there; tests that it did not reach are not "
        "run now",
    )
    assert run.notes == ("1 recorded answer was for no test that wants one: answers.jsonl:3",)
    assert [one.outcome for one in run.tests()] == ["fail", "pass"]

    library.write_text(LIBRARY.replace("vars: {user: Good", "providerOutput: Goodbye\n    vars: {user: Good"))
    run = run_battery(BatteryRequest(battery=library, answers=answers, settings=settings))
    assert run.notes == (
        "1 test has an answer of its own (`providerOutput`), which is judged instead of any in "
        "`answers.jsonl`",
        "2 recorded answers were for no test that wants one: answers.jsonl:2, answers.jsonl:3",
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pass_rate": 90}, "`pass_rate` must be a share from 0 to 1; got 90"),
        ({"concurrency": 0}, "`concurrency` must be 1 or more; got 0"),
        ({"second_opinion": True}, "`second_opinion` needs a judge"),
        (
            {"answers": "nowhere.jsonl"},
            "`answers` must be a file of answers; there is none at `nowhere.jsonl`",
        ),
        ({"reports": ["report.doc"]}, "`report.doc` names no form of report"),
        ({"only_failed": "7"}, "there is no run `7`"),
    ],
)
def test_a_request_that_cannot_be_met_is_an_error_at_once(
    wrong: dict[str, Any], said: str, library: Path, settings: Settings
) -> None:
    with pytest.raises(SpecError, match=said):
        battery_steps(BatteryRequest(battery=library, settings=settings, **wrong))
    assert not settings.runs_folder().exists()


def test_thresholds_that_were_not_fitted_are_refused_with_their_tests(
    library: Path, settings: Settings
) -> None:
    with pytest.raises(UncalibratedThresholds, match="1 test has a threshold that was not fitted") as refused:
        battery_steps(BatteryRequest(battery=library, require_calibrated=True, settings=settings))

    assert [(one.description, one.checks) for one in refused.value.tests] == [("says hello", ("similar",))]


def test_a_share_of_passes_can_be_enough(library: Path, settings: Settings) -> None:
    enough = BatteryRequest(battery=library, pass_rate=0.5, settings=settings)
    first = BatteryRequest(battery=library, tests=TestFilter(limit=1), settings=settings)

    assert run_battery(enough).outcome == run_battery(first).outcome == "pass"


def test_no_battery_is_run_before_all_are_read(library: Path, settings: Settings, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("tests: [{assertt: []}]")
    requests = [BatteryRequest(battery=path, settings=settings) for path in (library, wrong)]

    with pytest.raises(BatteryError, match="did you mean `assert`"):
        battery_steps(*requests)
    both = [step for step in battery_steps(*[requests[0]] * 2) if isinstance(step, BatteryRun)]
    assert [run.number for run in both] == [1, 2]


def test_a_folder_has_its_batteries(library: Path, tmp_path: Path) -> None:
    assert batteries_in(tmp_path) == [library]
    with pytest.raises(SpecError, match=r"this folder has none; looked for `\*.battery.yaml`"):
        batteries_in(tmp_path / "empty")


def test_a_battery_is_linted_in_one_call(library: Path, settings: Settings) -> None:
    assert lint_battery(library, settings=settings) == []
    library.write_text(LIBRARY.replace(", threshold: 0.9", ""))

    (finding,) = lint_battery(str(library), settings=settings)

    assert (finding.rule, finding.place) == ("no-threshold", f"{library}:7:21")
