"""Runs compared with a baseline."""

from typing import Any

from sensecheck.runs.comparison import compare
from sensecheck.runs.find import existing_place
from tests.studio.served import HEADER, Served


def test_the_figures_are_those_of_the_comparison_of_runs(studio: Served, places: list[str]) -> None:
    ids = {
        one["run"]: one["id"]
        for one in studio.get("/runs", params={"project": "atlas"})["runs"]  # type: ignore[attr-defined]
    }
    found: Any = studio.get("/compare", params={"baseline": ids[1], "run": ids[2]})
    place = existing_place(places[1])
    wanted = compare((place, place.run_by_key(1)), (place, place.run_by_key(2))).to_data()
    place.close()

    shown = found["runs"][1]["comparison"]
    assert {name: shown[name] for name in wanted} == wanted
    assert shown["verdict"] == "unknown"
    assert found["runs"][0]["rate"]["value"] == 4 / 6


def test_regressions_come_first_with_both_places(studio: Served) -> None:
    ids = studio.run_ids()
    query = {"before": ids["suite 1"], "after": ids["suite 2"]}
    found: Any = studio.get("/compare/rows", params=query)

    assert [(row["kind"], row["at"], row["before_at"]) for row in found["rows"]] == [
        ("regression", 1, 1),
        ("fix", 2, 2),
    ]
    assert (found["both"], found["only_before"], found["only_after"]) == (4, 1, 0)
    fixes: Any = studio.get("/compare/rows", params={**query, "kind": "fix"})
    assert [row["kind"] for row in fixes["rows"]] == ["fix"]
    assert fixes["counts"]["regression"] == 1


def test_measured_rows_are_compared_by_their_number(studio: Served) -> None:
    ids = {
        one["run"]: one["id"]
        for one in studio.get("/runs", params={"project": "atlas"})["runs"]  # type: ignore[attr-defined]
    }
    found: Any = studio.get("/compare/rows", params={"before": ids[1], "after": ids[2]})

    assert found["counts"]["regression"] == 0  # the check says the same of both
    assert (found["both"], found["label"]) == (6, None)


def test_where_people_spoke_of_both_runs_their_word_decides(studio: Served) -> None:
    ids = {
        one["run"]: one["id"]
        for one in studio.get("/runs", params={"project": "atlas"})["runs"]  # type: ignore[attr-defined]
    }
    for question, value in (("q0", 0), ("q2", 1), ("q1", 1)):  # before: 1, 0 and 1
        body = {"id": question, "value": value}
        studio.client.post(f"/studio/api/runs/{ids[2]}/labels", json=body, headers=HEADER)
    found: Any = studio.get("/compare/rows", params={"before": ids[1], "after": ids[2]})

    assert [(row["id"], row["kind"], row["said"]) for row in found["rows"]] == [
        ("q0", "regression", [1.0, 0.0]),
        ("q2", "fix", [0.0, 1.0]),
    ]
    board: Any = studio.get("/compare", params={"baseline": ids[1], "run": ids[2]})
    assert [one["labels"][0]["mean"] for one in board["runs"]] == [4 / 6, 2 / 3]


def test_runs_of_two_kinds_are_shown_side_by_side_without_a_comparison(studio: Served) -> None:
    ids = studio.run_ids()
    found: Any = studio.get("/compare", params={"baseline": ids["suite 1"], "run": ids["evaluation 1"]})

    assert "error" in found["runs"][1]
    assert found["runs"][1]["rows"] == 6
    none = studio.client.get("/studio/api/compare", params={"baseline": ids["suite 1"]})
    assert none.status_code == 422
