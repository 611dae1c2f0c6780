import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as some

from sensecheck.core.errors import SampleError
from sensecheck.execution import json_batches as json_lines_in
from sensecheck.execution.json_batches import blocks_of, parsed_at_once, starts_of, values_of
from sensecheck.execution.plan import ColumnKind, InputPiece, fits
from sensecheck.execution.planning import input_at
from sensecheck.execution.routing import batches_of

KINDS: dict[str, ColumnKind] = {"answer": "text", "passages": "texts", "cost": "number", "note": "word"}
GOOD = b'{"answer": "yes", "passages": ["a", "b"], "cost": 1.5, "note": 3, "other": {"deep": [1]}}'


def read(
    path: Path, piece: InputPiece | None = None, kinds: dict[str, ColumnKind] = KINDS
) -> list[dict[str, Any]]:
    given = input_at(str(path))
    batches = batches_of(given, piece or InputPiece(0, 0, given.size), kinds)
    return [row for batch in batches for row in batch.to_pylist()]


def lines(path: Path, *held: bytes) -> Path:
    path.write_bytes(b"\n".join(held))
    return path


def test_a_line_is_a_row_with_the_place_where_it_begins(tmp_path: Path) -> None:
    rows = read(lines(tmp_path / "rows.jsonl", GOOD, b"", b"  \r", b'{"answer": null}'))

    whole = {"answer": "yes", "passages": ["a", "b"], "cost": 1.5, "note": "3", "_fault": None, "_row": 0}
    empty = {"answer": None, "passages": None, "cost": None, "note": None, "_fault": None}
    assert rows == [whole, {**empty, "_row": len(GOOD) + 6}]


def test_an_object_over_two_lines_and_two_in_one_do_not_make_up_for_each_other(tmp_path: Path) -> None:
    rows = read(lines(tmp_path / "rows.jsonl", b'{"other":', b'{"deep": 1}}', b"{} {}", GOOD))

    assert [row["_fault"] is None for row in rows] == [False, False, False, True]
    assert rows[3]["answer"] == "yes"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"{", "the line is not JSON: Expecting property name enclosed in double quotes at character 2"),
        (b"null", "the line must be an object; got null"),
        (b"[1]", "the line must be an object; got a list"),
        (b'"a text"', "the line must be an object; got a string"),
        (b"{}{}", "the line is not JSON: Extra data at character 3"),
        (b'{"answer": "\xff"}', "the line is not UTF-8"),
        (b'{"answer": 3}', "`answer` must be a string; got a number"),
        (b'{"answer": "\\ud800"}', "`answer` holds half a character, which no file can hold"),
        (
            b'{"answer": "a", "answer": "b"}',
            "the line is not JSON: a key stands there twice, or a number is none",
        ),
        (b'{"cost": NaN}', "the line is not JSON: a key stands there twice, or a number is none"),
        (b'{"cost": "dear"}', "`cost` must be a number; got a string"),
        (b'{"passages": ["a", null]}', "`passages` must be a list of strings; got a list"),
        (b'{"other": ' + b"[" * 100_000, "the line is not JSON: it is nested too deeply"),
    ],
)
def test_a_line_that_cannot_be_read_is_a_fault_and_its_neighbours_are_not(
    tmp_path: Path, line: bytes, fault: str
) -> None:
    rows = read(lines(tmp_path / "rows.jsonl", GOOD, line, GOOD))

    assert [row["_fault"] for row in rows] == [None, fault, None]
    assert rows[2] == {**rows[0], "_row": len(GOOD) + len(line) + 2}


def test_a_mark_of_the_byte_order_is_blank(tmp_path: Path) -> None:
    [row] = read(lines(tmp_path / "rows.jsonl", b"\xef\xbb\xbf" + GOOD))

    assert (row["answer"], row["_row"]) == ("yes", 0)


def test_what_is_carried_from_json_is_text(tmp_path: Path) -> None:
    held = ["a text", 1, 1.50, True, None, [1, "é"], {"a": 1}]
    path = lines(tmp_path / "rows.jsonl", *(json.dumps({"note": one}).encode() for one in held))

    said = [row["note"] for row in read(path, kinds={"note": "word"})]

    assert said == ["a text", "1", "1.5", "true", None, '[1,"é"]', '{"a":1}']


def test_a_line_that_is_too_long_is_a_fault_and_never_held_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines_in, "MAX_LINE_BYTES", 3_000_000)
    long = b'{"answer": "' + b"a" * 6_000_000 + b'"}'

    rows = read(lines(tmp_path / "rows.jsonl", GOOD, long, GOOD))

    assert [row["_fault"] for row in rows] == [None, "the line is longer than 67,108,864 bytes", None]
    assert [row["_row"] for row in rows] == [0, len(GOOD) + 1, len(GOOD) + len(long) + 2]


def test_a_row_of_ten_megabytes_passes_whole(tmp_path: Path) -> None:
    [row] = read(lines(tmp_path / "rows.jsonl", json.dumps({"answer": "é" * 5_000_000}).encode()))

    assert row["answer"] == "é" * 5_000_000


@for_all(
    some.lists(some.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=12),
    some.lists(some.integers(0, 150), max_size=5),
    some.integers(1, 20),
)
def test_however_a_file_is_parted_each_line_is_read_once(
    held: list[bytes], edges: list[int], block: int
) -> None:
    content = b"\n".join(held)
    ends = [0, *sorted(min(edge, len(content)) for edge in edges), len(content)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_lines_in, "BLOCK", block)
        found = [
            (part.start + at, line)
            for start, stop in pairwise(ends)
            for part in blocks_of(BytesIO(content), start, stop)
            for at, line in _lines(part.lines or b"")
        ]

    wanted = list(_lines(content))
    if content.startswith(b"\xef\xbb\xbf"):
        wanted = [(0, b"   " + wanted[0][1][3:]), *wanted[1:]]
    assert found == wanted


TOKENS = some.sampled_from(
    [
        "null",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "1",
        "-0",
        "1e5",
        "true",
        "\\",
        " ",
        "\\ud800",
        "[null]",
        "é",
        "NaN",
    ]
)


@for_all(some.integers(0, len(GOOD)), some.integers(0, 6), some.lists(TOKENS, max_size=3))
def test_what_is_read_at_once_is_what_is_read_line_by_line(at: int, gone: int, put: list[str]) -> None:
    line = GOOD[:at] + "".join(put).encode() + GOOD[at + gone :]
    block = GOOD + b"\n" + line

    columns = parsed_at_once(block, starts_of(block), KINDS)

    alone = values_of(line, KINDS)
    if columns is not None:
        assert {name: columns[name][1].as_py() for name in KINDS} == alone.values
        assert alone.fault is None


def test_row_groups_are_read_as_batches_with_the_numbers_of_their_rows(tmp_path: Path) -> None:
    table = pa.table(
        {
            "answer": pa.array([f"a{n}" for n in range(10)]).dictionary_encode(),
            "passages": pa.array([["x"], None, []] * 3 + [["y", "z"]], pa.large_list(pa.string())),
            "cost": pa.array(range(10), pa.int16()),
            "note": pa.array([0.5] * 10),
        }
    )
    pq.write_table(table, tmp_path / "rows.parquet", row_group_size=4)

    rows = read(tmp_path / "rows.parquet", InputPiece(0, 1, 3))

    assert [row["_row"] for row in rows] == [4, 5, 6, 7, 8, 9]
    last = {"answer": "a9", "passages": ["y", "z"], "cost": 9.0, "note": "0.5", "_fault": None, "_row": 9}
    assert rows[-1] == last


@pytest.mark.parametrize("kind", [pa.list_view(pa.string()), pa.large_list_view(pa.large_string())])
def test_list_views_are_read_as_lists(tmp_path: Path, kind: pa.DataType) -> None:
    passages = pa.array([["x"], None, ["y", "z"], []], kind)
    pq.write_table(pa.table({"p": passages}), tmp_path / "rows.parquet")

    rows = read(tmp_path / "rows.parquet", InputPiece(0, 0, 1), {"p": "texts"})

    assert fits(kind, "texts")
    assert not fits(kind, "text")
    assert [row["p"] for row in rows] == [["x"], None, ["y", "z"], []]


def test_a_cell_of_passages_is_one_passage_or_a_list_as_json(tmp_path: Path) -> None:
    pq.write_table(pa.table({"p": ["one", '["a", "b"]', None]}), tmp_path / "rows.parquet")

    rows = read(tmp_path / "rows.parquet", InputPiece(0, 0, 1), {"p": "texts"})

    assert [row["p"] for row in rows] == [["one"], ["a", "b"], None]


def test_what_is_no_number_in_parquet_is_null(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"cost": pa.array([0.5, float("nan"), None], pa.float32())}), tmp_path / "r.parquet"
    )

    rows = read(tmp_path / "r.parquet", InputPiece(0, 0, 1), {"cost": "number"})

    assert [row["cost"] for row in rows] == [0.5, None, None]


def test_bytes_that_are_no_text_and_nulls_among_passages_are_faults(tmp_path: Path) -> None:
    broken = pa.array([b"yes", b"\xff", b"no"]).cast(pa.string(), safe=False)
    table = pa.table({"answer": broken, "passages": [["a"], ["b"], ["c", None]]})
    pq.write_table(table, tmp_path / "rows.parquet")

    rows = read(tmp_path / "rows.parquet", InputPiece(0, 0, 1), {"answer": "text", "passages": "texts"})

    assert [row["answer"] for row in rows] == ["yes", None, "no"]
    null = "`passages` must be a list of strings; got null in it"
    assert [row["_fault"] for row in rows] == [None, "`answer` is not UTF-8", null]


def test_a_file_that_is_broken_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(
        pa.table({"answer": [f"answer {number}" for number in range(5000)]}),
        path,
        row_group_size=1000,
        compression="zstd",
        write_page_checksum=True,
    )
    content = bytearray(path.read_bytes())
    offset = pq.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
    content[offset + 200 : offset + 220] = b"." * 20
    path.write_bytes(content)

    assert len(read(path, InputPiece(0, 0, 2), {"answer": "text"})) == 2000
    with pytest.raises(SampleError, match=r"rows.parquet` (cannot be read|is no whole Parquet file)"):
        read(path, InputPiece(0, 2, 3), {"answer": "text"})
    path.write_bytes(content[:-100])
    with pytest.raises(SampleError, match=r"rows.parquet` (cannot be read|is no whole Parquet file)"):
        read(path, InputPiece(0, 0, 2), {"answer": "text"})


def test_a_file_that_changed_since_the_run_began_is_not_read(tmp_path: Path) -> None:
    path = lines(tmp_path / "rows.jsonl", GOOD)
    given = input_at(str(path))
    lines(path, GOOD, GOOD)

    with pytest.raises(SampleError, match="is another file than it was when the run began"):
        list(batches_of(given, InputPiece(0, 0, 10), KINDS))
    path.unlink()
    with pytest.raises(SampleError, match="is not there any more"):
        list(batches_of(given, InputPiece(0, 0, 10), KINDS))


def _lines(content: bytes) -> list[tuple[int, bytes]]:
    """The lines that are not empty, and where they begin."""
    found, at = [], 0
    for line in content.split(b"\n"):
        if line:
            found.append((at, line))
        at += len(line) + 1
    return found
