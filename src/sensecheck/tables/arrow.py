"""Columns of an Arrow table as Python values, and its rows as samples, or why they are none."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import MAX_CHARS

FAULT = "_fault"
"""The column that says why a row could not even be read from its file; null where it could."""
NO_ANSWER = "the row has no `answer`"
_NO_UNICODE = "is no valid Unicode"
_GARBLED: list[str | None] = []
"""In the place of a list with a text that cannot be decoded."""
SampleOrFault = Sample | str
"""A sample, or why the row is none."""


def samples_in(table: pa.Table, columns: Mapping[str, str]) -> list[SampleOrFault]:
    """Every row, by the column of each part."""
    columns_by_part = {part: _column(table, part, columns.get(part)) for part in PARTS}
    faults = _faults(table, columns_by_part.values())
    answers = columns_by_part["answer"].values
    for index in [index for index, answer in enumerate(answers) if answer is None]:
        faults.setdefault(index, NO_ANSWER)
        answers[index] = ""
    rows: list[SampleOrFault] = list(map(Sample, *(column.values for column in columns_by_part.values())))
    for index, because in faults.items():
        rows[index] = because
    return rows


def require_columns(table: pa.Table, columns: Mapping[str, str]) -> None:
    """Raise `SpecError` unless the table has a column for the answer, and all others that are named."""
    if "answer" not in columns:
        raise SpecError(
            f"there is no column for `answer`; the table has {_listed(table.column_names)}; "
            "name the one that holds the answers"
        )
    for part, name in columns.items():
        if part not in PARTS:
            raise SpecError(did_you_mean("part of a row", part, PARTS))
        if name not in table.column_names:
            raise SpecError(
                f"there is no column `{name}` for `{part}`; the table has {_listed(table.column_names)}"
            )


@dataclass(frozen=True, slots=True)
class Column:
    """One value per row, and why some rows have none that could be read."""

    values: list[Any]
    faults: dict[int, str] = field(default_factory=dict)
    """By the number of the row."""


def texts_in(column: pa.ChunkedArray, part: str) -> Column:
    """Texts, or None; what is no UTF-8 is a fault, but for halves of surrogate pairs.

    A text that is longer than any that is encoded is a fault too: even counting its words would take minutes.
    """
    _require_type(column, part, "strings", _is_text)
    plain = _plain(column)
    try:
        texts = Column(plain.to_pylist())
    except UnicodeDecodeError:
        texts = _decoded(plain, part)
    if plain.nbytes > MAX_CHARS:
        _refuse_long(texts, part, lambda text: len(text))
    return texts


def ids_in(column: pa.ChunkedArray, part: str) -> Column:
    """Texts, or whole numbers as texts."""
    if not pa.types.is_integer(column.type):
        return texts_in(column, part)
    return Column([None if value is None else str(value) for value in column.to_pylist()])


def numbers_in(column: pa.ChunkedArray, part: str) -> Column:
    """Numbers, or None."""
    _require_type(column, part, "numbers", _is_number)
    return Column(column.to_pylist())


def passages_in(column: pa.ChunkedArray, part: str) -> Column:
    """Tuples of texts, of lists of them or of one text per row; a row without any has an empty one."""
    if not _is_list(column.type):
        single = texts_in(column, part)
        return Column([() if text is None else (text,) for text in single.values], single.faults)
    _require_type(column, part, "strings, or lists of them", lambda kind: _is_text(kind.value_type))
    try:
        lists = column.to_pylist()
    except UnicodeDecodeError:
        lists = [_list_of(row) for row in column]
    faults = {
        index: f"`{part}` holds a null"
        for index, passages in enumerate(lists)
        if passages and None in passages
    }
    faults |= {
        index: f"`{part}` {_NO_UNICODE}" for index, passages in enumerate(lists) if passages is _GARBLED
    }
    result = Column(
        [tuple(passages) if passages and index not in faults else () for index, passages in enumerate(lists)],
        faults,
    )
    if column.nbytes > MAX_CHARS:
        _refuse_long(result, part, lambda texts: max(map(len, texts)))
    return result


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


def _column(table: pa.Table, part: str, name: str | None) -> Column:
    if name is not None:
        return _READERS[part](table.column(name), part)
    return Column([() if part == "passages" else None] * table.num_rows)


def _faults(table: pa.Table, columns: Iterable[Column]) -> dict[int, str]:
    """Why rows cannot be read; the first reason of each."""
    faults: dict[int, str] = {}
    if FAULT in table.column_names and table.column(FAULT).null_count < table.num_rows:
        reasons = enumerate(texts_in(table.column(FAULT), FAULT).values)
        faults = {index: because for index, because in reasons if because is not None}
    for column in columns:
        for index, because in column.faults.items():
            faults.setdefault(index, because)
    return faults


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "no columns"


def _list_of(row: pa.Scalar) -> list[str | None] | None:
    texts = None if row.values is None else texts_in(pa.chunked_array([row.values]), "")
    if texts is None:
        return None
    return _GARBLED if texts.faults else texts.values


def _refuse_long(column: Column, part: str, length: Callable[[Any], int]) -> None:
    for index, value in enumerate(column.values):
        if value and (chars := length(value)) > MAX_CHARS:
            column.values[index] = type(value)()
            column.faults[index] = f"`{part}` has a text of {chars} characters; at most {MAX_CHARS} are read"


def _decoded(plain: pa.ChunkedArray, part: str) -> Column:
    """Text by text, since one of them is no UTF-8."""
    column = Column([])
    for index, value in enumerate(plain.cast(pa.large_binary()).to_pylist()):
        try:
            column.values.append(None if value is None else value.decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:
            column.values.append(None)
            column.faults[index] = f"`{part}` {_NO_UNICODE}"
    return column


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _require_type(
    column: pa.ChunkedArray, part: str, expected: str, is_expected: Callable[[pa.DataType], bool]
) -> None:
    if not (pa.types.is_null(column.type) or is_expected(column.type)):
        raise SpecError(f"the column of `{part}` must be {expected}; got `{column.type}`")


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return kind in (pa.string(), pa.large_string(), pa.string_view(), pa.null())


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _is_list(kind: pa.DataType) -> bool:
    lists = (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)
    return isinstance(kind, lists)
