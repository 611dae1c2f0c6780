import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.manifest import begun, manifest_in, plan_in
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import plan_run, suited_rows
from sensecheck.tables.order import TableOrder

ORDER = TableOrder(("exact_match",), ({"name": "c", "cutoff": (0, 1)},), {"answer": "answer"})


def parquet(path: Path, **columns: Any) -> str:
    pq.write_table(pa.table({"answer": ["yes", "no"], **columns}), path)
    return str(path)


def planned(*addresses: str, **options: Any) -> RunPlan:
    return plan_run(ORDER, {"encoder": "e"}, addresses, **options)


def test_the_same_inputs_make_the_same_plan(tmp_path: Path) -> None:
    address = parquet(tmp_path / "a.parquet")

    plan = planned(address)

    assert plan == planned(address)
    assert (plan.buckets, len(plan.pieces)) == (1, 1)
    assert (
        planned(address, shard_rows=1).buckets == 3
    )  # a quarter is left free for those with more than others
    assert plan.fingerprint == planned(address, shard_rows=1).fingerprint
    assert plan.piece_id(0) != planned(address, shard_rows=1).piece_id(0)


@pytest.mark.parametrize(
    ("rows", "each"), [(0, 2000), (100, 2000), (80_000, 5000), (10**8, 50_000), (10**9, 500_000)]
)
def test_shards_suit_small_runs_and_large_ones(rows: int, each: int) -> None:
    assert suited_rows(rows) == each


def test_a_plan_that_was_written_is_read_again(tmp_path: Path) -> None:
    place, plan = (
        LocalLocation(tmp_path / "run"),
        planned(parquet(tmp_path / "a.parquet"), carried=("answer",)),
    )

    assert begun(place, plan) is plan
    again = begun(place, plan)

    assert (again.to_data(), again.fingerprint) == (plan_in(place).to_data(), plan.fingerprint)
    assert again.shard_id(0, 0) == plan.shard_id(0, 0)
    assert manifest_in(place) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"order": TableOrder(("bleu",), (), ORDER.columns)}, "its metrics, checks or columns are not those"),
        ({"readers": {"encoder": "f"}}, "its encoder, or another reader, or the version of sensecheck"),
        ({"inputs": ()}, "its inputs are others, or have changed since"),
        ({"shard_rows": 7}, "its shards are of another size"),
    ],
)
def test_another_plan_is_not_mixed_into_a_run(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    place, plan = LocalLocation(tmp_path / "run"), planned(parquet(tmp_path / "a.parquet"))
    begun(place, plan)

    with pytest.raises(SpecError, match=f"run` holds another run: {said}"):
        begun(place, replace(plan, **change))


def test_a_place_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"holds no run: there is no `run.json`"):
        plan_in(LocalLocation(tmp_path))


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({"answer": [1, 2]}, {}, r"b.parquet`, `answer` must be strings; got int64"),
        ({"answer": [["a"], ["b"]]}, {}, r"b.parquet`, `answer` must be strings; got list<"),
        ({}, {"carried": ("topic",)}, r"b.parquet` lacks the column `topic`, which other inputs have"),
        (
            {"topic": [1, 2]},
            {"carried": ("topic",)},
            r"`topic` is int64; in `.*a.parquet` it is large_string",
        ),
        ({}, {"carried": ("tpic",)}, r"first rows of the inputs: .*tpic.*topic"),
        ({}, {"carried": ("_row",)}, r"a column may not be called `_row`"),
        ({}, {"shard_rows": 0}, r"`shard_rows` must be at least 1; got 0"),
    ],
)
def test_columns_that_do_not_fit_are_named_with_their_file(
    tmp_path: Path, columns: dict[str, Any], options: dict[str, Any], said: str
) -> None:
    first, second = parquet(tmp_path / "a.parquet", topic=["t", "u"]), tmp_path / "b.parquet"

    with pytest.raises(SpecError, match=said):
        planned(first, parquet(second, **columns), **options)


def test_texts_may_be_packed_as_they_like(tmp_path: Path) -> None:
    forms = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]
    for number, form in enumerate(forms):
        parquet(tmp_path / f"{number}.parquet", answer=pa.array(["yes", "no"], pa.string()).cast(form))

    assert len(planned(str(tmp_path), carried=("answer",)).inputs) == 4


def test_only_where_nothing_can_be_opened_no_run_begins(tmp_path: Path) -> None:
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(SpecError, match=r"not one of the inputs can be opened; the first: .*b.parquet"):
        planned(str(tmp_path))
    parquet(tmp_path / "a.parquet")

    assert len(planned(str(tmp_path)).pieces) == 2


def test_inputs_without_a_row_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"answer": pa.array([], pa.string())}), tmp_path / "a.parquet")

    with pytest.raises(SpecError, match="the inputs hold no rows"):
        planned(str(tmp_path / "a.parquet"))


def test_a_damaged_plan_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(b"\xff")

    with pytest.raises(SpecError, match=r"`run.json` in `.*` is not UTF-8; it is damaged"):
        plan_in(LocalLocation(tmp_path))


def test_many_names_cost_little(tmp_path: Path) -> None:
    plan = planned(parquet(tmp_path / "a.parquet"))
    large = replace(plan, inputs=plan.inputs * 2000, pieces=plan.pieces * 2000)

    names = {large.shard_id(bucket, 0) for bucket in range(20_000)} | {large.piece_id(n) for n in range(2000)}

    assert len(names) == 22_000
    assert json.loads(json.dumps(large.to_data()))["buckets"] == 1
