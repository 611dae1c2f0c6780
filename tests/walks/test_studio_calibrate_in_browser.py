"""Calibration in a real browser: cutoffs are dragged and moved by keys, fitted, and saved."""

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from sensecheck.calibration.card import Card
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.find import open_place
from sensecheck.stats.binomial import rate
from tests.ready_tables import make_tables
from tests.studio.served import Served, served
from tests.walks.test_studio_in_browser import AXE, window

pytestmark = [pytest.mark.browser, pytest.mark.walk]
ROWS = 300
VALUES = np.random.default_rng(3).random(ROWS).round(4)
GOOD = VALUES + np.random.default_rng(4).normal(0, 0.15, ROWS) > 0.5
REDRAW = """async (count) => {
  const slider = document.querySelector(".slider input"), taken = []
  for (let turn = 0; turn < count; turn++) {
    slider.value = 100 + turn * 7
    const begun = performance.now()
    slider.dispatchEvent(new Event("input", { bubbles: true }))
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    taken.push(performance.now() - begun)
  }
  return taken
}"""


def a_run(path: Path, values: "np.ndarray[Any, Any]", good: "np.ndarray[Any, Any]") -> str:
    """An evaluation with these readings and labels, besides others in the file."""
    if not path.exists():
        make_tables(f"sqlite:///{path}")
    store = open_place(str(path))
    test = store.test("museum", "nightly", embedding={}, generation={})
    items = [Item(f"Question {at}?", None, id=f"q{at}") for at in range(len(values))]
    run = store.begin(test, store.keep_set("museum", items), encoder="", conditions={})
    placed, writer = list(store.questions(run.set)), store.writer(run)
    for first in range(0, len(values), 10_000):
        last = first + 10_000
        some = zip(placed[first:last], values[first:last].tolist(), good[first:last].tolist(), strict=True)
        writer.add([(one, _answer(value, well)) for one, value, well in some])
    store.finish(run)
    store.close()
    return str(path)


def _answer(value: float, good: bool) -> ScoredAnswer:
    return ScoredAnswer("a", (MetricScore("rouge_l", value),), labels={"correct": float(good)})


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """Where cards are saved."""
    return tmp_path / "cards"


@pytest.fixture
def studio(tmp_path: Path, cards: Path) -> Iterator[Served]:
    """A Studio of a run in which every answer is labelled."""
    with served([a_run(tmp_path / "evals.sqlite3", VALUES, GOOD)], cards=cards) as found:
        yield found


@pytest.fixture
def two_runs(tmp_path: Path, cards: Path) -> Iterator[Served]:
    """A Studio of two runs, the scores of the second of which are lower."""
    path = a_run(tmp_path / "evals.sqlite3", VALUES, GOOD)
    a_run(tmp_path / "evals.sqlite3", (VALUES - 0.25).clip(0, 1), GOOD)
    with served([path], cards=cards) as found:
        yield found


def path_of(studio: Served, params: str = "") -> str:
    return f"/studio/runs/{next(iter(studio.run_ids().values()))}/calibrate{params}"


def shown_rate(page: Page, kind: str) -> str:
    return page.locator(f".tile-{kind} dd").inner_text()


def test_figures_follow_the_slider_and_are_those_of_a_reference_computation(
    browser: Browser, studio: Served
) -> None:
    with window(browser, studio, path=path_of(studio, "?fpr=0.05")) as (page, complaints):
        slider = page.get_by_role("slider", name="Cutoff")
        slider.focus()
        slider.fill("300")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        cutoff = float(page.locator(".cutoff-value b").inner_text())
        expect(page.locator(".standing")).to_contain_text("uncalibrated")
        accepts = rate(int((~GOOD & (cutoff <= VALUES)).sum()), int((~GOOD).sum()))
        rejects = rate(int((GOOD & (cutoff > VALUES)).sum()), int(GOOD.sum()))
        for kind, wanted in (("false_accepts", accepts), ("false_rejects", rejects)):
            text = shown_rate(page, kind)
            assert f"{round(wanted.value * wanted.n)} of {wanted.n}" in text
            ends = [f"{100 * end:.1f}".rstrip("0").rstrip(".") + "%" for end in (wanted.low, wanted.high)]
            assert f"95% interval {ends[0]} to {ends[1]}" in text, kind
        page.get_by_label("unsure band").check()
        low, high = (page.get_by_role("slider", name=f"Unsure {end}") for end in ("from", "to"))
        low.fill("200")
        high.fill("400")
        band = [float(one.get_attribute("aria-valuetext") or "") for one in (low, high)]
        unsure = int(((band[0] <= VALUES) & (band[1] > VALUES)).sum())
        assert f"{unsure} of {ROWS}" in shown_rate(page, "unsure")
        assert complaints == []


def test_a_line_is_dragged(browser: Browser, studio: Served) -> None:
    chart: Any = studio.get(path_of(studio).removeprefix("/studio"))
    with window(browser, studio, path=path_of(studio)) as (page, complaints):
        box = page.locator(".cutoff-chart svg").bounding_box()
        assert box is not None
        line = page.locator(".drag-cutoff circle").bounding_box()
        assert line is not None
        page.mouse.move(line["x"] + 7, line["y"] + 7)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 60, steps=5)
        page.mouse.up()
        margin, grid = 12, chart["grid"]
        share = (box["width"] * 0.8 - margin) / (box["width"] - 2 * margin)
        wanted = (grid["first"] + round(share * (grid["count"] - 1))) * grid["step"]
        expect(page.locator(".cutoff-value b")).to_have_text(f"{wanted:.3f}".rstrip("0"))
        expect(page.locator(".standing")).to_contain_text("uncalibrated")
        assert complaints == []


def test_a_card_is_fitted_saved_and_dragged_away_from(browser: Browser, studio: Served, cards: Path) -> None:
    with window(browser, studio, path=path_of(studio, "?fpr=0.2")) as (page, complaints):
        page.get_by_label("name of the card").fill("museum-words")
        page.get_by_role("button", name="Fit", exact=True).click()
        page.locator(".fitted").wait_for(timeout=60_000)
        expect(page.locator(".standing")).to_contain_text("calibrated")
        expect(page.locator(".standing")).not_to_contain_text("uncalibrated")
        page.get_by_role("button", name="Save the card").click()
        expect(page.get_by_text("Saved to")).to_be_visible(timeout=60_000)
        card = Card.from_json((cards / "museum-words.json").read_text("utf-8"))
        assert float(page.locator(".cutoff-value b").inner_text()) == float(f"{card.line:.6g}")
        page.get_by_role("slider", name="Cutoff").press("ArrowLeft")
        expect(page.locator(".standing")).to_contain_text("uncalibrated")
        page.get_by_label("bad answers that pass, at most").fill("1")
        page.get_by_label("bad answers that pass, at most").press("Enter")
        expect(page.locator(".fit .notice").first).to_contain_text("more bad labels needed")
        assert complaints == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_read_by_everybody(browser: Browser, studio: Served, scheme: str, width: int) -> None:
    options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True}
    with window(browser, studio, path=path_of(studio, "?fpr=0.2"), width=width, **options) as (page, _):
        page.get_by_label("unsure band").check()
        page.locator(".wrong-rows li").first.wait_for()
        page.get_by_role("button", name="Fit", exact=True).click()
        page.locator(".fitted").wait_for(timeout=60_000)
        page.evaluate(AXE.read_text("utf-8"))
        wrong = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => one.id))")
        assert wrong == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_drift_is_shown_with_a_sentence(browser: Browser, two_runs: Served, scheme: str, width: int) -> None:
    first, second = (two_runs.run_ids()[f"evaluation {run}"] for run in (1, 2))
    wanted = {"name": "museum-words", "fpr": 0.2, "save": True}
    fitted = two_runs.client.post(
        f"/studio/api/runs/{first}/calibrate/fit", json=wanted, headers={"Sensecheck-Studio": "1"}
    )
    assert fitted.json()["card"]["saved"]
    path, options = f"/studio/runs/{second}/calibrate", {"color_scheme": scheme, "bypass_csp": True}
    with window(browser, two_runs, path=path, width=width, **options) as (page, complaints):
        drift = page.locator(".drift")
        expect(drift).to_contain_text(f"Drift: these {ROWS} scores are mostly lower than the {ROWS} that")
        expect(drift.locator("svg")).to_have_count(1)
        page.locator(".wrong-rows p").first.wait_for()
        page.evaluate(AXE.read_text("utf-8"))
        wrong = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => one.id))")
        assert wrong == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert complaints == []
        page.goto(f"{two_runs.url}/studio/runs/{first}/calibrate")
        page.locator(".wrong-rows p").first.wait_for()
        expect(drift).to_have_count(0)


@pytest.mark.slow
def test_over_a_hundred_thousand_readings_a_cutoff_moves_at_once(browser: Browser, tmp_path: Path) -> None:
    values = np.random.default_rng(1).random(100_000)
    address = a_run(tmp_path / "evals.sqlite3", values, values >= 0.4)
    with served([address], cache=tmp_path / "cache.sqlite3") as studio:
        path = path_of(studio).removeprefix("/studio")
        waits, chart = perf_counter() + 200, studio.get(path)
        while not chart["indexed"] and perf_counter() < waits:
            chart = studio.get(path)
        assert chart["n"] == {
            "good": int((values >= 0.4).sum()),
            "bad": int((values < 0.4).sum()),
            "other": 0,
        }
        assert len(json.dumps(chart)) < 40_000  # never all rows
        with window(browser, studio, path=f"/studio{path}") as (page, complaints):
            page.locator(".wrong-rows p").first.wait_for()
            taken = page.evaluate(REDRAW, 40)
            assert median(taken) < 100, taken
            assert complaints == []
