"""Tests in tables and in JSON lines."""

from pathlib import Path

import pytest

from sensecheck.batteries.table import assertion_of
from sensecheck.core.errors import SpecError
from tests.batteries.written import battery, cases_of, wrong

TABLE = "tests: file://t.csv"


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("Paris", {"type": "equals", "value": "Paris"}),
        ("Note: call us", {"type": "equals", "value": "Note: call us"}),
        (" contains: Paris ", {"type": "contains", "value": "Paris"}),
        ("not-icontains:x", {"type": "not-icontains", "value": "x"}),
        ("contains-any: a, b", {"type": "contains-any", "value": "a, b"}),
        ("similar(0.6):x y", {"type": "similar", "value": "x y", "threshold": 0.6}),
        ("similar:x", {"type": "similar", "value": "x", "threshold": 0.8}),
        ("latency(500)", {"type": "latency", "threshold": 500.0}),
        ("is-json", {"type": "is-json"}),
        ("grade: is polite", {"type": "llm-rubric", "value": "is polite"}),
        ("fn: output.length", {"type": "javascript", "value": "output.length"}),
        ("python: len(output) > 3", {"type": "python", "value": "len(output) > 3"}),
        ("file://a.py:f", {"type": "python", "value": "file://a.py:f"}),
        ("refusal:", {"type": "refusal"}),
        ("not-refusal:", {"type": "not-refusal"}),
        ("equals: refusal", {"type": "equals", "value": "refusal"}),
        ("means: it is open", {"type": "means", "value": "it is open"}),
    ],
)
def test_cells_are_read_as_promptfoo_reads_them(cell: str, made: dict[str, object]) -> None:
    assert assertion_of(cell) == made


def test_a_mistyped_type_is_not_taken_for_the_wanted_text() -> None:
    with pytest.raises(SpecError, match="did you mean `contains`"):
        assertion_of("contians: Paris")


def test_columns_are_variables_or_what_their_names_say(tmp_path: Path) -> None:
    table = (
        "user,__expected,__expected2,__description,__prefix,__metric,__threshold,__metadata:tags[],"
        "__config:__expected2:threshold,__providerOutput\n"
        '"What\nis it?",contains: x,"similar: a ""b""",first,Now: ,m,0.5,"a, b\\, c",0.3,xyz\n'
        "again,x,,,,,,,,zyx\n"
    )
    first, second = cases_of(tmp_path, TABLE, t_csv=table)

    assert first.vars == {"user": "What\nis it?"}
    assert first.types == ("contains", "similar")
    assert (first.description, first.prefix, first.recorded) == ("first", "Now: ", "xyz")
    assert [part.metric for part in first.check.parts] == ["m", "m"]
    assert first.check.threshold == 0.5
    assert first.metadata == {"tags": ["a", "b, c"]}
    assert (first.place.line, second.place.line) == (2, 4)
    assert second.types == ("equals",)
    assert second.recorded == "zyx"


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("user,_expected\nq,x\n", "t.csv:1:1: the column `_expected` begins with one underscore"),
        ("user,__expcted\nq,x\n", "t.csv:1:1: `__expcted` is not a known special column"),
        ("user;__expected\nq;x\n", "t.csv:1:1: the table must have commas between its columns"),
        ("user\t__expected\nq\tx\n", "t.csv:1:1: the table must have commas between its columns"),
        ("user|__expected\nq|x\n", "t.csv:1:1: the table must have commas between its columns"),
        ("user,__expected,__providerOutput\nq,x,\n", "t.csv:2:1: the cell under `__providerOutput` is empty"),
        ("user,__expected\nq,refusal\n", "t.csv:2:1: `refusal` is a type of assertion and a word"),
        ("user,__expected\nq,regex:\n", "`regex` is empty"),
        ("user,user\nq,x\n", "t.csv:1:1: the header must have names that differ"),
        ("user,__expected\nq\n", "t.csv:2:1: the row has 1 cells; the header has 2"),
        ("user,__expected\nq,\n", "t.csv:2:1: a test that asks nothing can never fail"),
        ("user,__expected\nq,webhook: x\n", "t.csv:2:1: `webhook` is a type of promptfoo"),
        ("user,__expected,__threshold\nq,x,high\n", "t.csv:2:1: `__threshold` must be a number"),
        ("user,__expected\nq,x\n\nq,regex: (\n", "t.csv:4:1: "),
        ('user,__expected\nq,"x"y\n', "t.csv:2:1: this is no row of a table"),
        ("user,__expected\n", "b.yaml:1:1: there is no test"),
        ("", "t.csv:1:1: the table is empty"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(tmp_path: Path, table: str, said: str) -> None:
    assert said in wrong(tmp_path, TABLE, t_csv=table)[0]


def test_json_lines_are_tests_each_with_its_line(tmp_path: Path) -> None:
    row = '{"vars": {"user": "hi"}, "assert": [{"type": "contains", "value": "x"}]}\n'
    tests = cases_of(tmp_path, "tests: [file://t.jsonl]", t_jsonl=row + "\n" + row)

    assert [(test.place.line, test.key) for test in tests] == [(1, tests[0].key), (3, f"{tests[0].key}~2")]
    assert wrong(tmp_path, "tests: file://t.jsonl", t_jsonl=row + "{oh\n")[0].startswith("t.jsonl:2:1: ")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{"vars": {"x": 1e999}, "assert": [{"type": "contains", "value": "x"}]}', "no number of JSON"),
        ('{"vars": {"x": ' + "[" * 300 + "]" * 300 + "}}", "nested more than 100 levels deep"),
    ],
)
def test_a_row_of_json_that_cannot_be_kept_is_refused(row: str, said: str, tmp_path: Path) -> None:
    assert said in wrong(tmp_path, "tests: file://t.jsonl", t_jsonl=row)[0]


def test_rows_are_read_anew_each_time_and_one_by_one(tmp_path: Path) -> None:
    table = "user,__expected\n" + "".join(f"q{n},x\n" for n in range(500))
    read = battery(tmp_path, TABLE, t_csv=table)

    assert next(read.read_tests()).vars["user"] == "q0"
    assert sum(1 for _ in read.read_tests()) == sum(1 for _ in read.read_tests()) == 500


def test_a_table_that_is_not_utf_8_is_an_error_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("user,__expected\nq,caf\xe9\n".encode("latin-1"))

    assert wrong(tmp_path, TABLE)[0].startswith("t.csv:2:6: the file is not UTF-8")


def test_a_number_in_a_row_of_json_that_is_meant_as_a_text_wants_quotes(tmp_path: Path) -> None:
    row = '{"providerOutput": "python 3.1", "assert": [{"type": "%s", "value": %s, "weight": 1.50}]}'
    told = wrong(tmp_path, "tests: file://t.jsonl", t_jsonl=row % ("contains", "3.10"))

    assert told == ["t.jsonl:1:1: `3.10` is a string only in quotes; a number is written 3.1"]
    assert cases_of(tmp_path, "tests: file://t.jsonl", t_jsonl=row % ("contains", "3.1"))
    assert cases_of(tmp_path, "tests: file://t.jsonl", t_jsonl=row % ("equals", '{"version": 3.10}'))
