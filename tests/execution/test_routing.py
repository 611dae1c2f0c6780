import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as some

from sensecheck.core.errors import StorageError
from sensecheck.execution import routing
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.location import StorageLocation
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import plan_run
from sensecheck.execution.routing import Shards, buckets_of, hashes_of, route, routed_in, rows_of
from sensecheck.execution.tasks import Routed, Shard, Unread
from sensecheck.tables.order import TableOrder

COLUMNS = {"answer": "answer", "expected": "expected", "passages": "passages"}
ROWS: list[dict[str, Any]] = [
    {
        "id": number,
        "answer": f"answer {number}",
        "expected": None if number % 7 == 0 else f"gold {number % 40}",
        "passages": [f"passage {number % 3}", "another"] if number % 2 else [],
    }
    for number in range(1000)
]


def parquet(path: Path, rows: Sequence[Mapping[str, Any]] = ROWS) -> str:
    table = pa.Table.from_pylist([dict(row) for row in rows])
    pq.write_table(table, path, row_group_size=100)
    return str(path)


def json_lines(path: Path, rows: Sequence[Mapping[str, Any]] = ROWS) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def planned(*addresses: str, shard_rows: int = 100, piece_bytes: int = 8000) -> RunPlan:
    order = TableOrder(("exact_match",), (), COLUMNS)
    return plan_run(order, {}, addresses, shard_rows=shard_rows, carried=("id",), piece_bytes=piece_bytes)


def all_routed(place: StorageLocation, plan: RunPlan) -> list[Routed]:
    done = [route(place, plan, number) for number in range(len(plan.pieces))]
    return [one for one in done if isinstance(one, Routed)]


def tables(place: StorageLocation, shards: Sequence[Shard]) -> list[pa.Table]:
    return [rows_of(place, shard) for shard in shards]


def test_every_row_is_in_one_shard_with_all_that_was_read_of_it(tmp_path: Path) -> None:
    place, plan = LocalLocation(tmp_path / "run"), planned(parquet(tmp_path / "a.parquet"))

    shards = Shards(plan, all_routed(place, plan))
    rows = pa.concat_tables(tables(place, shards)).sort_by("_row").to_pylist()

    assert [shard.rows for shard in shards] == [table.num_rows for table in tables(place, shards)]
    assert max(shard.rows for shard in shards) <= 100
    assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS
    assert [row["_row"] for row in rows] == list(range(1000))
    assert {row["_input"] for row in rows} == {0}


def test_rows_with_one_reference_meet_in_one_shard(tmp_path: Path) -> None:
    addresses = parquet(tmp_path / "a.parquet"), json_lines(tmp_path / "b.jsonl")
    place, plan = LocalLocation(tmp_path / "run"), planned(*addresses, shard_rows=400)

    held = tables(place, Shards(plan, all_routed(place, plan)))

    golds = [{gold for gold in table["expected"].to_pylist() if gold} for table in held]
    assert len(held) > 4
    assert sum(map(len, golds)) == len(set[str]().union(*golds)) == 40
    assert sum(table.num_rows for table in held) == 2000
    assert len({str(table.schema) for table in held}) == 1


def test_the_order_of_a_shard_does_not_depend_on_how_it_was_routed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = parquet(tmp_path / "a.parquet"), json_lines(tmp_path / "b.jsonl")
    coarse = planned(*addresses, shard_rows=10_000, piece_bytes=10**9)
    fine = planned(*addresses, shard_rows=10_000, piece_bytes=3000)
    one, other = LocalLocation(tmp_path / "one"), LocalLocation(tmp_path / "other")

    [whole] = tables(one, Shards(coarse, all_routed(one, coarse)))
    monkeypatch.setattr(routing, "SORTED_ROWS", 64)
    [joined] = tables(other, Shards(fine, list(reversed(all_routed(other, fine)))))

    assert whole.equals(joined)
    assert whole.to_pylist() == sorted(
        whole.to_pylist(), key=lambda row: (row["_ref"], row["_input"], row["_row"])
    )


def test_some_rows_of_a_shard_are_a_slice_of_it(tmp_path: Path) -> None:
    place, plan = LocalLocation(tmp_path / "run"), planned(parquet(tmp_path / "a.parquet"))
    shard = Shards(plan, all_routed(place, plan))[0]

    assert rows_of(place, shard, (3, 9)).equals(rows_of(place, shard).slice(3, 6))


def test_a_reference_that_all_rows_share_makes_several_shards(tmp_path: Path) -> None:
    rows = [{**row, "expected": "the same"} for row in ROWS]
    place, plan = LocalLocation(tmp_path / "run"), planned(parquet(tmp_path / "a.parquet", rows))

    shards = Shards(plan, all_routed(place, plan))

    assert [shard.rows for shard in shards] == [100] * 10
    assert len({shard.id for shard in shards}) == 10


def test_what_lies_ready_is_found_again(tmp_path: Path) -> None:
    plan = planned(parquet(tmp_path / "a.parquet"))
    for place in (LocalLocation(tmp_path / "run"), LocalLocation(tmp_path / "names", conditional=False)):
        routed = all_routed(place, plan)

        assert len(routed) == len(plan.pieces) > 2
        assert routed_in(place, plan) == {one.piece: one for one in routed}


def test_a_routed_file_that_was_damaged_is_named(tmp_path: Path) -> None:
    place, plan = LocalLocation(tmp_path / "run"), planned(parquet(tmp_path / "a.parquet"))
    name = all_routed(place, plan)[0].name
    (tmp_path / "run" / name).write_bytes(b"ARROW1 and no more")

    with pytest.raises(StorageError, match=rf"`{name}` in `.*` was damaged since it was written"):
        routed_in(place, plan)


def test_a_piece_that_could_be_read_only_later_makes_other_shards(tmp_path: Path) -> None:
    place, plan = LocalLocation(tmp_path / "run"), planned(parquet(tmp_path / "a.parquet"))
    routed = all_routed(place, plan)

    before = {shard.id: shard.rows for shard in Shards(plan, routed[1:])}
    after = {shard.id: shard.rows for shard in Shards(plan, routed)}

    assert all(before[name] == after[name] for name in before.keys() & after.keys())
    assert sum(after.values()) == 1000


def test_a_broken_input_is_unread_and_the_others_are_routed(tmp_path: Path) -> None:
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and nothing of it")
    plan = planned(parquet(tmp_path / "a.parquet"), str(tmp_path / "b.parquet"))
    place = LocalLocation(tmp_path / "run")

    unread = route(place, plan, len(plan.pieces) - 1)

    assert isinstance(unread, Unread)
    assert "b.parquet` is no whole Parquet file" in unread.because
    assert sum(one.rows for one in all_routed(place, plan)) == 1000


def test_a_piece_without_rows_is_routed_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "blank.jsonl").write_text("\n" * 20)
    plan = planned(json_lines(tmp_path / "a.jsonl"), str(tmp_path / "blank.jsonl"))
    place = LocalLocation(tmp_path / "run")

    done = route(place, plan, len(plan.pieces) - 1)

    assert isinstance(done, Routed)
    assert (done.rows, len(done.groups.rows)) == (0, 0)


@pytest.mark.parametrize(
    ("row", "reference"),
    [
        ({"expected": "gold", "answer": "a"}, "gold"),
        ({"passages": ["one", "two"], "question": "q", "answer": "a"}, "one\x1ftwo"),
        ({"passages": [], "question": "q", "answer": "a"}, "q"),
        ({"expected": "", "answer": "a"}, ""),
        ({"answer": "é"}, "é"),
    ],
)
def test_the_reference_is_the_first_part_that_a_row_has(row: dict[str, Any], reference: str) -> None:
    types = {name: pa.large_string() for name in ("expected", "question", "answer")}
    types["passages"] = pa.list_(pa.large_string())
    table = pa.table({name: pa.array([row.get(name)], form) for name, form in types.items()})

    [found] = hashes_of(table, {name: name for name in types})

    assert int(found) == int.from_bytes(blake2b(reference.encode()).digest()[:8], "little")


@for_all(some.lists(some.integers(0, 2**64 - 1)), some.integers(1, 10**6))
def test_buckets_are_ranges_of_hashes(hashes: list[int], buckets: int) -> None:
    found = buckets_of(np.array(hashes, np.uint64), buckets)

    assert found.tolist() == [one * buckets >> 64 for one in hashes]
