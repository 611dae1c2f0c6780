"""Large runs from their inputs to the manifest, with real files and real processes."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sensecheck.core.backends import Backends
from sensecheck.core.errors import SpecError
from sensecheck.encoders.disk_cache import CachedPairs
from sensecheck.execution.driver import Worker, run_shards
from sensecheck.execution.executor import Inline
from sensecheck.execution.object_store import location_of
from sensecheck.execution.processes import Processes
from sensecheck.io.blobcache import PairFile
from sensecheck.tables.assess import Assessor
from sensecheck.tables.order import TableOrder
from tests.execution.runs import as_bytes, driven, make, manifest_of, pairs, planned, results_in, written
from tests.scorers import CountingScorer


@pytest.mark.slow
def test_processes_give_the_same_results_to_the_bit_as_one_process(tmp_path: Path) -> None:
    inputs = [written(tmp_path / f"{part}.parquet", pairs(1000)) for part in "ab"]
    plan = planned(inputs)
    here, there = location_of(str(tmp_path / "here")), location_of(str(tmp_path / "there"))

    driven(here, plan)
    driven(there, plan, Processes(2))

    assert as_bytes(results_in(here)) == as_bytes(results_in(there))
    assert manifest_of(here) == manifest_of(there)
    assert results_in(here).num_rows == manifest_of(here).rows == 2000
    assert len(manifest_of(here).entries) >= 10


def test_every_row_stands_in_the_results_once_with_what_it_brought(tmp_path: Path) -> None:
    place = location_of(str(tmp_path / "out"))
    driven(place, planned([written(tmp_path / "in.parquet", pairs(1000))]))

    results = results_in(place)
    assert results.column_names == [
        *("_input", "_row", "id", "topic"),
        *("semantic_similarity", "squad_token_f1", "status", "reason"),
    ]
    assert results["_row"].to_pylist() == list(range(1000))
    assert results["id"].to_pylist() == [f"q{number}" for number in range(1000)]
    assert set(results["status"].to_pylist()) == {"ok"}
    assert manifest_of(place).aggregates["rows"] == 1000


def test_all_answers_to_one_reference_meet_in_one_shard(tmp_path: Path) -> None:
    place = location_of(str(tmp_path / "out"))
    inputs = [written(tmp_path / f"{part}.parquet", pairs(500)) for part in "ab"]
    driven(place, planned(inputs))

    met: dict[int, set[str]] = {}
    for entry in manifest_of(place).entries:
        with place.open(entry.name) as file:
            for row in pq.read_table(file).to_pylist():
                number = int(row["id"][1:])
                met.setdefault(number % 97 * 13 + number % 13, set()).add(entry.shard)
    assert all(len(shards) == 1 for shards in met.values())


def test_a_pair_is_scored_once_in_a_run_and_never_again_where_scores_are_kept(tmp_path: Path) -> None:
    rows = [
        {
            "id": str(at),
            "topic": "t",
            "answer": f"It opens at {at % 5}.",
            "expected": f"Museum {at % 7} opens at {at % 5}.",
        }
        for at in range(210)
    ]
    order = TableOrder(
        ("entailment",), (), {"answer": "answer", "expected": "expected", "id": "id"}, at_once=8
    )
    plan = planned([written(tmp_path / "rows.parquet", rows)], shard_rows=50, order=order)
    kept = PairFile(tmp_path / "pairs.sqlite3", max_bytes=10**8)
    first, second = CountingScorer(), CountingScorer()
    tables = []
    for name, scorer in (("one", CachedPairs(first, kept)), ("two", CachedPairs(second, kept))):
        place = location_of(str(tmp_path / name))
        worker = partial(Worker, place, plan, Assessor(order, Backends(pairs=scorer)))
        list(run_shards(place, plan, Inline(), worker))
        tables.append(results_in(place))

    assert len(first.asked) == len(set(first.asked)) == 2 * 35
    assert second.asked == []
    assert as_bytes(tables[0]) == as_bytes(tables[1])
    assert tables[0]["status"].to_pylist() == ["ok"] * 210


def test_steps_tell_how_far_a_run_is(tmp_path: Path) -> None:
    place = location_of(str(tmp_path / "out"))
    steps = driven(place, planned([written(tmp_path / "in.parquet", pairs(1000))]))

    phases = list(dict.fromkeys(step.phase for step in steps))
    assert phases == ["routing", "assessing", "writing"]
    for phase in phases:
        done = [step.done for step in steps if step.phase == phase]
        assert done == sorted(done)
    assert (steps[-1].done, steps[-1].total, steps[-1].errors) == (1000, 1000, 0)


def test_a_finished_run_is_not_done_again(tmp_path: Path) -> None:
    place, plan = location_of(str(tmp_path / "out")), planned([written(tmp_path / "in.parquet", pairs(100))])
    driven(place, plan)

    def nobody() -> Callable[[Any], Any]:
        raise AssertionError("a worker was made")

    assert list(run_shards(place, plan, Inline(), nobody)) == []


def test_a_finished_run_keeps_no_copy_of_its_inputs(tmp_path: Path) -> None:
    place, plan = location_of(str(tmp_path / "out")), planned([written(tmp_path / "in.parquet", pairs(100))])
    driven(place, plan)
    assert place.names("routed") == []

    (tmp_path / "out" / "routed").mkdir()
    (tmp_path / "out" / "routed" / "ab12.arrow").write_bytes(b"left by somebody who was killed")
    driven(place, plan)
    assert place.names("routed") == []


def test_who_drives_a_run_that_somebody_else_has_finished_meanwhile_ends(tmp_path: Path) -> None:
    place, plan = location_of(str(tmp_path / "out")), planned([written(tmp_path / "in.parquet", pairs(500))])
    slow = run_shards(place, plan, Inline(), partial(make, place.address))
    assert next(step for step in slow if step.phase == "assessing").rows == 0

    driven(place, plan)

    assert [step.phase for step in slow] == []
    assert results_in(place).num_rows == 500


def test_another_plan_in_the_same_place_is_refused(tmp_path: Path) -> None:
    place = location_of(str(tmp_path / "out"))
    one = written(tmp_path / "in.parquet", pairs(100))
    driven(place, planned([one]))

    with pytest.raises(SpecError, match="holds another run"):
        driven(place, planned([one], shard_rows=50))


def test_a_run_goes_on_with_what_is_there_when_it_is_given_up_at_any_step(tmp_path: Path) -> None:
    plan = planned([written(tmp_path / "in.parquet", pairs(1000))])
    whole, parts = location_of(str(tmp_path / "whole")), location_of(str(tmp_path / "parts"))
    steps = driven(whole, plan)

    kept: list[str] = []
    for most in (1, 2, 3, 5, len(steps)):
        steps_again = run_shards(parts, plan, Inline(), partial(make, parts.address))
        for _ in islice(steps_again, most):
            pass
        steps_again.close()
        before, kept = kept, parts.names("results")
        assert set(before) <= set(kept)

    assert as_bytes(results_in(parts)) == as_bytes(results_in(whole))
    assert manifest_of(parts) == manifest_of(whole)
