"""Results are read where they lie, and only those that the manifest lists."""

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.execution.manifest import begun
from sensecheck.execution.object_store import location_of
from sensecheck.runs.large_place import LargeRunPlace
from sensecheck.runs.parquet import FinishedRun, QueryLimits, finished_run, tables
from sensecheck.runs.summary import RunSummary, summary_of
from tests.runs.large_runs import COUNT, a_run, rows


def by_topic(finished: FinishedRun) -> RunSummary:
    place = LargeRunPlace(finished)
    return summary_of(place, place.run("latest"), by="topic")


def test_a_run_in_a_store_is_read_through_its_place(tmp_path_factory: pytest.TempPathFactory) -> None:
    local = a_run(tmp_path_factory.mktemp("local") / "one", rows())
    stored = a_run("memory://bucket/one", rows())

    found, wanted = by_topic(stored), by_topic(local)
    assert LargeRunPlace(stored).address == "parquet:memory://bucket/one"
    assert found.totals == wanted.totals
    assert (found.lie, found.slices) == (wanted.lie, wanted.slices)


def test_a_file_that_no_manifest_lists_is_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("listed") / "one"
    run = a_run(folder, rows())
    assert len(list((folder / "results").iterdir())) == len(run.manifest.entries) + 1

    with tables({"results": run}, QueryLimits()) as connection:
        assert connection.execute("SELECT count(*) FROM results").fetchall() == [(COUNT,)]


def test_nothing_is_fetched_and_memory_and_threads_are_bounded(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    run = a_run(tmp_path_factory.mktemp("bounded") / "one", rows(20))
    with tables({"results": run}, QueryLimits(100, threads=1)) as connection:
        wanted = ("autoinstall_known_extensions", "autoload_known_extensions", "threads", "memory_limit")
        told = dict(
            connection.execute(
                "SELECT name, value FROM duckdb_settings() WHERE name IN $names", {"names": wanted}
            ).fetchall()
        )
    assert told == {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "threads": "1",
        "memory_limit": "95.3 MiB",
    }


def test_a_run_that_is_not_finished_says_how_far_it_has_come(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("begun")
    plan = a_run(folder / "whole", rows()).plan
    begun(location_of(str(folder / "half")), plan)

    with pytest.raises(SpecError, match="is not finished: 0 of 2 pieces of its inputs are routed; run the"):
        finished_run(str(folder / "half"))
    (folder / "half" / "routed").mkdir()
    for number in range(2):
        (folder / "half" / "routed" / f"{plan.piece_id(number)}.parquet").touch()
    with pytest.raises(SpecError, match="0 files of results are there, and no manifest"):
        finished_run(str(folder / "half"))
    with pytest.raises(SpecError, match="holds no run"):
        finished_run(str(folder))
