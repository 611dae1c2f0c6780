"""Batteries that tests write down and read back."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from sensecheck.batteries.battery import Battery, BatteryTest
from sensecheck.batteries.reader import read_battery
from sensecheck.core.errors import BatteryError


def battery(
    folder: Path, text: str, environment: Mapping[str, str] | None = None, /, **files: str
) -> Battery:
    """The battery that the text is; other files are named `tests_csv` for `tests.csv`."""
    for name, content in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(dedent(content), encoding="utf-8")
    path = folder / "b.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return read_battery(path, environment=environment or {})


def cases_of(
    folder: Path, text: str, environment: Mapping[str, str] | None = None, /, **files: str
) -> list[BatteryTest]:
    """Its tests."""
    return list(battery(folder, text, environment, **files).read_tests())


def wrong(folder: Path, text: str, **files: str) -> list[str]:
    """What is wrong with the battery, line by line, without the folder."""
    try:
        battery(folder, text, **files)
    except BatteryError as told:
        return str(told).replace(f"{folder}/", "").splitlines()
    raise AssertionError("the battery is read without a word")
