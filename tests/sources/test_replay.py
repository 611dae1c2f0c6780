"""Answers that were recorded: matched by what a row tells, and never guessed."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.verdict import Verdict
from sensecheck.runs.jsonl import RunHeader, result_line
from sensecheck.runs.result import Result
from sensecheck.sources.replay import RecordedSource, sources_in
from sensecheck.sources.source import Answer, NoAnswer, Question
from tests.sources.described import because, source, text

RESULTS = Path(__file__).parent / "files" / "promptfoo_results.json"
BERN = Question("Where is Bern?", {"city": "Bern", "n": 3}, "k1", "the capital", number=1)
ROM = Question("Where is Rom?", {"city": "Rom", "n": 4}, "k2", "the other", number=2)


def recorded(path: Path, config: dict[str, Any] | None = None, *, label: str = "recorded") -> RecordedSource:
    loaded = source(f"recorded:{path.name}", config, label=label, folder=path.parent)
    assert isinstance(loaded, RecordedSource)
    return loaded


def lines(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    "which",
    [
        {"test": 1},
        {"key": "k1"},
        {"description": "the capital"},
        {"vars": {"city": "Bern"}},
        {"vars": {"city": "Bern", "n": 3}},
        {"vars.city": "Bern"},
        {"prompt": "Where is Bern?"},
        {"test": 1, "vars": {"n": 3}, "prompt": "Where is Bern?", "repeat": 1},
    ],
)
def test_a_row_is_found_by_what_it_tells(tmp_path: Path, which: dict[str, Any]) -> None:
    source = recorded(lines(tmp_path, {**which, "output": "In Switzerland", "latencyMs": 12, "cost": 0.5}))

    assert source.answer(BERN) == Answer("In Switzerland", 12.0, 0.5)
    assert because(source.answer(ROM)) == (
        "`answers.jsonl` has no recorded answer for test 2, `the other`, repeat 1"
    )


def test_repeats_have_answers_of_their_own_where_rows_tell(tmp_path: Path) -> None:
    rows = [{"test": 1, "repeat": repeat, "answer": f"time {repeat}"} for repeat in (1, 2)]
    source = recorded(lines(tmp_path, *rows, {"test": 2, "answer": "always"}))

    def said(question: Question, repeat: int) -> Answer | NoAnswer:
        return source.answer(Question(question.prompt, number=question.number, repeat=repeat))

    assert [text(said(BERN, 1)), text(said(BERN, 2)), text(said(ROM, 7))] == ["time 1", "time 2", "always"]
    assert isinstance(said(BERN, 3), NoAnswer)


def test_rows_that_nobody_asked_for_can_be_told(tmp_path: Path) -> None:
    source = recorded(lines(tmp_path, {"test": 1, "output": "a"}, {"test": 9, "output": "b"}))
    source.answer(BERN)
    assert list(source.unused()) == ["answers.jsonl:2"]


def test_a_table_is_read_as_well(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(
        "\ufefftest,vars.city,source,output,latency_ms,cost,x-note\n"
        '1,Bern,,"In ""Switzerland"",\nmostly",12,0.5,hm\n'
        "2,,,,,,\n"
    )
    source = recorded(path)

    assert source.answer(BERN) == Answer('In "Switzerland",\nmostly', 12.0, 0.5)
    assert because(source.answer(ROM)).startswith("`answers.csv` has no recorded answer for test 2")
    assert list(source.unused()) == ["answers.csv:4"]


def test_an_empty_cell_of_an_answer_is_an_empty_answer(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("test,output\n1,\n")
    assert text(recorded(path).answer(BERN)) == ""


@pytest.mark.parametrize("label", ["echo", "second echo"])
def test_results_that_promptfoo_wrote_are_read(label: str) -> None:
    source = recorded(RESULTS, label=label)
    paris = Question("Where is Paris?", {"city": "Paris"}, description="the capital", number=1)
    zurich = Question('Where is Zürich "quoted"?', {"city": 'Zürich "quoted"'}, number=2)

    heard = source.answer(paris)
    assert isinstance(heard, Answer)
    assert (heard.text, heard.cost) == ("Where is Paris?", 0)
    assert heard.latency_ms is not None
    assert text(source.answer(zurich)) == 'Where is Zürich "quoted"?'
    assert isinstance(source.answer(Question("Where is Paris?", {"city": "Rom"})), NoAnswer)
    assert list(source.unused()) == []


def test_of_several_sources_one_must_be_chosen() -> None:
    with pytest.raises(BatteryError, match=r"choose one with `config: {source: …}`"):
        recorded(RESULTS)
    assert recorded(RESULTS, {"source": "second echo"}).label == "recorded"


def changed(folder: Path, change: Any) -> Path:
    held = json.loads(RESULTS.read_text())
    held["results"]["results"] = change(held["results"]["results"])
    path = folder / "results.json"
    path.write_text(json.dumps(held))
    return path


def test_equal_questions_of_promptfoo_are_repeats(tmp_path: Path) -> None:
    def twice(rows: list[Any]) -> list[Any]:
        return [rows[0], {**rows[0], "testIdx": 1, "response": {"output": "again"}}]

    source = recorded(changed(tmp_path, twice))
    assert (
        text(
            source.answer(Question("Where is Paris?", {"city": "Paris"}, description="the capital", repeat=2))
        )
        == "again"
    )


def test_two_tests_of_promptfoo_with_one_question_are_an_error(tmp_path: Path) -> None:
    def twice(rows: list[Any]) -> list[Any]:
        return [rows[0], {**rows[0], "testCase": {**rows[0]["testCase"], "assert": [{"type": "is-json"}]}}]

    with pytest.raises(BatteryError, match="answers the same question as another test"):
        recorded(changed(tmp_path, twice))


def test_where_promptfoo_had_no_answer_there_is_none(tmp_path: Path) -> None:
    source = recorded(changed(tmp_path, lambda rows: [{**rows[0], "response": {"error": "401"}}]))
    heard = source.answer(Question("Where is Paris?", {"city": "Paris"}, description="the capital"))
    assert because(heard) == "promptfoo had no answer either, in `results.json, result 1`"


def test_a_run_of_ours_is_read(tmp_path: Path) -> None:
    header = RunHeader("b.yaml", "d", "0", "hashing", ("m", "n"), ("p",), tests=1, cells=3)
    verdict = Verdict("scored", "error", "`http://x` could not be reached")

    def result(answer: str | None, **more: Any) -> str:
        held = {"source": "m", "answer": answer, **more}
        return result_line(Result(1, "k1", "", {}, "Where is Bern?", "p", verdict=verdict, scores=(), **held))

    path = tmp_path / "7.jsonl"
    path.write_text(
        header.to_line()
        + result("here", latency_ms=5.0)
        + result(None, repeat=2, runs=2)
        + result("there", source="n")
    )

    assert recorded(path, label="m").answer(BERN) == Answer("here", 5.0)
    assert text(recorded(path, {"source": "n"}).answer(BERN)) == "there"
    again = Question(BERN.prompt, test="k1", repeat=2)
    assert because(recorded(path, label="m").answer(again)) == "`http://x` could not be reached"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{"test": 1, "output": "a"}, {"test": 1, "output": "b"}],
            "answers one question twice: at 1 and at 2",
        ),
        ([{"test": 1, "output": "a", "descripton": "x"}], "did you mean `description`?"),
        ([{"output": "a"}], "does not tell which test it answers"),
        ([{"output": "a", "repeat": 1}], "does not tell which test it answers"),
        ([{"test": 1}], "has no answer; wanted `output` or `answer`"),
        ([{"test": "1", "output": "a"}], "`test` must be a whole number; got str"),
        ([{"test": 1, "output": "a", "answer": "b"}], "which are the same; wanted one"),
        ([{"test": 1, "output": "a", "cost": "much"}], "`cost` must be a number; got str"),
        ([{"vars": "x", "output": "a"}], "`vars` must be a mapping; got str"),
    ],
)
def test_what_is_wrong_with_a_row_is_told_with_its_line(
    tmp_path: Path, rows: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(BatteryError) as wrong:
        recorded(lines(tmp_path, *rows))
    assert str(wrong.value).startswith("battery.yaml:7:5: ")
    assert "answers.jsonl" in str(wrong.value)
    assert message in str(wrong.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "test,output\n1,a,b\n", "`a.csv:2` needs 2 cells"),
        ("a.csv", "test,output\n1\n", "`a.csv:2` needs 2 cells"),
        ("a.csv", "test,test,output\n1,1,a\n", "names a column twice"),
        ("a.csv", "test,output\none,a\n", "`test` must be a number; got `one`"),
        ("a.csv", 'test,output\n1,"a\n', "cannot be read"),
        ("a.jsonl", '{"test": 1, "output": "a"\n', "`a.jsonl:1` is not JSON"),
        ("a.jsonl", "[1]\n", "`a.jsonl:1` must be a JSON object"),
        ("a.json", "[]", "is no file of results of promptfoo"),
        ("a.json", '{"results": {"version": 2, "results": []}}', "has version 2 of results; this reads 3"),
        ("a.json", '{"results": {"version": 3, "results": [{}]}}', "does not tell its provider"),
        ("a.jsonl", b"\xff\xfe", "line 1 of `a.jsonl` is not UTF-8: byte 0 is 0xff"),
        ("a.csv", b"test,output\n1,caf\xe9\n", "line 2 of `a.csv` is not UTF-8: byte 5 is 0xe9"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BatteryError) as wrong:
        recorded(path)
    assert message in str(wrong.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BatteryError, match="cannot be read"):
        recorded(tmp_path / "missing.jsonl")


def test_two_rows_that_tell_different_things_of_one_question_are_an_error(tmp_path: Path) -> None:
    source = recorded(lines(tmp_path, {"test": 1, "output": "a"}, {"vars": {"city": "Bern"}, "output": "b"}))
    with pytest.raises(SpecError, match="answers one question twice: at 1 and at 2"):
        source.answer(BERN)


def test_the_fingerprint_follows_the_file(tmp_path: Path) -> None:
    first = recorded(lines(tmp_path, {"test": 1, "output": "a"})).fingerprint
    assert recorded(lines(tmp_path, {"test": 1, "output": "b"})).fingerprint != first


def test_a_file_tells_whose_answers_it_holds(tmp_path: Path) -> None:
    rows = [{"test": n, "source": name, "output": "a"} for n, name in enumerate(("b", "a", "b"), 1)]
    assert sources_in(lines(tmp_path, *rows)) == ("b", "a")
    assert sources_in(RESULTS) == ("echo", "second echo")
    assert sources_in(lines(tmp_path, {"test": 1, "output": "a"})) == ()
