"""Two hundred rows as people have them, the odd ones among them, and tables of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from sensecheck.core.sample import Sample
from sensecheck.tables.order import TableOrder

KINDS = {
    "answer": pa.string(),
    "question": pa.string(),
    "expected": pa.string(),
    "passages": pa.list_(pa.string()),
    "id": pa.string(),
}
COLUMNS = {name: name for name in KINDS}
_PLACES = (
    "museum",
    "library",
    "bridge",
    "harbour",
    "station",
    "tower",
    "market",
    "theatre",
    "garden",
    "mill",
)


def _about(place: str, year: int) -> list[dict[str, Any]]:
    """Four answers to one question, with up to two passages."""
    reference = f"The {place} opened in {year}."
    passages = [f"The {place} was opened to the public in {year}.", "It is closed on Mondays."]
    shared = {
        "question": f"When did the {place} open?",
        "expected": reference,
        "passages": passages[: year % 3],
    }
    answers = (reference, f"In {year}.", f"It opened in {year + 1}, I think.", "Nobody knows.")
    return [{"answer": answer, **shared} for answer in answers]


PLAIN = [row for at in range(48) for row in _about(_PLACES[at % len(_PLACES)], 1900 + at)]
ODD: list[dict[str, Any]] = [
    {"answer": "", "expected": "It opened in 1932."},
    {"answer": " \n ", "expected": "It opened in 1932.", "passages": ["It opened in 1932."]},
    {"answer": "It opened in 1932.", "expected": ""},
    {"answer": "", "expected": ""},
    {"answer": "…", "expected": "It opened in 1932."},
    {"answer": "\ufffd\ufffd", "expected": "It opened."},
    {"answer": "It opened in 1932. " * 100, "expected": "It opened in 1932."},
    {"answer": "Café au lait.", "expected": "Cafe\u0301 au lait."},
    {"answer": "Yes.", "question": "Is it open?"},
    {"answer": "Yes.", "question": "Is it open?", "passages": ["It is open."]},
    {"answer": "Ja, um 9 Uhr. 🙂", "expected": "是的，九点开门。"},
]
ROWS = [{**dict.fromkeys(KINDS), **row, "id": str(at)} for at, row in enumerate([*PLAIN, *ODD])]
"""Every row has all columns; what it lacks is null."""


def table_of(rows: Sequence[Mapping[str, Any]] = ROWS) -> pa.Table:
    return pa.table({name: pa.array([row.get(name) for row in rows], kind) for name, kind in KINDS.items()})


def samples_of(rows: Sequence[Mapping[str, Any]] = ROWS) -> list[Sample]:
    return [
        Sample(row["answer"], row["question"], row["expected"], tuple(row["passages"] or ()), row["id"])
        for row in rows
    ]


def order_of(*metrics: str, checks: Sequence[Mapping[str, Any]] = (), at_once: int = 64) -> TableOrder:
    return TableOrder(metrics, tuple(checks), COLUMNS, at_once)
