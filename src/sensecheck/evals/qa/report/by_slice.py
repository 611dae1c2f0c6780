"""The means of every kind of question."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sensecheck.evals.qa.report.spreads import rounded
from sensecheck.store.run_reading import RunTable

MOST_VALUES = 30
"""Of a key with more values than this, the commonest are told and the others are counted."""


def slice_values(slices: Iterable[Mapping[str, str]]) -> dict[str, list[str]]:
    """The values of every key that questions are told apart by, the commonest first."""
    counts: dict[str, Counter[str]] = {}
    for kinds in slices:
        for key, value in kinds.items():
            counts.setdefault(key, Counter())[value] += 1
    return {
        key: sorted(held, key=lambda value: (-held[value], value)) for key, held in sorted(counts.items())
    }


def slices_data(table: RunTable) -> list[dict[str, Any]]:
    """A row for each value of each key: how many questions, and the mean of each metric over them."""
    rows = []
    for key, values in slice_values(table.slices).items():
        told = [_row(table, key, value) for value in values[:MOST_VALUES]]
        rows.append({"key": key, "values": told, "others": max(0, len(values) - MOST_VALUES)})
    return rows


def _row(table: RunTable, key: str, value: str) -> dict[str, Any]:
    inside = np.array([held.get(key) == value for held in table.slices], dtype=np.bool_)
    columns = [column[np.isfinite(column)] for column in table.values[inside].T]
    return {
        "value": value,
        "questions": int(inside.sum()),
        "means": [rounded(float(column.mean())) if len(column) else None for column in columns],
        "n": [len(column) for column in columns],
    }
