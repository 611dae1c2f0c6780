"""Files of questions are read strictly, a row at a time, and told with file and line."""

import csv
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.run import Item, RecordedAnswer
from sensecheck.datasets.columns import Columns
from sensecheck.datasets.questions import QuestionRow, QuestionRows

ROWS: list[dict[str, Any]] = [
    {
        "id": "paris",
        "question": "What is the capital of France?",
        "expected": "Paris.",
        "answer": "It is Paris.",
        "passages": ["France is in Europe.", "Its capital is Paris."],
        "topic": "places",
        "correct": True,
        "latency_ms": 12.5,
    },
    {"id": "ten", "question": "How many fingers?", "expected": "Ten.", "answer": "", "correct": 0},
]
MEANT = Columns(slices=("topic",), labels=("correct",))
READ = [
    (
        Item(
            "What is the capital of France?",
            "Paris.",
            ("France is in Europe.", "Its capital is Paris."),
            {"topic": "places"},
            "paris",
        ),
        RecordedAnswer("It is Paris.", latency_ms=12.5, labels={"correct": 1.0}),
    ),
    (Item("How many fingers?", "Ten.", id="ten"), RecordedAnswer("", labels={"correct": 0.0})),
]


def written(path: Path, rows: list[dict[str, Any]] = ROWS) -> Path:
    """The rows, in the format that the name says."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n\n" for row in rows), encoding="utf-8")
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file)
            table.writerow(columns)
            table.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    else:
        held: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in columns}
        if "correct" in held:
            held["correct"] = [float(value) for value in held["correct"]]
        pyarrow.parquet.write_table(pyarrow.table(held), path)
    return path


def _cell(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def read(path: Path, columns: Columns = MEANT) -> list[QuestionRow]:
    return list(QuestionRows(path, columns))


def lines(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    return written(tmp_path / "questions.jsonl", list(rows))


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_the_same_rows_are_read_from_every_format(suffix: str, tmp_path: Path) -> None:
    found = read(written(tmp_path / f"questions{suffix}"))

    assert [(row.item, row.given) for row in found] == READ


@pytest.mark.parametrize(
    ("suffix", "where"),
    [(".jsonl", "line 3 of `q.jsonl`"), (".csv", "line 3 of `q.csv`"), (".parquet", "row 2 of `q.parquet`")],
)
def test_a_row_knows_where_it_stands(suffix: str, where: str, tmp_path: Path) -> None:
    assert read(written(tmp_path / f"q{suffix}"))[1].where == where


@pytest.mark.parametrize("name", ["expected", "reference", "ground_truth", "gold"])
def test_a_reference_answer_has_the_names_that_others_give_it(name: str, tmp_path: Path) -> None:
    (row,) = read(lines(tmp_path, {"question": "Why?", name: "Because."}), Columns())

    assert row.item.expected == "Because."


def test_two_columns_for_one_part_are_an_error_unless_one_is_left_unread(tmp_path: Path) -> None:
    path = lines(tmp_path, {"question": "Why?", "gold": "Because.", "reference": "Therefore."})

    with pytest.raises(
        SampleError, match=r"line 1 of `questions.jsonl` has `reference` and `gold`, which are"
    ):
        read(path, Columns())
    assert read(path, Columns(ignored=("gold",)))[0].item.expected == "Therefore."


def test_a_part_that_changes_its_column_is_an_error(tmp_path: Path) -> None:
    path = lines(tmp_path, {"question": "Why?", "gold": "a"}, {"question": "How?", "expected": "b"})

    with pytest.raises(SampleError, match=r"has the `expected` in `expected`, and line 1 .* in `gold`"):
        read(path, Columns())


def test_a_column_may_be_called_anything_if_that_is_said(tmp_path: Path) -> None:
    path = lines(tmp_path, {"query": "Why?", "human": "Because.", "bot": "So."})

    (row,) = read(path, Columns.of(parts=("question=query", "expected=human", "answer=bot")))

    assert (row.item, row.given) == (Item("Why?", "Because."), RecordedAnswer("So."))


def test_columns_that_mean_nothing_are_remembered_and_not_taken(tmp_path: Path) -> None:
    rows = QuestionRows(lines(tmp_path, {"question": "Why?", "Expected": "x", "notes": "y"}), Columns())

    (row,) = rows

    assert row.item == Item("Why?", None)
    assert list(rows.seen.strange) == ["Expected", "notes"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": 7}, "line 1 of `questions.jsonl`: `question` must be a string; got `7`"),
        ({"question": "a", "passages": [1]}, "`passages` must be a list of strings; got list"),
        ({"question": "a", "answer": "b", "correct": "maybe"}, "`correct` must be true, false or a number"),
        ({"question": "a", "answer": "b", "cost": "much"}, "`cost` must be a number; got `much`"),
        ({"question": "a", "topic": {}}, "`topic` must be a string or a number; got dict"),
        ({"question": "a", "correct": 1}, "has a label, and no answer that it could be about"),
    ],
)
def test_a_value_that_makes_no_sense_is_told_with_its_line(
    row: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(SampleError, match=message):
        read(lines(tmp_path, row))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"question": "a"}\n{"question"}\n', "line 2 of `q.jsonl`: is not JSON"),
        (
            b'{"question": "a", "question": "b"}\n',
            "line 1 of `q.jsonl`: the key `question` stands there twice",
        ),
        (b'{"correct": NaN}\n', "`NaN` is no number of JSON"),
        (b"[1]\n", "must be an object such as {…}; got list"),
        (b'{"question": "\xff"}\n', "is not UTF-8: byte 14 is 0xff"),
    ],
)
def test_a_line_that_is_no_row_is_told(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(content)

    with pytest.raises(SampleError, match=message):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("question,question\na,b\n", "must have names that differ; got `question` \\(twice\\)"),
        ("question,answer\na\n", "line 2 of `q.csv` has 1 cells; the header has 2"),
        ('question\n"a"b\n', "line 2 of `q.csv` is no row of a table"),
    ],
)
def test_a_table_that_is_none_is_told(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text(content)

    with pytest.raises(SampleError, match=message):
        read(path)


def test_a_passage_that_begins_with_a_bracket_is_a_passage(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text('question,passages\na,[1] It rains.\nb,"[""x"", ""y""]"\nc,[]\nd,\n')

    found = [row.item.passages for row in read(path)]

    assert found == [("[1] It rains.",), ("x", "y"), (), ()]


def test_a_table_that_is_not_utf8_is_told_with_its_line_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes(b"question,answer\nIs it open?,yes\nWhere is the caf\xe9?,there\n")

    with pytest.raises(SampleError, match=r"^line 3 of `q\.csv` is not UTF-8: byte 16 is 0xe9$"):
        read(path)


@pytest.mark.parametrize(("sign", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_a_table_with_other_separators_is_told(sign: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text(f"question{sign}answer\na{sign}b\n")

    with pytest.raises(SampleError, match=f"columns of `q.csv` must be separated by commas; got {word}"):
        read(path)


def test_a_folder_is_no_file_of_questions(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"must be a file; got a folder; name a file that ends with one of"):
        read(tmp_path)


def test_a_file_that_is_not_there_or_of_no_known_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"must have a name that ends with one of `.jsonl`"):
        read(tmp_path / "q.xlsx")
    with pytest.raises(SpecError, match="is not there"):
        read(tmp_path / "q.csv")
    (tmp_path / "q.parquet").write_bytes(b"nothing of the kind")
    with pytest.raises(SampleError, match=r"`q.parquet` cannot be read after row 0"):
        read(tmp_path / "q.parquet")


@pytest.mark.parametrize("given", [("question",), ("question=",), ("who=me",), ("id=a", "id=b")])
def test_columns_are_named_as_part_and_column(given: tuple[str, ...]) -> None:
    with pytest.raises(SpecError, match="--column"):
        Columns.of(parts=given)


def test_a_column_is_one_thing() -> None:
    with pytest.raises(SpecError, match="the column `topic` was named for two things"):
        Columns(slices=("topic",), ignored=("topic",))


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_memory_is_flat_in_the_number_of_rows(suffix: str, tmp_path: Path) -> None:
    def peak(count: int) -> int:
        rows = [{"id": str(n), "question": f"What is {n}?" * 10, "answer": "x" * 100} for n in range(count)]
        path = written(tmp_path / f"{count}{suffix}", rows)
        del rows
        tracemalloc.start()
        for _ in QuestionRows(path, Columns()):
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(100)  # what is imported and made once
    assert peak(4000) < 1.3 * peak(1000) + 200_000


def test_a_parquet_file_with_a_column_twice_is_refused_as_a_table_of_cells_is(tmp_path: Path) -> None:
    held = pyarrow.table([["Why?"], ["A."], ["B."]], names=["question", "answer", "answer"])
    pyarrow.parquet.write_table(held, tmp_path / "twice.parquet")

    with pytest.raises(
        SampleError, match=r"the header of `twice.parquet` must have .* got `answer` \(twice\)"
    ):
        list(QuestionRows(tmp_path / "twice.parquet", Columns()))


@pytest.mark.slow
def test_rows_that_each_have_columns_of_their_own_are_read_in_little_memory(tmp_path: Path) -> None:
    many = {f"{'column ' * 20}{number}": 1 for number in range(50)}
    lines = (json.dumps({"question": f"{row}?", f"new {row}": 1} | many) for row in range(4_000))
    (tmp_path / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    read = QuestionRows(tmp_path / "q.jsonl", Columns())

    tracemalloc.start()
    count = sum(1 for _ in read)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 4_000
    assert most < 8_000_000
