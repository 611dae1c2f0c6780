"""Batteries as people write them for promptfoo: each says in a key of its own what must come of it."""

from pathlib import Path

import pytest
import yaml

from sensecheck.batteries.reader import read_battery
from sensecheck.core.errors import BatteryError
from sensecheck.runs.result import Result
from sensecheck.sense import Sense
from tests.batteries.whole import results_of

CORPUS = Path(__file__).parent / "corpus"
RUNS = sorted((CORPUS / "runs").glob("*.yaml"))
UNSUPPORTED = sorted((CORPUS / "unsupported").glob("*.yaml"))


def test_there_are_enough_of_them() -> None:
    assert len(RUNS) >= 80
    assert len(UNSUPPORTED) >= 15


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_battery_comes_out_as_it_says(path: Path, sense: Sense) -> None:
    expected = yaml.safe_load(path.read_text())["x-expect"]
    results = results_of(path, sense)

    found = [result.outcome for result in results]
    assert found == expected, [result.verdict.because for result in results]


@pytest.mark.parametrize("path", UNSUPPORTED, ids=lambda path: path.stem)
def test_what_is_not_supported_is_an_error_by_name_and_line(path: Path) -> None:
    wrong = yaml.safe_load(path.read_text())["x-wrong"]

    with pytest.raises(BatteryError) as caught:
        read_battery(path, environment={})
    place, _, message = str(caught.value).partition(" ")
    assert place.startswith(f"{path}:{wrong['line']}:"), caught.value
    assert wrong["says"] in message


def test_a_metric_within_a_set_is_told_too(tmp_path: Path, sense: Sense) -> None:
    path = tmp_path / "battery.yaml"
    path.write_text(
        "tests:\n  - providerOutput: alpha\n    assert:\n      - type: assert-set\n        threshold: 0.5\n"
        "        assert:\n          - {type: contains, value: alpha, metric: First}\n"
        "          - {type: contains, value: beta, metric: Second}\n"
    )
    (result,) = results_of(path, sense)

    assert {score.metric: score.score for score in result.each_score() if score.metric} == {
        "First": 1.0,
        "Second": 0.0,
    }
    assert Result.from_data(result.to_data()) == result
