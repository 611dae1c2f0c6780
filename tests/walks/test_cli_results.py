"""`sensecheck results`: large runs summed up, compared, written as a page, and exported."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, expect

from tests.runs.large_runs import COUNT, a_run, rows
from tests.walks.browsing import opened
from tests.walks.cli import started, typed

HOSTILE = "\x1b[31mred\x1b[0m"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    a_run(folder / "before", rows())
    a_run(folder / "after", rows(step=-0.05, seed=1))
    return folder


def results(*arguments: str | Path) -> Any:
    return typed("results", *map(str, arguments))


@pytest.mark.core
def test_a_summary_tells_metrics_checks_and_why_rows_are_errors(runs: Path) -> None:
    found = results("summary", runs / "before", "--by", "topic")

    assert found.exit_code == 0
    assert "run 1 (before) of first.jsonl and 1 more, results" in found.stdout
    assert f"{COUNT}, 12 not answered" in found.stdout
    assert "fact_agreement: n/a for 84: 12 could not be read: it broke; 12 no answer" in found.stdout
    assert found.stdout.count("it broke") == 1
    assert "12 not answered: the answer is missing" in found.stdout
    lines = [line.split() for line in found.stdout.splitlines()]
    assert ["odd", "semantic_similarity", "198", "194"] in [line[:4] for line in lines]
    assert ["how", "they", "lie", "least"] in [line[:4] for line in lines]


def test_one_row_is_told_as_one(tmp_path: Path) -> None:
    a_run(tmp_path / "one", rows().slice(7, 1))

    assert "1 not answered: the answer is missing" in results("summary", tmp_path / "one").stdout
    exported = results("export", tmp_path / "one", "--to", tmp_path / "one.jsonl")
    assert exported.stdout.startswith("1 row written to")


def test_a_summary_as_json_has_the_same_figures(runs: Path) -> None:
    told = json.loads(results("summary", runs / "before", "--json").stdout)

    assert (told["questions"], told["unanswered"], told["exact"]) == (COUNT, 12, True)
    names = ["lexical_aggregate", "semantic_similarity", "fact_agreement", "means", "means_value"]
    assert [one["metric"] for one in told["metrics"]] == names
    assert sorted(told["metrics"][0]["quantiles"], key=int) == ["5", "25", "50", "75", "95"]
    assert told["unanswered_because"] == "the answer is missing"
    assert told["metrics"][2]["because"] == "it broke"


@pytest.mark.core
def test_a_comparison_says_what_fell_in_the_words_of_history(runs: Path) -> None:
    found = results("compare", runs / "before", runs / "after", "--by", "topic", "--fail-on", "worse")

    assert found.exit_code == 1
    assert f"{COUNT} rows in both, known by `id`" in found.stdout
    assert "significantly worse: semantic_similarity, means" in found.stdout
    assert "p is corrected for 9 tests: 3 headline metrics, 6 in slices" in found.stdout
    assert "moved most by semantic_similarity" in found.stdout
    told = json.loads(results("compare", runs / "before", runs / "after", "--json").stdout)
    assert told["n"] == COUNT
    assert [one["metric"] for one in told["metrics"] if one["claim"]] == ["semantic_similarity", "means"]


@pytest.mark.parametrize("fail_on", ["regression", "significant", "worse"])
def test_every_gate_works_for_large_runs(runs: Path, tmp_path: Path, fail_on: str) -> None:
    pair = (str(runs / "before"), str(runs / "after"))
    page = tmp_path / "page.html"
    found = typed("runs", "compare", *pair, "--fail-on", fail_on, "-o", str(page))

    assert found.exit_code == 1
    assert "rows no longer passing: " in found.stdout
    assert "no longer passing</h2>" in page.read_text("utf-8")
    assert typed("runs", "compare", *reversed(pair), "--fail-on", "significant").exit_code == 0


def test_what_is_not_there_any_more_is_not_judged(runs: Path, tmp_path: Path) -> None:
    a_run(tmp_path / "shorter", rows().slice(0, 500))
    found = results("compare", runs / "before", tmp_path / "shorter", "--fail-on", "worse")

    assert found.exit_code == 3
    assert "not judged: rows only before: 100" in found.stderr
    assert "100 rows only before" in found.stdout
    assert results("compare", runs / "before", tmp_path / "shorter").exit_code == 0


def test_a_page_is_written_and_opens_in_a_browser(browser: Browser, runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    found = results("report", runs / "before", "--html", page, "--most", "200", "--by", "topic")

    assert found.stdout == f"run 1 written to {page}, 200 of {COUNT} answers\n"
    with opened(browser, page) as seen:
        expect(seen.page.get_by_role("heading", level=1)).to_contain_text("before")
        expect(seen.page.get_by_text(f"200 of {COUNT} shown")).to_be_visible()
        seen.page.get_by_role("listbox", name="Answers").get_by_role("option").first.click()
        expect(seen.page.get_by_role("article")).to_contain_text("I think")
        assert seen.complaints == []
    assert "ends in `.html`" in results("report", runs / "before", "--html", "page.pdf").stderr


def test_rows_are_exported_by_the_ending_of_the_file(runs: Path, tmp_path: Path) -> None:
    for name in ("all.parquet", "all.jsonl", "all.csv"):
        told = results("export", runs / "before", "--to", tmp_path / name, "--json")
        assert json.loads(told.stdout) == {"run": 1, "rows": COUNT, "file": str(tmp_path / name)}
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    with (tmp_path / "all.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))
    wanted = pq.read_table(tmp_path / "all.parquet").to_pylist()
    assert lines == wanted
    assert [one["qa_pair_id"] for one in cells] == [one["qa_pair_id"] for one in wanted]
    assert {one["means"] for one in cells} == {"1.0", "0.0", ""}
    folder = results("export", runs / "before", "--to", f"{tmp_path / 'all'}/")
    assert folder.exit_code == 2
    assert (
        "names no form of export by its ending; known: `.jsonl`, `.csv`, `.parquet`, or a place"
        in folder.stderr
    )
    assert not (tmp_path / "all").exists()


def test_a_run_brought_into_a_store_stands_in_its_history(runs: Path, tmp_path: Path) -> None:
    store = tmp_path / "evals.sqlite3"
    for name in ("before", "after"):
        found = results("export", runs / name, "--to", store, "--project", "atlas")
        assert found.exit_code == 0, found.output
    told = json.loads(typed("history", "compare", "--json", SENSECHECK_STORE=str(store)).stdout)

    assert (told["before"]["name"], told["after"]["name"], told["n"]) == ("before", "after", COUNT)
    claimed = ["semantic_similarity", "means", "means_value"]
    assert [one["metric"] for one in told["metrics"] if one["claim"]] == claimed
    here = json.loads(results("compare", runs / "before", runs / "after", "--json").stdout)
    means = {one["metric"]: one["difference"] for one in here["metrics"]}
    for one in told["metrics"]:
        if one["metric"] == "means_value":
            continue
        assert one["difference"] == pytest.approx(means[one["metric"]], abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["summary", "nowhere"], "holds no run; wanted a folder"),
        (["summary", "{runs}/before", "--by", "topik"], "did you mean `topic`?"),
        (["summary", "{runs}/before", "--memory", "3"], "at least 64 MB; got 3"),
        (["compare", "{runs}/before", "{runs}/after", "--fail-on", "better"], "is not a known `--fail-on`"),
        (["compare", "{runs}/before", "{runs}/after", "--metric", "bleu"], "`bleu` is not a known metric"),
        (["compare", "{runs}/before", "{runs}/after", "--key", "topic"], "name another column with `--key`"),
        (["export", "{runs}/before", "--to", "all.xlsx"], "names no form of export"),
        (["export", "{runs}/before", "--to", "all.csv", "--name", "x"], "`--name` is for a copy in a place"),
    ],
)
def test_what_is_asked_wrongly_is_said_in_one_line(runs: Path, arguments: list[str], said: str) -> None:
    found = results(*(one.format(runs=runs) for one in arguments))

    assert found.exit_code == 2
    assert said in found.stderr
    assert found.stderr.count("\n") == 1


def test_texts_of_strangers_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    table = rows(40)
    hostile = table.set_column(table.column_names.index("topic"), "topic", pa.array([HOSTILE] * 40))
    a_run(tmp_path / "hostile", hostile)

    assert "\x1b" not in results("summary", tmp_path / "hostile", "--by", "topic").stdout


def test_an_error_in_a_process_of_its_own_is_one_line_too(runs: Path) -> None:
    """DuckDB must not have anything to say after it."""
    found = started("results", "summary", str(runs / "before"), "--by", "topik")

    assert (found.returncode, found.stderr.count(b"\n")) == (2, 1)
