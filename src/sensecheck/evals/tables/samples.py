"""The rows of a table as samples, or why they are none."""

from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa

from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import unknown
from sensecheck.evals.tables.columns import Column, ids_in, numbers_in, passages_in, texts_in

FAULT = "_fault"
"""The column that says why a row could not even be read from its file; null where it could."""
NO_ANSWER = "the row has no `answer`"
Row = Sample | str
"""A sample, or why the row is none."""

_READERS: Mapping[str, Callable[[pa.ChunkedArray, str], Column]] = {
    "answer": texts_in,
    "question": texts_in,
    "expected": texts_in,
    "passages": passages_in,
    "id": ids_in,
    "latency_ms": numbers_in,
    "cost": numbers_in,
}
"""By part, in the order in which a sample takes them."""
PARTS = tuple(_READERS)


def samples_in(table: pa.Table, columns: Mapping[str, str]) -> list[Row]:
    """Every row, by the column of each part."""
    held = {part: _column(table, part, columns.get(part)) for part in PARTS}
    faults = _faults(table, held.values())
    answers = held["answer"].values
    for at in [at for at, answer in enumerate(answers) if answer is None]:
        faults.setdefault(at, NO_ANSWER)
        answers[at] = ""
    rows: list[Row] = list(map(Sample, *(column.values for column in held.values())))
    for at, because in faults.items():
        rows[at] = because
    return rows


def must_be_columns(table: pa.Table, columns: Mapping[str, str]) -> None:
    """Raise `SpecError` unless the table has a column for the answer, and all others that are named."""
    if "answer" not in columns:
        raise SpecError(
            f"there is no column for `answer`; the table has {_listed(table.column_names)}; "
            "name the one that holds the answers"
        )
    for part, name in columns.items():
        if part not in PARTS:
            raise SpecError(unknown("part of a row", part, PARTS))
        if name not in table.column_names:
            raise SpecError(
                f"there is no column `{name}` for `{part}`; the table has {_listed(table.column_names)}"
            )


def _column(table: pa.Table, part: str, name: str | None) -> Column:
    if name is not None:
        return _READERS[part](table.column(name), part)
    return Column([() if part == "passages" else None] * table.num_rows)


def _faults(table: pa.Table, held: Iterable[Column]) -> dict[int, str]:
    """Why rows cannot be read; the first reason of each."""
    found: dict[int, str] = {}
    if FAULT in table.column_names and table.column(FAULT).null_count < table.num_rows:
        told = enumerate(texts_in(table.column(FAULT), FAULT).values)
        found = {at: because for at, because in told if because is not None}
    for column in held:
        for at, because in column.faults.items():
            found.setdefault(at, because)
    return found


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "no columns"
