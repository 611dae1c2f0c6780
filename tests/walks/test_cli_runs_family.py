"""`sensecheck runs`: the same verbs for suites, evaluations in any place, and large runs."""

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.verdict import Outcome
from tests.golden.commands import commands
from tests.ready_tables import make_tables
from tests.runs.kept_runs import kept as suite
from tests.runs.kept_runs import result
from tests.runs.large_runs import COUNT, a_run, rows
from tests.runs.stores import kept
from tests.walks.cli import typed

PASS: Outcome = "pass"
FAIL: Outcome = "fail"
READINGS = {"semantic_similarity@minilm": [0.9, 0.4, None, 0.7], "bleu": [0.5, 0.25, None, 0.75]}
LABELS = {"correct": [1.0, 0.0, 1.0, 1.0]}
KINDS = ("sqlite", "folder", "parquet")
VERBS = {
    *("list", "show", "compare", "trend", "label", "agreement", "encoders", "weight", "report", "export"),
    "gc",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("RUNS", "STORE"):
        monkeypatch.delenv(f"SENSECHECK_{name}", raising=False)
    return tmp_path


def address(kind: str, folder: Path) -> str:
    if kind == "sqlite":
        make_tables(f"sqlite:///{folder / 'evals.sqlite3'}")
        return str(folder / "evals.sqlite3")
    return f"{kind}:{folder / kind}"


def three(folder: Path) -> list[str]:
    """The addresses of three places, with the same two runs in each."""
    found = [address(kind, folder) for kind in KINDS]
    for place in found:
        kept(place, READINGS, labels=LABELS, name="monday")
        kept(place, {name: [0.8, *values[1:]] for name, values in READINGS.items()}, name="tuesday")
    return found


def runs(*arguments: str | Path, **environment: str) -> Any:
    found = typed("runs", *map(str, arguments), **environment)
    assert found.exit_code == 0, found.output
    return found


def told(*arguments: str | Path) -> Any:
    return json.loads(runs(*arguments, "--json").stdout)


def steady(data: Any) -> Any:
    """Without what is another one in each place."""
    if isinstance(data, dict):
        return {
            key: steady(value)
            for key, value in data.items()
            if key not in ("id", "at", "place", "test_run_id")
        }
    return [steady(one) for one in data] if isinstance(data, list) else data


@pytest.mark.core
def test_one_family_has_all_verbs_and_the_help_shows_no_other() -> None:
    found = commands()

    assert {words[1] for words in found if words[:1] == ("runs",) and len(words) == 2} == VERBS
    for earlier in ("history", "results", "report", "compare"):
        assert found[(earlier,)].hidden
        assert not re.search(rf"^\S* +.*\b{earlier},", typed("--help").stdout, re.MULTILINE)


@pytest.mark.core
def test_an_evaluation_is_shown_the_same_in_every_place(folder: Path) -> None:
    places = three(folder)
    data = [steady(told("show", "monday", "--store", place)) for place in places]
    text = [runs("show", "1", "--store", place).stdout for place in places]
    one = [steady(told("show", "latest", "--question", "q1", "--store", place)) for place in places]

    assert data[0]["questions"] == 4
    assert data[0]["unanswered"] == 1
    assert data[0] == data[1] == data[2]
    assert one[0] == one[1] == one[2]
    for shown, place in zip(text, places, strict=True):
        assert "the worst by semantic_similarity" in shown
        assert f" --store {'sqlite:///' if place == places[0] else ''}{place}" in shown


def test_an_evaluation_is_reported_and_exported_the_same_in_every_place(folder: Path) -> None:
    exported, pages = [], []
    for at, place in enumerate(three(folder)):
        page, table = folder / f"{at}.html", folder / f"{at}.csv"
        assert told("report", "2", "-o", page, "--against", "previous", "--trend", "--store", place) == {
            "run": 2,
            "written": str(page),
            "shown": 4,
            "rows": 4,
        }
        pages.append(len(page.read_text("utf-8")))
        assert told("export", "monday", "-o", table, "--store", place)["rows"] == 4
        with table.open(newline="") as file:
            exported.append([steady(row) for row in csv.DictReader(file)])

    assert exported[0] == exported[1] == exported[2]
    assert exported[0][1]["semantic_similarity"] == "0.4"
    assert max(pages) - min(pages) < 200  # ids and moments are packed into it


def test_the_other_verbs_read_every_place(folder: Path) -> None:
    for place in three(folder):
        (folder / "labels.csv").write_text("id,value\nq0,1\nq1,0\nq3,1\n")
        added = told("label", "tuesday", folder / "labels.csv", "--label", "good", "--store", place)
        assert (added["run"], added["added"]) == (2, 3)
        assert {one["metric"] for one in told("agreement", "1", "--store", place)} == {
            "bleu",
            "semantic_similarity",
        }
        assert {one["metric"] for one in told("trend", "--store", place)} == {"bleu", "semantic_similarity"}
        compared = told("compare", "1", "2", "--store", place)
        assert (compared["before"]["name"], compared["n"]) == ("monday", 4)


@pytest.mark.core
def test_runs_of_all_kinds_are_listed_in_one_table(folder: Path) -> None:
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass"), result(2, "fail")])
    suite(folder / ".sensecheck/runs/2.jsonl", [result(1, "pass")], cells=2)
    (folder / ".sensecheck/runs/3.jsonl").write_bytes(b'{"run": \xff}\n')
    (folder / ".sensecheck/runs/4.jsonl").write_text('{"run"')
    store = address("folder", folder)
    kept(store, READINGS, name="monday")
    found = runs("list", "--store", store)
    data = {(one["kind"], one["run"]): one for one in told("list", "--store", store)}

    lines = [line.split() for line in found.stdout.splitlines()]
    assert lines[0] == ["run", "kind", "project", "test", "name", "began", "items", "metric", "mean"]
    assert ["1", "suite", "bot.battery.yaml", "suite"] in [line[:4] for line in lines]
    assert ["1", "evaluation", "atlas", "nightly", "monday"] in [line[:5] for line in lines]
    assert found.stdout.count("cannot be read") == 2
    assert "interrupted after 1" in found.stdout
    assert "suite 4: " in found.stderr
    assert data["suite", 1]["value"] == 0.5
    assert (data["suite", 1]["complete"], data["suite", 2]["complete"]) == (True, False)
    assert data["suite", 3]["error"]
    assert data["evaluation", 1]["metric"] == "semantic_similarity"
    assert data["evaluation", 1]["value"] == pytest.approx(2 / 3)


def test_a_damaged_run_in_a_folder_hides_no_other(folder: Path) -> None:
    store = address("folder", folder)
    kept(store, READINGS, name="monday")
    kept(store, READINGS, name="tuesday")
    (folder / "folder/runs/000001.json").write_text("{")
    found = told("list", "--store", store)

    assert [(one["run"], bool(one["error"])) for one in found] == [(1, True), (2, False)]


@pytest.mark.core
def test_a_run_of_a_suite_is_shown_alongside_evaluations(folder: Path) -> None:
    kept(Path("evals.sqlite3"), READINGS)
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass"), result(2, "fail")])
    store = {"SENSECHECK_STORE": "evals.sqlite3"}
    shown = runs("show", "latest", **store).stdout
    ambiguous = typed("runs", "show", "1", **store)

    assert "2 tests: 1 pass, 1 fail (50.0% passed)" in shown
    assert shown == runs("show", ".sensecheck/runs/1.jsonl", **store).stdout
    assert shown == runs("show", "1", "--store", "suites:.sensecheck/runs", **store).stdout
    assert ambiguous.exit_code == 2
    assert (
        "name the former by `--store suites:.sensecheck/runs`, the latter by `--store sqlite:///evals"
        in ambiguous.stderr
    )
    assert told("show", ".sensecheck/runs/1.jsonl")["pass_rate"] == 0.5
    runs("report", ".sensecheck/runs/1.jsonl", "-o", "a.md", "-o", "a.html", "-o", "a.xml", **store)
    assert told("export", ".sensecheck/runs/1.jsonl", "-o", "a.csv")["rows"] == 2
    runs("export", "latest", "-o", "b.csv", "--store", "evals.sqlite3")
    assert "passed" in Path("a.csv").read_text().splitlines()[0]


def test_suites_alone_have_a_trend_and_are_compared(folder: Path) -> None:
    for number, second in ((1, PASS), (2, FAIL)):
        suite(folder / f".sensecheck/runs/{number}.jsonl", [result(1, "pass"), result(2, second)])

    passed = [one["mean"] for one in told("trend") if one["metric"] == "passed"]
    assert passed == [1.0, 0.5]
    assert told("compare")["regression_count"] == 1
    assert "`nobody` is not a known project" in typed("runs", "trend", "--project", "nobody").stderr


@pytest.mark.core
def test_a_large_run_is_read_by_the_same_verbs(folder: Path) -> None:
    a_run(folder / "large", rows())
    kept(Path("evals.sqlite3"), READINGS)
    shown = runs("show", "large", "--by", "topic")

    assert f"{COUNT}, 12 not answered" in shown.stdout
    assert shown.stdout == typed("results", "summary", "large", "--by", "topic").stdout
    assert told("show", "large")["questions"] == COUNT
    assert told("report", "large", "-o", "large.html", "--max-rows", "20")["shown"] == 20
    assert told("export", "large", "-o", "large.jsonl") == {
        "run": 1,
        "rows": COUNT,
        "file": "large.jsonl",
    }
    (listed,) = (one for one in told("list", "--store", "parquet:large") if one["kind"] == "large")
    assert (listed["size"], listed["metric"], listed["complete"]) == (COUNT, "semantic_similarity", True)
    assert listed["value"] == pytest.approx(
        next(one["mean"] for one in told("show", "large")["metrics"] if one["metric"] == listed["metric"])
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "9"], "there is no run `9`"),
        (["show", "nobody", "--store", "evals.sqlite3"], "there is no run `nobody`"),
        (["show", "mondya", "--store", "evals.sqlite3"], "did you mean `monday`?"),
        (["show", "1", "--store", "evals.sqlite3", "--by", "topik"], "did you mean `topic`?"),
        (["report", "monday", "--store", "evals.sqlite3", "-o", "a.xml"], "ends in `.html`"),
        (["list", "--store", "nowhere.sqlite3"], "there is no store"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(folder: Path, arguments: list[str], said: str) -> None:
    a_run(folder / "large", rows(20))
    kept(Path("evals.sqlite3"), READINGS, name="monday")
    found = typed("runs", *arguments)

    assert found.exit_code == 2
    assert said in found.stderr
    assert found.stderr.count("\n") == 1


def test_an_earlier_name_does_the_same_and_says_the_new_one(folder: Path) -> None:
    kept(Path("evals.sqlite3"), READINGS)
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass")])
    store = ("--store", "evals.sqlite3")
    before, now = typed("history", "show", "1", *store), typed("runs", "show", "1", *store)

    assert before.stdout == now.stdout
    assert (before.stderr, now.stderr) == ('note: "history show" is now "runs show"\n', "")
    assert typed("history", "show", "1", *store, "--json").stderr == ""
    assert typed("report", "1", "-o", "a.md").stderr == 'note: "report" is now "runs report"\n'
    assert typed("runs").stderr == 'note: "runs" is now "runs list"\n'
    assert typed("runs", "--json").stderr == ""


def test_without_any_run_it_says_how_to_make_one(folder: Path) -> None:
    assert runs("list").stdout.startswith("no run is stored; make one with `sensecheck run")
    assert told("list") == []


def test_a_store_that_refuses_is_not_passed_over_for_a_suite_of_the_same_name(folder: Path) -> None:
    place = address("folder", folder)
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass")], description="base")
    for _ in range(2):
        kept(place, READINGS, name="base")
    found = typed("runs", "show", "base", SENSECHECK_STORE=place)

    assert found.exit_code == 2
    assert "`base` is the name of several runs" in " ".join(found.stderr.split())


def test_a_trend_is_that_of_the_store_in_the_settings_also_where_there_are_suites(folder: Path) -> None:
    place = address("folder", folder)
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass")])
    for _ in range(2):
        kept(place, READINGS, name="base")
    found = typed("runs", "trend", "--json", SENSECHECK_STORE=place)

    assert found.exit_code == 0, found.output
    assert "semantic_similarity" in found.stdout
    assert "passed" not in found.stdout


def test_a_store_whose_extra_is_missing_is_not_passed_over_for_a_suite(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass")])
    for name in [name for name in sys.modules if name.partition(".")[0] == "sqlalchemy"]:
        monkeypatch.setitem(sys.modules, name, None)
    absent = typed("runs", "show", "latest")
    named = typed("runs", "show", "latest", SENSECHECK_STORE=f"sqlite:///{folder / 'evals.sqlite3'}")

    assert absent.exit_code == 0, absent.output
    assert named.exit_code == 3
    assert "`sqlalchemy" in named.stderr


@pytest.mark.core
def test_many_runs_are_a_leaderboard_and_two_answers_stand_side_by_side(folder: Path) -> None:
    for place in three(folder):
        kept(place, {name: [1.0, 0.9, None, 0.9] for name in READINGS}, name="wednesday")
        found = told("compare", "monday", "tuesday", "wednesday", "--store", place)
        text = runs("compare", "1", "2", "3", "--store", place).stdout
        (pair,) = told("compare", "1", "3", "--question", "q1", "--store", place)

        assert found["metric"] == "semantic_similarity"
        assert [one["run"]["name"] for one in found["standings"]] == ["wednesday", "monday", "tuesday"]
        assert found["standings"][1]["shift"] is None
        assert found["standings"][1]["people"] == {"correct": pytest.approx(2 / 3)}
        assert found["standings"][0]["shift"]["difference"] == pytest.approx(0.8 / 3)
        assert "the first" in text
        assert pair["scores"]["bleu"] == [0.25, 0.9]
        assert pair["answers"] == ["I think 1.", "I think 1."]
        shown = runs("compare", "1", "3", "--question", "q1", "--store", place).stdout
        assert "before    I think 1." in shown


def test_what_interrupted_work_left_is_removed_and_nothing_else(folder: Path) -> None:
    place = address("parquet", folder)
    kept(place, READINGS, name="monday")
    left = folder / "parquet/runs/000001/answers/000000000009-dead.parquet"
    left.write_bytes(b"cut off")
    before = told("show", "1", "--store", place)

    assert [one["name"] for one in told("gc", "--store", place, "--dry-run")] == [
        "runs/000001/answers/000000000009-dead.parquet"
    ]
    assert left.exists()
    assert "1 file, 7 bytes, removed from" in runs("gc", "--store", place).stdout
    assert not left.exists()
    assert told("gc", "--store", place) == []
    assert told("show", "1", "--store", place) == before
    suite(folder / ".sensecheck/runs/1.jsonl", [result(1, "pass")])
    (folder / ".sensecheck/runs/1.token").write_text("abc")
    assert [one["name"] for one in told("gc")] == ["1.token"]
