"""No slip of the pen goes unnoticed: each is told with its line, and nothing is run."""

import re
from pathlib import Path

import pytest

from sensecheck.batteries.reader import read_battery
from sensecheck.core.errors import BatteryError
from tests.batteries.typos import RIGHT, SLIPS
from tests.walks.cli import typed


def test_the_battery_is_right_before_it_is_spoiled(tmp_path: Path) -> None:
    path = tmp_path / "right.yaml"
    path.write_text(RIGHT)

    assert len(list(read_battery(path, environment={}).read_tests())) == 2
    assert len(set(SLIPS)) >= 60


@pytest.mark.parametrize(("right", "slip"), SLIPS, ids=[" -> ".join(map(repr, pair)) for pair in SLIPS])
def test_a_slip_is_told_with_its_place(right: str, slip: str, tmp_path: Path) -> None:
    assert RIGHT.count(right) == 1, "the slip is made at one place"
    path = tmp_path / "battery.yaml"
    path.write_text(RIGHT.replace(right, slip))

    with pytest.raises(BatteryError) as caught:
        read_battery(path, environment={})
    for line in str(caught.value).splitlines():
        assert re.match(rf"{re.escape(str(path))}:\d+:\d+: .", line), caught.value


def test_a_slip_ends_the_command_before_anything_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "battery.yaml"
    path.write_text(
        RIGHT.replace("    assert:\n      - type: contains", "    assertt:\n      - type: contains")
    )
    done = typed("run", str(path), SENSECHECK_RUNS=str(tmp_path / "runs"))

    assert done.exit_code == 2
    assert f"{path}:25:5" in done.output.replace("\n", "")
    assert "assert" in done.output
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(("providers", "code"), [("[echo]", 2), ("['recorded:answers.jsonl']", 0)])
def test_a_test_that_asks_nothing_wants_an_answer_that_is_there(
    providers: str, code: int, tmp_path: Path
) -> None:
    path = tmp_path / "battery.yaml"
    path.write_text(
        f"providers: {providers}\ntests:\n  - vars: {{usr: hi}}\n    assert: [{{type: contains, value: x}}]\n"
    )
    (tmp_path / "answers.jsonl").write_text('{"test": 1, "answer": "xyz"}\n')
    done = typed("run", str(path), SENSECHECK_RUNS=str(tmp_path / "runs"))

    assert done.exit_code == code, done.output
    assert ("nothing is asked" in done.output.replace("\n", " ")) == (code == 2)


def test_batteries_are_found_by_their_usual_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nothing = typed("run")
    (tmp_path / "a.battery.yaml").write_text(
        "tests: [{providerOutput: a, assert: [{type: equals, value: a}]}]"
    )
    found = typed("run")

    assert nothing.exit_code == 2
    assert "`*.battery.yaml`" in nothing.output
    assert found.exit_code == 0, found.output
