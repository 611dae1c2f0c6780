"""A list of runs: what a complete run came to is read from its summary, and any other run itself."""

import os
from pathlib import Path

from sensecheck.batteries import BatteryRequest, run_battery
from sensecheck.config import Settings
from sensecheck.runs.find import open_place
from sensecheck.runs.jsonl import State, StoredSummary, summary_file
from sensecheck.runs.run_list import ListedRun, leftovers, listed_runs

BATTERY = """
tests:
  - providerOutput: The museum opens at nine.
    assert: [{type: contains, value: nine}]
  - providerOutput: It opens at ten.
    assert: [{type: contains, value: nine}]
"""


def a_run(folder: Path) -> Path:
    battery = folder / "bot.yaml"
    battery.write_text(BATTERY, encoding="utf-8")
    settings = Settings(encoder="hashing", runs=str(folder / "runs"))
    return run_battery(BatteryRequest(battery=battery, settings=settings)).file.path


def listed(path: Path) -> ListedRun:
    (one,) = listed_runs(open_place(f"suites:{path.parent}"))
    return one


def break_second_result(path: Path) -> None:
    """So that it cannot be read any more; the file is as large as before."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = b"x" * (len(lines[2]) - 1) + b"\n"
    path.write_bytes(b"".join(lines))


def test_a_complete_run_is_listed_without_reading_its_results(tmp_path: Path) -> None:
    path = a_run(tmp_path)
    written = path.stat()
    break_second_result(path)
    os.utime(path, ns=(written.st_atime_ns, written.st_mtime_ns))

    assert StoredSummary.of(path) == StoredSummary(written.st_size, results=2, tests=2, passed=1)
    assert (listed(path).value, listed(path).complete, listed(path).error) == (0.5, True, None)


def test_a_run_that_was_changed_is_read_again(tmp_path: Path) -> None:
    path = a_run(tmp_path)
    later = summary_file(path).stat().st_mtime_ns + 1
    break_second_result(path)
    os.utime(path, ns=(later, later))

    assert StoredSummary.of(path) is None
    assert listed(path).complete is False
    assert "line 3" in (listed(path).error or "")


def test_a_run_without_its_summary_or_with_a_damaged_one_is_read(tmp_path: Path) -> None:
    path = a_run(tmp_path)
    whole = listed(path)
    for damaged in (b"", b"{}", b"\xff", b'{"bytes":1,"results":1,"tests":1,"passed":1}'):
        summary_file(path).write_bytes(damaged)
        assert StoredSummary.of(path) is None
        assert listed(path) == whole
    summary_file(path).unlink()

    assert listed(path) == whole
    assert State.of(path).done == 2


def test_a_summary_whose_run_is_gone_is_removed(tmp_path: Path) -> None:
    path = a_run(tmp_path)
    place = open_place(f"suites:{path.parent}")
    assert leftovers(place) == []
    path.unlink()

    assert [one.name for one in leftovers(place, remove=True)] == ["1.summary.json"]
    assert list(path.parent.iterdir()) == []


def test_two_runs_of_the_same_tests_have_the_same_summary(tmp_path: Path) -> None:
    first, second = a_run(tmp_path), a_run(tmp_path)

    assert summary_file(first).read_bytes() == summary_file(second).read_bytes()
