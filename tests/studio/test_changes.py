"""Runs compared with a baseline."""

from typing import Any

from sensecheck.runs.comparison import compare
from sensecheck.runs.find import existing_place
from tests.studio.served import Served


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
    assert found["both"] == 6


def test_runs_of_two_kinds_are_shown_side_by_side_without_a_comparison(studio: Served) -> None:
    ids = studio.run_ids()
    found: Any = studio.get("/compare", params={"baseline": ids["suite 1"], "run": ids["evaluation 1"]})

    assert "error" in found["runs"][1]
    assert found["runs"][1]["rows"] == 6
    none = studio.client.get("/studio/api/compare", params={"baseline": ids["suite 1"]})
    assert none.status_code == 422
