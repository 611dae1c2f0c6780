"""What goes wrong in large runs: one row, one file, the disk, or whoever drives; all else is finished."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import NoWorkers, StorageError, StorageFull, Unreachable
from sensecheck.execution.executor import Executor, Inline
from sensecheck.execution.object_store import location_of
from sensecheck.execution.processes import Processes
from tests.execution.runs import (
    POISON,
    as_bytes,
    driven,
    manifest_of,
    pairs,
    planned,
    results_in,
    written,
)
from tests.process_table import is_gone, until, workers_of

pytestmark = pytest.mark.fault


def poisoned(count: int, *bad: int) -> list[dict[str, Any]]:
    """Rows of which some cannot be survived."""
    return [row | {"answer": POISON} if at in bad else row for at, row in enumerate(pairs(count))]


@pytest.mark.parametrize(
    ("deed", "executor", "shard_rows", "because"),
    [
        ("raise", Inline(), 8, "it could not be read: ZeroDivisionError in runs.py:"),
        ("exit", Processes(1), 2, "it could not be read: its process ended with exit code 7"),
    ],
)
def test_a_row_that_nobody_survives_is_an_error_and_all_others_are_read(
    deed: str, executor: Executor, shard_rows: int, because: str, tmp_path: Path
) -> None:
    plan = planned([written(tmp_path / "in.parquet", poisoned(20, 17))], shard_rows=shard_rows)
    place, healthy = location_of(str(tmp_path / "out")), location_of(str(tmp_path / "healthy"))

    steps = driven(place, plan, executor, deed)
    driven(healthy, plan)

    rows, wanted = results_in(place).to_pylist(), results_in(healthy).to_pylist()
    bad = rows.pop(17)
    wanted.pop(17)
    assert (bad["id"], bad["status"], bad["semantic_similarity"]) == ("q17", "error", None)
    assert bad["reason"].startswith(because)
    assert [row["id"] for row in rows] == [row["id"] for row in wanted]
    assert {row["status"] for row in rows} == {"ok"}
    assert (manifest_of(place).rows, manifest_of(place).errors, steps[-1].errors) == (20, 1, 1)


def test_an_encoder_that_survives_nothing_ends_the_run(tmp_path: Path) -> None:
    plan = planned([written(tmp_path / "in.parquet", poisoned(300, *range(300)))])

    with pytest.raises(NoWorkers, match="50 tasks failed in a row, the last one since ZeroDivisionError"):
        driven(location_of(str(tmp_path / "out")), plan, Inline(), "raise")


def test_an_encoder_that_is_away_ends_the_run_which_goes_on_when_it_is_back(tmp_path: Path) -> None:
    plan = planned([written(tmp_path / "in.parquet", poisoned(300, 150))], shard_rows=40)
    place, elsewhere = location_of(str(tmp_path / "out")), location_of(str(tmp_path / "elsewhere"))

    with pytest.raises(Unreachable, match="does not answer"):
        driven(place, plan, Processes(1), "be away")
    driven(place, plan)
    driven(elsewhere, plan)

    assert as_bytes(results_in(place)) == as_bytes(results_in(elsewhere))
    assert manifest_of(place).errors == 0


def test_a_corrupt_file_is_a_gap_and_the_others_are_read(tmp_path: Path) -> None:
    good, bad = written(tmp_path / "a.parquet", pairs(100)), tmp_path / "b.parquet"
    bad.write_bytes(Path(good).read_bytes()[:-400])
    place = location_of(str(tmp_path / "out"))

    driven(place, planned([good, str(bad)]))

    (gap,) = manifest_of(place).gaps
    assert gap.input == str(bad)
    assert gap.because
    assert results_in(place).num_rows == manifest_of(place).rows == 100


def test_a_row_of_ten_megabytes_is_an_error_and_the_others_are_read(tmp_path: Path) -> None:
    rows = pairs(50)
    rows[7]["answer"] = "x" * 10_000_000
    place = location_of(str(tmp_path / "out"))

    driven(place, planned([written(tmp_path / "in.parquet", rows)]))

    results = results_in(place).to_pylist()
    assert [row["id"] for row in results if row["status"] == "error"] == ["q7"]
    assert len(results) == 50


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    plan = planned([written(tmp_path / "in.parquet", pairs(10))])

    with pytest.raises(StorageError, match="file"):
        driven(location_of(str(tmp_path / "file" / "out")), plan)


@pytest.fixture
def small_disk(tmp_path: Path) -> Any:
    """A disk with room for next to nothing."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk to fill")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_ends_the_run_which_goes_on_when_there_is_room(small_disk: Path, tmp_path: Path) -> None:
    plan = planned([written(tmp_path / "in.parquet", pairs(1000))])
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 200 * 1024)
    place, elsewhere = location_of(str(small_disk / "out")), location_of(str(tmp_path / "out"))

    with pytest.raises(StorageFull):
        driven(place, plan)
    ballast.unlink()
    driven(place, plan)
    driven(elsewhere, plan)

    assert as_bytes(results_in(place)) == as_bytes(results_in(elsewhere))


def test_a_disk_that_may_only_be_read_is_named_before_anything_is_done(
    small_disk: Path, tmp_path: Path
) -> None:
    plan = planned([written(tmp_path / "in.parquet", pairs(10))])
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)

    with pytest.raises(StorageError, match=r"disk/out` may not be written: Read-only file system"):
        driven(location_of(str(small_disk / "out")), plan)


def test_a_finished_run_can_be_asked_for_where_nothing_may_be_written(
    small_disk: Path, tmp_path: Path
) -> None:
    place = location_of(str(small_disk / "out"))
    plan = planned([written(tmp_path / "in.parquet", pairs(10))])
    driven(place, plan)
    (small_disk / "out" / "routed").mkdir()
    (small_disk / "out" / "routed" / "left.arrow").touch()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)

    assert driven(place, plan) == []


DRIVER = """
import sys, time
from functools import partial
from sensecheck.execution.processes import Processes
from sensecheck.execution.driver import run_shards
from sensecheck.execution.object_store import location_of
from tests.execution.runs import make, planned
if __name__ == "__main__":
    place, plan = location_of(sys.argv[1]), planned([sys.argv[2]])
    for _ in run_shards(place, plan, Processes(2), partial(make, place.address)):
        if len(place.names("results")) >= 2:
            time.sleep(600)
"""


def test_a_driver_that_is_killed_leaves_nobody_behind_and_the_run_goes_on(tmp_path: Path) -> None:
    place, given = location_of(str(tmp_path / "out")), written(tmp_path / "in.parquet", pairs(1000))
    (tmp_path / "drive.py").write_text(DRIVER)
    driver = subprocess.Popen(
        [sys.executable, tmp_path / "drive.py", place.address, given],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    until(lambda: driver.poll() is not None or len(place.names("results")) >= 2)
    workers = workers_of(driver.pid)

    driver.send_signal(signal.SIGKILL)
    driver.wait()

    assert len(workers) == 2
    until(lambda: all(is_gone(worker) for worker in workers))
    before = {name: (tmp_path / "out" / name).stat().st_mtime_ns for name in place.names("results")}
    driven(place, planned([given]))
    elsewhere = location_of(str(tmp_path / "elsewhere"))
    driven(elsewhere, planned([given]))
    assert all((tmp_path / "out" / name).stat().st_mtime_ns == when for name, when in before.items())
    assert as_bytes(results_in(place)) == as_bytes(results_in(elsewhere))
    assert not list((tmp_path / "out").glob(".scratch/*"))
