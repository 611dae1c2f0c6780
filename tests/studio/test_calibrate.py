"""Calibration in the Studio: its counts are those of the readings, and its cards those of `calibrate`."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from sensecheck.calibration.card import Card
from sensecheck.calibration.counts import rates_of
from sensecheck.calibration.split import Labelled
from sensecheck.cli.main import app
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.rouge import RougeL
from sensecheck.runs.find import open_place
from sensecheck.runs.record import Label
from sensecheck.stats.ranks import auroc
from sensecheck.studio.calibrate import Grid
from tests.ready_tables import make_tables
from tests.studio.served import HEADER, Served, served

ROWS = 160
WORDS = "the museum opens at nine and closes at five on every day but not on public holidays".split()  # noqa: SIM905


def answer_to(at: int) -> str:
    """So many of the words, and others."""
    kept = (at * 7) % (len(WORDS) + 1)
    return " ".join([*WORDS[:kept], *(f"word{n}" for n in range(len(WORDS) - kept))])


def rouge(at: int) -> float:
    value = RougeL().read(Sample(answer_to(at), expected=" ".join(WORDS)), Space()).value
    assert value is not None
    return value


GOOD = [rouge(at) + 0.2 * ((at * 13) % 10) / 10 > 0.6 for at in range(ROWS)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An evaluation whose readings are real, with labels to all answers but the last twenty."""
    path = tmp_path_factory.mktemp("calibrate") / "evals.sqlite3"
    make_tables(f"sqlite:///{path}")
    store = open_place(str(path))
    items = [Item(f"When is it open, on day {at}?", " ".join(WORDS), id=f"q{at}") for at in range(ROWS)]
    test = store.test("museum", "nightly", embedding={}, generation={})
    run = store.begin(test, store.keep_set("museum", items), encoder="", conditions={})
    answers = [ScoredAnswer(answer_to(at), (MetricScore("rouge_l", rouge(at)),)) for at in range(ROWS)]
    store.writer(run).add(list(zip(store.questions(run.set), answers, strict=True)))
    store.finish(run)
    store.label(run, [Label(f"q{at}", "correct", float(GOOD[at]), "Ada") for at in range(ROWS - 20)])
    store.close()
    return str(path)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where cards are saved."""
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def studio(place: str, cards: Path) -> Iterator[Served]:
    """A Studio of it."""
    with served([place], cards=cards) as found:
        yield found


def path_of(studio: Served) -> str:
    return f"/runs/{studio.run_ids()['evaluation 1']}/calibrate"


def fit(studio: Served, **given: Any) -> dict[str, Any]:
    reply = studio.client.post(f"/studio/api{path_of(studio)}/fit", json=given, headers=HEADER)
    return {"status": reply.status_code, **reply.json()}


def places_of(chart: dict[str, Any]) -> list[float]:
    grid = chart["grid"]
    return [round((grid["first"] + at) * grid["step"], grid["digits"]) for at in range(grid["count"])]


def test_counts_at_every_place_equal_a_reference_computation(studio: Served) -> None:
    chart = studio.get(path_of(studio), params={"rows": "all"})
    places = places_of(chart)
    rows = [Labelled(rouge(at), GOOD[at]) for at in range(ROWS - 20)]

    n, below = chart["n"], chart["below"]
    assert isinstance(n, dict)
    assert isinstance(below, dict)
    assert n == {"good": sum(GOOD[: ROWS - 20]), "bad": ROWS - 20 - sum(GOOD[: ROWS - 20]), "other": 20}
    for at in range(0, len(places), 37):
        found = rates_of(Cutoff(places[at], "above"), rows)
        assert found.false_accepts is not None
        assert found.false_rejects is not None
        assert (n["bad"] - below["bad"][at]) / n["bad"] == found.false_accepts.value
        assert below["good"][at] / n["good"] == found.false_rejects.value
    values, good = np.array([row.value for row in rows]), np.array([row.good for row in rows])
    assert chart["auc"] == auroc(values, good)
    assert (places[0], places[-1] > 1) == (0.0, True)


def test_only_the_random_sample_may_feed_a_guarantee(studio: Served) -> None:
    chart = studio.get(path_of(studio), params={"fpr": 0.05})
    refused = fit(studio, name="x", rows="all", fpr=0.2)

    assert chart["sample"] == {"labelled": sum(chart["n"][name] for name in ("good", "bad")), "skipped": 0}  # type: ignore[index]
    assert chart["missing"] != {}
    assert "more bad answers needed" in str(chart["shortage"])
    assert (refused["status"], "only the random sample" in refused["error"]) == (422, True)
    lacking = fit(studio, name="x", fpr=0.01)
    assert (lacking["status"], lacking["card"], "more bad" in lacking["because"]) == (200, None, True)


def test_confident_and_wrong_rows_come_first(studio: Served) -> None:
    found: Any = studio.get(
        f"{path_of(studio)}/wrong", params={"cutoff": 0.5, "low": 0.4, "high": 0.6, "rows": "all"}
    )
    wanted = [
        (f"q{at}", GOOD[at])
        for at in range(ROWS - 20)
        if (GOOD[at] and rouge(at) < 0.4) or (not GOOD[at] and rouge(at) >= 0.6)
    ]

    assert sorted((row["id"], row["good"]) for row in found["rows"]) == sorted(wanted)
    distances = [abs(row["value"] - 0.5) for row in found["rows"]]
    assert distances == sorted(distances, reverse=True)


@pytest.mark.slow
def test_a_fitted_card_is_that_of_calibrate_and_is_saved_with_its_differences(
    studio: Served, place: str, cards: Path, tmp_path: Path
) -> None:
    run = studio.run_ids()["evaluation 1"]
    for at in range(ROWS - 20, ROWS):  # now everything is labelled, and the sample is everything
        body = {"id": f"q{at}", "value": int(GOOD[at]), "rater": "Ada"}
        studio.client.post(f"/studio/api/runs/{run}/labels", json=body, headers=HEADER)
    labelled, out = tmp_path / "labelled.jsonl", tmp_path / "cards"
    wanted = {"name": "open-hours", "metric": "rouge_l", "fpr": 0.2}
    shown = fit(studio, **wanted)["card"]
    for command in (
        ["runs", "export", "1", "--store", place, "-o", str(labelled), "--label", "correct"],
        ["calibrate", str(labelled), "--name", "open-hours", "--measure", "rouge_l", "--fpr", "0.2",
         "--out", str(out)],
    ):  # fmt: skip
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
    reference = Card.from_json((out / "open-hours.json").read_text("utf-8"))
    ours = Card.from_json(shown["file"])

    for field in ("measure", "encoder", "good", "line", "doubt", "targets", "promise", "rates", "fitted",
                  "held_out", "fitted_scores", "held_out_scores", "reliability", "broken"):  # fmt: skip
        assert getattr(ours, field) == getattr(reference, field), field
    assert (shown["is_new"], shown["page"]["name"]) == (True, "open-hours")
    assert list(cards.iterdir()) == []
    saved = fit(studio, **wanted, save=True)["card"]
    assert (cards / "open-hours.json").read_text("utf-8") == shown["file"]
    assert saved["saved"] == str(cards / "open-hours.json")
    again = fit(studio, **wanted, save=True)
    assert (again["status"], "already there" in again["error"]) == (422, True)
    other = fit(studio, **{**wanted, "fpr": 0.3}, save=True, replace=True)["card"]
    changed = {one["what"]: (one["before"], one["after"]) for one in other["changes"]}
    assert changed["promise"][0] != changed["promise"][1]
    assert changed["fitted on"][0] == changed["fitted on"][1]
    assert json.loads((cards / "open-hours.json").read_text("utf-8"))["targets"] == [
        {"fpr": 0.3, "confidence": 0.95}
    ]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-1, 1), (0, 5), (0, 1000), (0.1, 0.1000001), (-3.5, 7.25), (0, 0)]
)
def test_a_grid_covers_all_numbers_with_few_places(low: float, high: float) -> None:
    grid = Grid.over(low, high)
    places = grid.places()

    assert places[0] <= low
    assert places[-1] > high
    assert 2 <= len(places) <= 1002
    assert (np.diff(places) > 0).all()


def test_scores_of_a_newer_run_are_compared_with_the_saved_card(tmp_path: Path) -> None:
    path, cards = tmp_path / "evals.sqlite3", tmp_path / "cards"
    make_tables(f"sqlite:///{path}")
    store = open_place(str(path))
    items = [Item(f"Question {at}?", "x", id=f"q{at}") for at in range(ROWS)]
    test = store.test("museum", "nightly", embedding={}, generation={})
    shifts = (0.0, 0.0, -0.3)
    for shift in shifts:
        run = store.begin(test, store.keep_set("museum", items), encoder="", conditions={})
        scores = [max(0.0, rouge(at) + shift) for at in range(ROWS)]
        answers = [
            ScoredAnswer(
                "a",
                (MetricScore("rouge_l", one), MetricScore("polite", one)),
                labels={"correct": float(good)},
            )
            for one, good in zip(scores, GOOD, strict=True)
        ]
        store.writer(run).add(list(zip(store.questions(run.set), answers, strict=True)))
        store.finish(run)
    store.close()
    with served([str(path)], cards=cards) as studio:

        def drift(run: int, **params: str) -> Any:
            return studio.get(f"/runs/{studio.run_ids()[f'evaluation {run}']}/calibrate/drift", params=params)

        assert drift(2) == {"cards": [], "drift": None}
        for name in ("first", "second"):
            wanted = {"name": name, "metric": "rouge_l", "fpr": 0.3, "save": True}
            assert fit(studio, **wanted)["card"]["saved"]
        assert drift(1, metric="rouge_l") == {"cards": [], "drift": None}  # it was fitted on this run
        assert drift(2, metric="polite")["cards"] == []
        same, lower = (drift(run, metric="rouge_l")["drift"] for run in (2, 3))
        assert (same["card"], same["degree"], same["n"], same["n_card"]) == ("second", "stable", ROWS, ROWS)
        assert (lower["degree"], lower["because"].startswith("Drift: ")) == ("moved", True)
        assert "mostly lower" in lower["because"]
        assert drift(3, metric="rouge_l", card="first")["drift"]["card"] == "first"
        unknown = f"/studio/api/runs/{studio.run_ids()['evaluation 3']}/calibrate/drift?card=third"
        assert studio.client.get(unknown).status_code == 422
        card = Card.from_json((cards / "second.json").read_text("utf-8"))
        newer = replace(card, date="2999-01-01", name="newer")
        (cards / "newer.json").write_text(newer.to_json(), "utf-8")
        assert drift(2, metric="rouge_l")["cards"] == ["second", "first"]
