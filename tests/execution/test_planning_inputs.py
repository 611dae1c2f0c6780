import json
import os
from itertools import pairwise
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.execution.plan import InputPiece
from sensecheck.execution.planning import columns_of, input_at, inputs_of, pieces_of, rows_expected

ROWS = [{"answer": f"answer {number}", "expected": "yes"} for number in range(1000)]


def parquet(path: Path, *, row_group_size: int = 100) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(ROWS), path, row_group_size=row_group_size)
    return path


def json_lines(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_names_folders_and_patterns_mean_files_each_once(tmp_path: Path) -> None:
    one, two = parquet(tmp_path / "in" / "one.parquet"), json_lines(tmp_path / "in" / "deep" / "two.jsonl")
    json_lines(tmp_path / "in" / "_temporary" / "left.jsonl")
    parquet(tmp_path / "in" / "earlier" / "results" / "ab12.parquet")
    (tmp_path / "in" / "earlier" / "run.json").write_text("{}")
    (tmp_path / "in" / "notes.txt").write_text("no rows")

    for addresses in (
        [str(tmp_path / "in")],
        [str(tmp_path / "in" / "deep" / "*.jsonl"), str(one), str(tmp_path / "in")],
    ):
        found = inputs_of(addresses)
        assert sorted(given.address for given in found) == sorted([str(one), str(two)])
        assert {given.format for given in found} == {"parquet", "jsonl"}
        assert [given.size for given in found] == [Path(given.address).stat().st_size for given in found]


def test_a_name_with_signs_of_a_pattern_is_a_name_first(tmp_path: Path) -> None:
    path = parquet(tmp_path / "part[1].parquet")

    assert [given.address for given in inputs_of([str(path)])] == [str(path)]


def test_links_are_what_they_lead_to(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").symlink_to(json_lines(tmp_path / "there.jsonl"))

    for address in (tmp_path / "in", tmp_path / "in" / "*.jsonl"):
        [given] = inputs_of([str(address)])
        assert given == input_at(str(tmp_path / "in" / "a.jsonl"))
        assert given.size == (tmp_path / "there.jsonl").stat().st_size

    (tmp_path / "in" / "b.jsonl").symlink_to(tmp_path / "nowhere.jsonl")
    with pytest.raises(SpecError, match=r"in/b.jsonl` is not there"):
        inputs_of([str(tmp_path / "in")])


def test_a_run_in_the_folder_of_its_inputs_has_the_same_inputs_when_it_goes_on(tmp_path: Path) -> None:
    json_lines(tmp_path / "a.jsonl")
    before = inputs_of([str(tmp_path)])
    (tmp_path / "run.json").write_text("{}")
    parquet(tmp_path / "results" / "ab12.parquet")

    assert inputs_of([str(tmp_path)]) == before


def test_a_file_of_unknown_length_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    store = fsspec.filesystem("memory")
    store.pipe_file("/streamed/rows.jsonl", b'{"answer": "yes"}\n')
    about = {**store.info("/streamed/rows.jsonl"), "size": None}  # as a page of the web may have it
    monkeypatch.setattr(type(store), "info", lambda self, path: about)

    with pytest.raises(SpecError, match=r"rows.jsonl` does not tell how long it is"):
        inputs_of(["memory://streamed/rows.jsonl"])


def test_files_of_a_store_are_inputs_too() -> None:
    fsspec.filesystem("memory").pipe_file("/inputs/rows.jsonl", b'{"answer": "yes"}\n')

    [given] = inputs_of(["memory://inputs/*.jsonl"])

    assert (given.address, given.size) == ("memory:///inputs/rows.jsonl", 18)
    assert columns_of([given]) == ("answer",)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.parquet", "is not there"),
        ("*.parquet", "means no file whose name ends with `.parquet` or `.jsonl`"),
        ("rows.csv", "must have a name that ends with `.parquet` or"),
    ],
)
def test_what_means_no_file_of_rows_is_an_error_that_names_it(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "rows.csv").write_text("answer\n")

    with pytest.raises(SpecError, match=said):
        inputs_of([str(tmp_path / name)])


def test_a_file_that_changed_has_another_mark(tmp_path: Path) -> None:
    path = json_lines(tmp_path / "rows.jsonl")
    before = input_at(str(path))
    os.utime(path, (1, 1))

    assert input_at(str(path)) != before


def test_pieces_cover_row_groups_and_bytes_once(tmp_path: Path) -> None:
    inputs = inputs_of([str(parquet(tmp_path / "a.parquet")), str(json_lines(tmp_path / "b.jsonl"))])

    pieces = pieces_of(inputs, piece_bytes=2000)

    for number, stop in ((0, 10), (1, inputs[1].size)):
        mine = [piece for piece in pieces if piece.input == number]
        assert len(mine) > 2
        assert (mine[0].start, mine[-1].stop) == (0, stop)
        assert all(one.stop == other.start for one, other in pairwise(mine))
    assert pieces_of(inputs) == (InputPiece(0, 0, 10), InputPiece(1, 0, inputs[1].size))


def test_rows_are_counted_by_footers_and_by_the_length_of_lines(tmp_path: Path) -> None:
    inputs = inputs_of([str(parquet(tmp_path / "a.parquet")), str(json_lines(tmp_path / "b.jsonl"))])

    assert rows_expected(inputs[:1]) == 1000
    assert rows_expected(inputs) == pytest.approx(2000, rel=0.02)
    assert columns_of(inputs) == ("answer", "expected")


def test_an_input_that_cannot_be_opened_is_a_piece_without_rows(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    inputs = inputs_of([str(parquet(tmp_path / "b.parquet")), str(tmp_path / "a.parquet")])

    assert pieces_of(inputs) == (InputPiece(0, 0, 10), InputPiece(1, 0, 0))
    assert rows_expected(inputs) == 1000
