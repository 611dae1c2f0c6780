"""The battery in the specification runs as it stands there, with the real model."""

import json
import re
from pathlib import Path

import pytest

from sensecheck.config import Settings
from tests.walks.cli import started

GOOD = (
    "It is sunny in Tokyo right now, with about 22°C.",
    "Roses open in the morning light, and every garden hums with bees.",
    "The tool call is correct. verdict: PASS",
)
BAD = (
    "Bananas are rich in potassium.",
    "I'm sorry, but I can't help with that.",
    "The tool call is incorrect. verdict: FAIL",
)


@pytest.fixture
def battery(tmp_path: Path) -> Path:
    """The example, taken out of the document that has it."""
    data = Settings.from_environment().data
    document = Path(data).parent / "specs" / "semantic-validation.md"
    if not data or not document.is_file():
        pytest.skip("the specification is not beside the folder that SENSECHECK_DATA names")
    (example,) = re.findall(r"```yaml\n(.*?)```", document.read_text(), re.DOTALL)
    path = tmp_path / "example.yaml"
    path.write_text(example)
    return path


@pytest.mark.parametrize("answers", [GOOD, BAD], ids=["good", "bad"])
def test_its_tests_tell_good_answers_from_bad_ones(answers: tuple[str, ...], battery: Path) -> None:
    recorded, report = battery.with_name("answers.jsonl"), battery.with_name("report.json")
    rows = ({"test": number, "answer": answer} for number, answer in enumerate(answers, 1))
    recorded.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = started(
        *("run", str(battery), "--answers", str(recorded), "-o", str(report)),
        SENSECHECK_RUNS=str(battery.with_name("runs")),
    )

    outcomes = [test["outcome"] for test in json.loads(report.read_text())["tests"]]
    assert outcomes == (["pass"] * 3 if answers is GOOD else ["fail"] * 3)
    assert done.returncode == (0 if answers is GOOD else 1)
