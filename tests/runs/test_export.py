"""A run to files of every form."""

import csv
import io
import json
import tracemalloc
from pathlib import Path

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs.export import SUFFIXES, write_report
from sensecheck.runs.jsonl import RunFile
from tests.runs.kept_runs import HOSTILE, kept, no_answer, result

OURS = [suffix for suffix in SUFFIXES if suffix != ".html"]


@pytest.fixture
def run(tmp_path: Path) -> RunFile:
    """Two tests that passed and failed, one with repeats, one without an answer, and a hostile one."""
    repeats = [result(3, "fail", runs=2), result(3, repeat=2, runs=2)]
    hostile = result(
        5, "fail", description=HOSTILE, answer=HOSTILE, because=HOSTILE, vars={"=x": HOSTILE}, source=HOSTILE
    )
    return kept(
        tmp_path / "run.jsonl",
        [result(1), result(2, "fail"), *repeats, no_answer(4), hostile, result(6, "unsure")],
    )


def written(run: RunFile, name: str) -> bytes:
    path = run.path.with_name(name)
    write_report(run, path)
    return path.read_bytes()


@pytest.mark.parametrize("suffix", OURS)
def test_the_same_run_gives_the_same_bytes(run: RunFile, suffix: str) -> None:
    first = written(run, f"first{suffix}")

    assert first == written(run, f"second{suffix}")
    assert first.decode()
    assert not list(run.path.parent.glob(".*"))


def test_an_unknown_ending_is_an_error_that_names_the_known_ones(run: RunFile) -> None:
    with pytest.raises(
        SpecError, match=r"`.*report\.pdf` names no form .*`\.html`, `\.promptfoo\.json`, `\.xml`"
    ):
        written(run, "report.pdf")


def test_a_report_does_not_write_over_its_run(run: RunFile) -> None:
    before = run.path.read_bytes()

    with pytest.raises(SpecError, match="is the run itself"):
        write_report(run, run.path)
    assert run.path.read_bytes() == before


@pytest.mark.parametrize("cut", [1, 20])
@pytest.mark.parametrize("suffix", OURS)
def test_a_run_that_ends_within_a_line_is_one_that_was_interrupted_before_it(
    run: RunFile, suffix: str, cut: int
) -> None:
    before = list(run.results())
    run.path.write_bytes(run.path.read_bytes()[:-cut])

    assert list(run.results()) == before[:-1]
    assert said_when_interrupted(suffix, 6, 7) in written(run, f"report{suffix}").decode()


@pytest.mark.parametrize(
    ("line", "said"), [(b'{"test":3,\n', "line 8` is not JSON"), (b"\xff\n", "line 8` is not UTF-8")]
)
def test_a_run_with_a_broken_line_leaves_the_old_report(run: RunFile, line: bytes, said: str) -> None:
    old = written(run, "report.json")
    run.path.write_bytes(b"".join([*run.path.read_bytes().splitlines(keepends=True)[:-1], line]))

    with pytest.raises(SpecError, match=said):
        written(run, "report.json")
    assert run.path.with_name("report.json").read_bytes() == old
    assert not list(run.path.parent.glob(".*"))


def test_lines_are_the_run_itself(run: RunFile) -> None:
    assert written(run, "copy.jsonl") == run.path.read_bytes()


def test_json_holds_every_test_with_its_repeats(run: RunFile) -> None:
    found = json.loads(written(run, "report.json"))

    assert found["run"]["battery"] == "bot.battery.yaml"
    assert found["whole"] is True
    counted = {"tests": 6, "pass": 2, "fail": 2, "unsure": 1, "error": 1, "inconsistent": 1}
    assert found["summary"].items() >= counted.items()
    assert found["summary"]["metrics"]["near"] == {"mean": pytest.approx(0.8), "n": 6}
    assert [test["outcome"] for test in found["tests"]] == ["pass", "fail", "pass", "error", "fail", "unsure"]
    assert found["tests"][2]["consistency"] == "inconsistent 1/2"
    assert [one["outcome"] for one in found["tests"][2]["repeats"]] == ["fail", "pass"]
    assert found["tests"][4]["repeats"][0]["answer"] == HOSTILE
    assert found["tests"][3]["repeats"][0]["answer"] is None


def test_a_spreadsheet_calculates_nothing(run: RunFile) -> None:
    rows = list(csv.DictReader(written(run, "report.csv").decode().splitlines(keepends=True)))

    assert [row["outcome"] for row in rows] == ["pass", "fail", "fail", "pass", "error", "fail", "unsure"]
    assert rows[0]["metric.near"] == "0.8"
    assert rows[0]["var.user"] == "Question 1?"
    cells = [cell for row in rows for name, cell in row.items() if name not in ("score", "latency_ms")]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n")]
    assert rows[5]["answer"].startswith("'=cmd|")
    assert rows[5]["var.=x"].startswith("'=cmd|")


def test_a_negative_number_stays_a_number(tmp_path: Path) -> None:
    run = kept(tmp_path / "run.jsonl", [result(vars={"degrees": -5, "text": "-5", "list": [1, "a"]})])
    (row,) = csv.DictReader(written(run, "report.csv").decode().splitlines())

    assert (row["var.degrees"], row["var.text"], row["var.list"]) == ("-5", "'-5", '[1, "a"]')


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "a\nb"])
def test_line_breaks_stay_as_they_are_in_a_table(text: str, tmp_path: Path) -> None:
    run = kept(tmp_path / "run.jsonl", [result(vars={"text": text})])
    (row,) = csv.DictReader(io.StringIO(written(run, "report.csv").decode(), newline=""))

    assert row["var.text"] == text


@pytest.mark.parametrize("suffix", OURS)
def test_an_interrupted_run_says_so(tmp_path: Path, suffix: str) -> None:
    run = kept(tmp_path / "run.jsonl", [result(1)], cells=3)

    assert said_when_interrupted(suffix, 1, 3) in written(run, f"report{suffix}").decode()


def said_when_interrupted(suffix: str, there: int, cells: int) -> str:
    """What a report says of a run that is not whole, in the forms that can say it."""
    told = f"the run was interrupted: {there} of its {cells} results are there"
    return {".xml": told, ".json": '"whole":false', ".md": told}.get(suffix, "")


@pytest.mark.parametrize("suffix", OURS)
def test_a_long_run_is_not_held_in_memory(tmp_path: Path, suffix: str) -> None:
    run = kept(tmp_path / "run.jsonl", (result(n, answer="word " * 10_000) for n in range(1, 31)))
    write_report(run, tmp_path / f"warm{suffix}")
    tracemalloc.start()
    write_report(run, tmp_path / f"report{suffix}")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert run.path.stat().st_size > 3_000_000
    assert most < 1_500_000
