"""Making the plan of a run: its inputs, how they are parted, and into how many shards they go."""

import math
from collections.abc import Mapping, Sequence

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.evals.shards.column_kinds import WANTED, Kind, fits, kinds_of, plain_type
from sensecheck.evals.shards.inputs import inputs_of
from sensecheck.evals.shards.plan import Input, RunPlan
from sensecheck.evals.shards.survey import columns_of, head_of, must_be_readable, pieces_of, rows_expected
from sensecheck.evals.tables.order import TableOrder

SHARD_ROWS = 50_000
"""Rows of a shard of a large run."""
SMALLEST, SHARDS = 2_000, 16
"""A smaller run is parted too, so that several workers have work; not into fewer rows than these."""
LARGEST, MOST_SHARDS = 500_000, 2_000
"""A much larger run has larger shards, so that whoever drives it can hold the list of all their parts."""
FULL = 0.75
"""How full shards are meant to be: chance gives some buckets more rows, which should still be one shard."""


def plan_run(
    order: TableOrder,
    readers: Mapping[str, str],
    addresses: Sequence[str],
    *,
    shard_rows: int | None = None,
    carried: Sequence[str] = (),
    piece_bytes: int | None = None,
) -> RunPlan:
    """The plan for some inputs: the same whenever they are the same, be it for 100 rows or 10^9."""
    inputs = inputs_of(addresses)
    must_be_readable(inputs)
    rows = rows_expected(inputs)
    each = suited_rows(rows) if shard_rows is None else shard_rows
    if each < 1:
        raise SpecError(f"`shard_rows` wants at least 1; found {each}")
    plan = RunPlan(
        order=order,
        readers=dict(readers),
        inputs=inputs,
        pieces=pieces_of(inputs, piece_bytes),
        buckets=max(1, math.ceil(rows / (FULL * each))),
        shard_rows=each,
        carried=tuple(carried),
    )
    _must_fit(inputs, kinds_of(plan))
    if not rows:
        raise SpecError("the inputs hold no rows, so that nothing could be assessed")
    return plan


def suited_rows(rows: int) -> int:
    """Rows of a shard when nobody said how many: a matter of the inputs alone, not of who works on them."""
    most = min(max(math.ceil(rows / MOST_SHARDS), SHARD_ROWS), LARGEST)
    return min(max(math.ceil(rows / SHARDS), SMALLEST), most)


def _must_fit(inputs: Sequence[Input], kinds: Mapping[str, Kind]) -> None:
    """Raise for a column that is nowhere, or that is not in a Parquet file as it should be."""
    found = columns_of(inputs)
    for column in kinds:
        if column not in found:
            raise SpecError(f"in the first rows of the inputs: {unknown('column', column, found)}")
    types: dict[str, tuple[object, str]] = {}
    for given in inputs:
        if given.format == "parquet" and (head := head_of(given)):
            for column, kind in kinds.items():
                _must_be(given, head.columns, column, kind, types)


def _must_be(
    given: Input, columns: Mapping[str, object], column: str, kind: Kind, types: dict[str, tuple[object, str]]
) -> None:
    if column not in columns:
        raise SpecError(f"`{given.address}` lacks the column `{column}`, which other inputs have")
    if not fits(columns[column], kind):
        raise SpecError(f"in `{given.address}`, `{column}` wants {WANTED[kind]}; found {columns[column]}")
    mine = plain_type(columns[column])
    theirs, first = types.setdefault(column, (mine, given.address))
    if kind == "own" and mine != theirs:
        raise SpecError(
            f"in `{given.address}`, `{column}` is {mine}; in `{first}` it is {theirs}: make them alike, or "
            "leave the column out"
        )
