"""Aggregates of parts, merged, are those of the whole."""

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.backends import Backends
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.stats.moments import BINS, Numbers
from sensecheck.tables.aggregates import REASONS, Aggregates
from sensecheck.tables.assess import assess_table
from sensecheck.tables.order import TableOrder, result_fields
from tests.tables.pairs import order_of, table_of

ORDER = TableOrder(("bleu",), ({"kind": "keeps_facts"},), {"answer": "answer"})
VALUES = st.one_of(st.none(), st.floats(-2, 2), st.sampled_from([0.0, 0.05, 0.5, 1.0]))
ROW = st.tuples(VALUES, st.sampled_from(["pass", "fail", "error"]), VALUES, st.sampled_from([None, "a", "b"]))


def assessed(rows: list[tuple[Any, ...]]) -> pa.Table:
    full = [(value, outcome, by, "error" if why else "ok", why) for value, outcome, by, why in rows]
    columns = zip(*full, strict=True) if full else [()] * 5
    return pa.table(
        [pa.array(column, field.type) for field, column in zip(result_fields(ORDER), columns, strict=True)],
        schema=pa.schema(result_fields(ORDER)),
    )


@given(st.lists(ROW, max_size=60), st.lists(st.integers(0, 60), max_size=4))
def test_merged_aggregates_of_parts_are_those_of_the_whole(
    rows: list[tuple[Any, ...]], cuts: list[int]
) -> None:
    table = assessed(rows)
    borders = sorted({0, *(min(cut, len(rows)) for cut in cuts), len(rows)})
    parts = [table.slice(start, stop - start) for start, stop in pairwise(borders)]
    whole, merged = Aggregates.of(table, ORDER), Aggregates.merged(Aggregates.of(p, ORDER) for p in parts)

    assert (merged.rows, merged.errors, merged.reasons) == (whole.rows, whole.errors, whole.reasons)
    if rows:
        assert merged.checks["keeps_facts"].outcomes == whole.checks["keeps_facts"].outcomes
        assert merged.metrics["bleu"].nulls == whole.metrics["bleu"].nulls
        assert merged.metrics["bleu"].failed == whole.metrics["bleu"].failed
        assert_alike(merged.metrics["bleu"].numbers, whole.metrics["bleu"].numbers)
        assert_alike(merged.checks["keeps_facts"].numbers, whole.checks["keeps_facts"].numbers)


def assert_alike(one: Numbers, other: Numbers) -> None:
    assert (one.count, one.least, one.greatest, one.bins) == (
        other.count,
        other.least,
        other.greatest,
        other.bins,
    )
    assert [one.mean, one.squares] == pytest.approx([other.mean, other.squares], rel=1e-9, abs=1e-9)


def test_aggregates_become_json_and_back() -> None:
    rows = [{"answer": "In 1932.", "expected": "It opened in 1932."}, {"expected": "Yes."}]
    order = order_of("semantic_similarity", checks=({"kind": "keeps_facts"},))
    found = Aggregates.of(assess_table(table_of(rows), order, Backends(HashingEncoder())), order)

    assert Aggregates.from_data(json.loads(json.dumps(found.to_data(), allow_nan=False))) == found
    assert (found.rows, found.errors) == (2, 1)
    assert found.reasons == {"the row has no `answer`": 1}
    assert found.checks["keeps_facts"].outcomes == {"error": 1, "pass": 1}


def test_an_error_counts_as_failed_and_what_does_not_apply_only_as_null() -> None:
    rows = [(0.5, "pass", 1.0, None), (None, "pass", 1.0, None), (None, "error", None, "bleu: why")]
    found = Aggregates.of(assessed(rows), ORDER).metrics["bleu"]

    assert (found.numbers.count, found.nulls, found.failed) == (1, 2, 1)


def test_the_histogram_counts_both_ends_and_what_lies_beyond() -> None:
    found = Numbers.of(np.array([-0.1, 0.0, 0.049, 0.05, 0.999, 1.0, 1.1]))

    assert found.bins == (1, 2, 1, *([0] * (BINS - 3)), 2, 1)
    assert (found.count, found.least, found.greatest) == (7, -0.1, 1.1)


def test_the_deviation_is_that_of_a_sample() -> None:
    assert Numbers.of(np.array([0.1, 0.4, 0.9])).deviation == pytest.approx(np.std([0.1, 0.4, 0.9], ddof=1))
    assert Numbers.of(np.array([0.1])).deviation is None


def test_only_the_most_frequent_reasons_are_kept() -> None:
    rare = [(None, "error", None, f"reason {i:02}") for i in range(REASONS + 5)]
    found = Aggregates.of(assessed([*rare, *rare[-2:]]), ORDER).reasons

    assert len(found) == REASONS
    assert list(found)[:3] == ["reason 23", "reason 24", "reason 00"]
