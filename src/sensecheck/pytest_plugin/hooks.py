"""What pytest calls; nothing heavy comes along before a test or a battery wants it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sensecheck.sense import Sense

# ruff: noqa: PLC0415 - every pytest run of an environment loads this file, whether it has batteries or not

ENDINGS = (".battery.yaml", ".battery.yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option: where the answers come from, instead of from a battery's own sources."""
    parser.getgroup("sensecheck").addoption(
        "--battery-answers",
        metavar="FILE",
        help="Judge the answers in this file and ask nobody: .jsonl, .csv, a run, results of promptfoo.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A battery is a file of tests."""
    if not file_path.name.endswith(ENDINGS):
        return None
    from sensecheck.pytest_plugin.collecting import BatteryFile

    answers = parent.config.getoption("--battery-answers")
    path = None if answers is None else parent.config.invocation_params.dir / answers
    collected: BatteryFile = BatteryFile.from_parent(parent, path=file_path, answers=path)
    return collected


@pytest.fixture(scope="session")
def sense() -> "Sense":
    """The friendly face, as the settings say: `sense.expect(answer).means(reference)`."""
    from sensecheck.sense import shared_sense

    return shared_sense()
