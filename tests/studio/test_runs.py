"""The list of runs, and one run: what is shown is what is stored, and what was asked for."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs.find import existing_place
from sensecheck.runs.run_list import listed_runs
from sensecheck.stats.binomial import clopper_pearson
from sensecheck.studio import library as library_module
from sensecheck.studio.index import RunIndex
from sensecheck.studio.library import Library
from sensecheck.studio.rows import RowQuery
from tests.studio.served import HEADER, Served, served


def listed(studio: Served, **query: Any) -> list[dict[str, Any]]:
    found = studio.get("/runs", params=query)["runs"]
    assert isinstance(found, list)
    return found


def test_all_runs_of_all_places_are_listed_and_a_damaged_one_hides_none(
    studio: Served, places: list[str]
) -> None:
    wanted = [
        (one.kind, one.number, one.metric, one.value, one.complete)
        for place in places
        for one in listed_runs(existing_place(place))
    ]
    found = listed(studio)

    assert sorted(wanted, key=str) == sorted(
        [(one["kind"], one["run"], one["metric"], one["value"], one["complete"]) for one in found], key=str
    )
    (damaged,) = (one for one in found if one["error"])
    assert (damaged["kind"], damaged["run"], damaged["state"]) == ("suite", 3, "unreadable")


def test_the_list_is_filtered_and_paged(studio: Served) -> None:
    assert {one["project"] for one in listed(studio, project="atlas")} == {"atlas"}
    assert [one["name"] for one in listed(studio, q="in a folder")] == ["in a folder"]
    assert {one["kind"] for one in listed(studio, kind="suite")} == {"suite"}
    assert [one["run"] for one in listed(studio, kind="suite", state="interrupted")] == [2]
    one_by_one = [one["id"] for start in range(6) for one in listed(studio, start=start, limit=1)]
    assert one_by_one == [one["id"] for one in listed(studio)]


def test_a_trend_holds_the_runs_before_of_the_same_test(studio: Served) -> None:
    first, second = sorted(listed(studio, project="atlas"), key=lambda one: one["run"])

    assert first["trend"] == [first["value"]]
    assert second["trend"] == [first["value"], second["value"]]


def test_rows_are_filtered_by_outcome_slice_text_and_pattern(studio: Served) -> None:
    run = studio.run_ids()["suite 1"]

    def tests(**query: Any) -> list[int]:
        found: Any = studio.get(f"/runs/{run}/rows", params={"order": "position", **query})
        return [row["test"] for row in found["rows"]]

    assert tests() == [1, 2, 3, 4, 5]
    assert tests(outcome="fail,unsure") == [3, 4]
    assert tests(order="worst") == [3, 4, 5, 1, 2]
    assert tests(**{"slice.topic": "prices"}) == [4]
    assert tests(q="(really)") == [3]
    assert tests(q=r"costs \d+ euros", regex="true") == [3]
    assert tests(q=r"costs \d+ euros") == []
    wrong = studio.client.get(f"/studio/api/runs/{run}/rows", params={"q": "(", "regex": "true"})
    assert (wrong.status_code, "no regular expression" in wrong.json()["error"]) == (422, True)


def test_rates_and_means_equal_a_reference_computation(studio: Served) -> None:
    suite: Any = studio.get(f"/runs/{studio.run_ids()['suite 1']}/summary")
    low, high = clopper_pearson(2, 5)

    assert suite["counts"] == {"pass": 2, "fail": 1, "unsure": 1, "measured": 0, "error": 1}
    assert suite["rate"] == {"value": 0.4, "low": low, "high": high, "n": 5}
    (folder,) = listed(studio, project="borealis")
    stored: Any = studio.get(f"/runs/{folder['id']}/summary")
    assert [(one["metric"], one["n"], one["mean"]) for one in stored["metrics"]] == [
        ("rouge_l", 6, pytest.approx(3.95 / 6))
    ]
    assert stored["rate"] is None


def test_the_checks_of_an_evaluation_decide_its_outcomes(studio: Served) -> None:
    atlas = next(one["id"] for one in listed(studio, project="atlas") if one["run"] == 1)
    found: Any = studio.get(f"/runs/{atlas}/summary")

    assert found["counts"] == {"pass": 4, "fail": 2, "unsure": 0, "measured": 0, "error": 0}
    assert found["labels"] == {"correct": [[0.0, 2], [1.0, 4]]}
    assert found["slices"][0]["key"] == "topic"
    assert sum(one["rows"] for one in found["slices"][0]["values"]) == 6
    assert sum(map(sum, found["metrics"][0]["bins"].values())) == 6


def test_rows_that_differ_from_a_baseline(studio: Served) -> None:
    ids = studio.run_ids()
    query = {"baseline": ids["suite 1"], "changed": "true", "order": "position"}
    found: Any = studio.get(f"/runs/{ids['suite 2']}/rows", params=query)

    assert [(row["test"], row["before"], row["outcome"]) for row in found["rows"]] == [
        (2, "pass", "fail"),
        (3, "fail", "pass"),
    ]


def test_a_row_is_the_data_of_a_report_with_this_row_alone(studio: Served) -> None:
    test: Any = studio.get(f"/runs/{studio.run_ids()['suite 1']}/rows/2")
    assert (test["kind"], test["index"]["rows"]["outcome"], len(test["items"])) == ("test", ["fail"], 1)
    assert test["items"][0]["texts"]["answers"] == ["It (really) costs 12 euros."]
    atlas = next(one["id"] for one in listed(studio, project="atlas") if one["run"] == 1)
    answer: Any = studio.get(f"/runs/{atlas}/rows/4")
    assert (answer["pair"]["answer"], answer["index"]["rows"]["position"]) == ("I think 4.", [4])
    assert answer["index"]["rows"]["labels"] == {"correct": [0.0]}


def test_a_label_given_in_the_page_is_stored_with_the_run(studio: Served, places: list[str]) -> None:
    atlas = next(one["id"] for one in listed(studio, project="atlas") if one["run"] == 2)
    body = {"id": "q3", "name": "correct", "value": 0, "rater": "Ada"}
    for new in (1, 0):  # said once more it is the same label
        reply = studio.client.post(f"/studio/api/runs/{atlas}/labels", json=body, headers=HEADER)
        assert reply.json()["new"] == new
    place = existing_place(places[1])
    stored = [(one.question, one.name, one.value, one.rater) for one in place.labels(place.run_by_key(2))]
    place.close()
    assert stored == [("q3", "correct", 0.0, "Ada")]
    found: Any = studio.get(f"/runs/{atlas}/rows", params={"label": "correct=0"})
    assert [row["id"] for row in found["rows"]] == ["q3"]
    nobody = {**body, "rater": "", "value": 0}
    path = f"/studio/api/runs/{atlas}/labels"
    assert studio.client.post(path, json={**nobody, "id": "q4"}, headers=HEADER).json()["new"] == 1
    other = studio.client.post(path, json={**nobody, "id": "q4", "value": 1}, headers=HEADER)
    assert (other.status_code, "history is not changed" in other.json()["error"]) == (422, True)


def test_a_report_is_one_file(studio: Served) -> None:
    for run in studio.run_ids().values():
        head = studio.client.get(f"/studio/api/runs/{run}")
        if head.status_code != 200:
            continue
        reply = studio.client.get(f"/studio/api/runs/{run}/report.html")
        assert reply.status_code == 200
        assert "attachment" in reply.headers["content-disposition"]
        assert "data-blob" in reply.text


def test_progress_is_sent_until_a_run_is_complete(studio: Served) -> None:
    ids = studio.run_ids()
    with studio.client.stream("GET", f"/studio/api/runs/{ids['suite 1']}/events") as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        assert list(reply.iter_lines()) == ['data: {"done": 5, "size": 5, "complete": true, "job": null}', ""]
    with studio.client.stream("GET", f"/studio/api/runs/{ids['suite 2']}/events") as reply:
        assert next(reply.iter_lines()) == 'data: {"done": 4, "size": 6, "complete": false, "job": null}'


@pytest.mark.slow
def test_a_large_run_shows_its_first_rows_while_a_process_reads_the_others(
    places: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "LARGE_BYTES", 10)
    monkeypatch.setattr(library_module, "PREVIEW_ITEMS", 2)
    library = Library.at(places, cache=tmp_path / "cache.sqlite3")
    found = library.find(f"{next(iter(library.places))}-1")

    assert (len(library.index(found).index), library.index(found).complete) == (2, False)
    next(iter(library._tasks.values())).result(60)
    assert (len(library.index(found).index), library.index(found).complete) == (5, True)
    library.close()
    again = Library.at(places, cache=tmp_path / "cache.sqlite3")  # from the file, without a process
    assert again.index(again.find(found.id)).complete
    assert len(again.texts(found)) == 5
    assert again._workers is None
    again.close()


def test_an_index_is_the_same_after_it_was_stored(places: list[str]) -> None:
    library = Library.at(places)
    index = library.index(library.find(f"{list(library.places)[1]}-1")).index
    again = RunIndex.from_bytes(index.to_bytes())

    assert again is not None
    assert (again.ids, again.titles, again.metrics) == (index.ids, index.titles, index.metrics)
    assert again.values.tolist() == index.values.tolist()
    assert again.slices["topic"].codes.tolist() == [0, 1, 0, 1, 0, 1]
    library.close()


@pytest.mark.parametrize(
    "wrong", [{"outcomes": frozenset(["good"])}, {"order": "size"}, {"limit": 201}, {"text": "x" * 501}]
)
def test_a_query_that_means_nothing_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError):
        RowQuery(**wrong)


def test_runs_are_started_only_where_their_battery_is(places: list[str], tmp_path: Path) -> None:
    with served(places, folder=tmp_path) as studio:
        run = studio.run_ids()["suite 2"]
        assert studio.get(f"/runs/{run}")["can_resume"] is False
        refused = studio.client.post(f"/studio/api/runs/{run}/resume", json={}, headers=HEADER)
        assert (refused.status_code, "is not in" in refused.json()["error"]) == (422, True)
        (tmp_path / "bot.battery.yaml").write_text("tests: []\n", "utf-8")
        assert studio.get(f"/runs/{run}")["can_resume"] is True
        assert (
            studio.client.post(f"/studio/api/runs/{run}/delete", json={}, headers=HEADER).status_code == 422
        )


GREETING = """
prompts: ["Hello {{name}}"]
providers: [echo]
tests:
  - {description: greets, vars: {name: Anna}, assert: [{type: contains, value: Anna}]}
  - {description: parts, vars: {name: Anna}, assert: [{type: contains, value: Goodbye}]}
"""


@pytest.mark.slow
def test_a_run_is_repeated_and_resumed_from_the_page(tmp_path: Path) -> None:
    (tmp_path / "greeting.battery.yaml").write_text(GREETING, "utf-8")
    command = [sys.executable, "-c", "from sensecheck.cli.main import main; main()"]
    subprocess.run([*command, "run", "greeting.battery.yaml"], cwd=tmp_path, capture_output=True, check=False)
    runs = tmp_path / ".sensecheck" / "runs"

    def ended(studio: Served, run: str) -> dict[str, Any]:
        with studio.client.stream("GET", f"/studio/api/runs/{run}/events") as reply:
            *_, last = (line for line in reply.iter_lines() if line)
        found: dict[str, Any] = json.loads(last.removeprefix("data: "))["job"]
        return found

    with served([f"suites:{runs}"], folder=tmp_path) as studio:
        first = studio.run_ids()["suite 1"]
        started = studio.client.post(f"/studio/api/runs/{first}/rerun", json={}, headers=HEADER).json()
        assert started["command"] == "sensecheck run greeting.battery.yaml --only-failed 1"
        assert ended(studio, first)["exit_code"] == 1  # it fails again
        second = studio.run_ids()["suite 2"]
        rows: Any = studio.get(f"/runs/{second}/rows")
        assert [(row["title"], row["outcome"]) for row in rows["rows"]] == [("parts", "fail")]
        path = runs / "1.jsonl"
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))  # interrupted
        assert (studio.get(f"/runs/{first}")["complete"], studio.get(f"/runs/{first}")["done"]) == (False, 1)
        studio.client.post(f"/studio/api/runs/{first}/resume", json={}, headers=HEADER)
        assert ended(studio, first)["exit_code"] == 1
        assert studio.get(f"/runs/{first}")["complete"] is True
        again: Any = studio.get(f"/runs/{first}/rows", params={"order": "position"})
        assert [row["outcome"] for row in again["rows"]] == ["pass", "fail"]
