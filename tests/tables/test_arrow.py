"""Rows become samples, whichever way Arrow holds their texts."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from sensecheck.core.backends import Backends
from sensecheck.core.errors import SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.space import MAX_CHARS
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.tables.arrow import samples_in
from sensecheck.tables.assess import assess_table
from sensecheck.tables.order import TableOrder

TEXTS = ["One.", None, "Zwei, drei.", "One."]
HALF_A_PAIR = "\ud800".encode("utf-8", "surrogatepass")


def garbled(*texts: bytes) -> pa.Array:
    """Texts that are no UTF-8, as files of others may hold them."""
    held = pa.array(texts, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(held), held.buffers())


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_texts_are_read_from_every_kind_of_column(kind: pa.DataType) -> None:
    table = pa.table({"a": ["x"] * 4, "e": pa.array(TEXTS, pa.string()).cast(kind)})

    assert [row.expected for row in read(table, answer="a", expected="e")] == TEXTS


@pytest.mark.parametrize(
    ("kind", "given", "found"),
    [
        (pa.list_(pa.string()), [["p", "q"], [], None], [("p", "q"), (), ()]),
        (pa.large_list(pa.large_string()), [["p", "q"], [], None], [("p", "q"), (), ()]),
        (pa.list_(pa.string(), 2), [["p", "q"], None, ["r", "s"]], [("p", "q"), (), ("r", "s")]),
        (pa.string(), ["p", None, "r"], [("p",), (), ("r",)]),
        (pa.list_(pa.null()), [[], [], None], [(), (), ()]),
        (pa.null(), [None] * 3, [(), (), ()]),
    ],
    ids=str,
)
def test_passages_are_lists_of_texts_or_one_text(
    kind: pa.DataType, given: list[Any], found: list[Any]
) -> None:
    table = pa.table({"answer": ["x"] * 3, "contexts": pa.array(given, kind)})

    assert [row.passages for row in read(table, answer="answer", passages="contexts")] == found


def test_ids_may_be_numbers_and_numbers_are_numbers() -> None:
    table = pa.table({"answer": ["x", "y"], "id": [7, None], "ms": [1.5, None], "cost": [2, 3]})
    first, second = read(table, answer="answer", id="id", latency_ms="ms", cost="cost")

    assert first == Sample("x", id="7", latency_ms=1.5, cost=2)
    assert second == Sample("y", cost=3)


@pytest.mark.parametrize(
    ("part", "column", "said"),
    [
        ("expected", pa.array([1]), "the column of `expected` must be strings; got `int64`"),
        ("expected", pa.array([b"x"]), "the column of `expected` must be strings; got `binary`"),
        (
            "passages",
            pa.array([[1]]),
            "the column of `passages` must be strings, or lists of them; got `list<",
        ),
        ("cost", pa.array(["1"]), "the column of `cost` must be numbers; got `string`"),
        ("latency_ms", pa.array([True]), "the column of `latency_ms` must be numbers; got `bool`"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value.type),
)
def test_a_column_of_the_wrong_type_is_told(part: str, column: pa.Array, said: str) -> None:
    with pytest.raises(SpecError) as raised:
        samples_in(pa.table({"answer": ["x"], "held": column}), {"answer": "answer", part: "held"})

    assert str(raised.value).startswith(said)


def test_bytes_that_are_no_text_are_the_fault_of_their_row_alone() -> None:
    table = pa.table({"answer": garbled(b"fine", b"\xff\xfe", HALF_A_PAIR)})
    fine, broken, half = samples_in(table, {"answer": "answer"})

    assert fine == Sample("fine")
    assert broken == "`answer` is no valid Unicode"
    assert half == Sample("\ud800")


def test_half_a_surrogate_pair_is_an_error_that_says_so() -> None:
    table = pa.table({"answer": garbled(b"fine", b"x" + HALF_A_PAIR), "expected": ["fine", "fine"]})
    order = TableOrder(("semantic_similarity",), (), {"answer": "answer", "expected": "expected"})
    found = assess_table(table, order, Backends(HashingEncoder()))

    assert found.column("status").to_pylist() == ["ok", "error"]
    assert "half a surrogate pair at character 1" in found.column("reason")[1].as_py()


def test_a_text_that_is_too_long_to_be_placed_is_read_by_nobody() -> None:
    long = "a" * (MAX_CHARS + 1)
    texts = pa.table({"answer": ["x", "y"], "expected": pa.array([long, long[1:]], pa.string_view())})
    lists = pa.table({"answer": ["x", "y"], "passages": [["p", long], ["p", "q"]]})

    for table, part in ((texts, "expected"), (lists, "passages")):
        first, second = samples_in(table, {"answer": "answer", part: part})
        assert first == f"`{part}` has a text of 1000001 characters; at most 1000000 are read"
        assert isinstance(second, Sample)


def nulls(passages: pa.Array) -> pa.Array:
    return passages


def as_broken(passages: pa.Array) -> pa.Array:
    """The same lists, with the second text of the first one garbled."""
    return pa.ListArray.from_arrays(passages.offsets, garbled(b"p", b"\xff", b"r"))


@pytest.mark.parametrize(
    ("made", "said"),
    [(nulls, "`passages` holds a null"), (as_broken, "`passages` is no valid Unicode")],
)
def test_a_passage_that_is_no_text_is_the_fault_of_its_row_alone(
    made: Callable[[pa.Array], pa.Array], said: str
) -> None:
    passages = made(pa.array([["p", None], ["r"]], pa.list_(pa.string())))
    table = pa.table({"answer": ["x", "y"], "passages": passages})
    first, second = samples_in(table, {"answer": "answer", "passages": "passages"})

    assert first == said
    assert second == Sample("y", passages=("r",))


def read(table: pa.Table, **columns: str) -> list[Sample]:
    found = samples_in(table, columns)
    assert all(isinstance(row, Sample) for row in found)
    return [row for row in found if isinstance(row, Sample)]
