"""The Studio in a real browser: runs are listed, looked through, compared and labelled."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from sensecheck.core.verdict import Outcome
from tests.runs import kept_runs, stores
from tests.studio.served import Served, served

pytestmark = [pytest.mark.browser, pytest.mark.walk]
AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
HOSTILE = "<img src=x onerror=alert(1)> **bold** ‮ evil"
SIMILAR = [0.9, 0.8, 0.4, 0.7, 0.2, 0.95]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A Studio with two runs of a battery, one that is damaged, and two evaluations."""
    folder = tmp_path_factory.mktemp("studio")
    outcomes: tuple[Outcome, ...] = ("pass", "fail")
    for number, last in enumerate(outcomes, 1):
        results = [
            kept_runs.result(test, "fail" if test == 3 else "pass", source=source)
            for test in (1, 2, 3)
            for source in ("small", "large")
        ]
        results.append(kept_runs.result(4, last, source="small", answer=HOSTILE, description=HOSTILE))
        kept_runs.kept(folder / "runs" / f"{number}.jsonl", results)
    (folder / "runs" / "3.jsonl").write_text("no run\n", "utf-8")
    for name, shift in (("first", 0.0), ("second", -0.1)):
        stores.kept(folder / "evals.sqlite3", {"rouge_l": [one + shift for one in SIMILAR]}, name=name)
    with served([f"suites:{folder / 'runs'}", str(folder / "evals.sqlite3")]) as found:
        yield found


@contextmanager
def window(
    browser: Browser, studio: Served, *, path: str = "", **options: Any
) -> Iterator[tuple[Page, list[str]]]:
    """A page that came by the link, and all that it complained about."""
    size = {"width": options.pop("width", 1280), "height": 900}
    context = browser.new_context(viewport=size, reduced_motion="reduce", **options)  # type: ignore[arg-type]
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def dismiss(dialog: Dialog) -> None:
        complaints.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.set_default_timeout(20_000)
    page.goto(studio.link)
    if path:
        page.goto(studio.url + path)
    yield page, complaints
    context.close()


def test_the_token_leaves_the_address_and_all_runs_are_listed(browser: Browser, studio: Served) -> None:
    with window(browser, studio) as (page, complaints):
        expect(page.locator(".runs tbody tr")).to_have_count(5)
        assert page.url == f"{studio.url}/studio"
        expect(page.get_by_text("cannot be read")).to_have_count(1)
        page.get_by_role("searchbox", name="Search projects").fill("atlas")
        expect(page.locator(".runs tbody tr")).to_have_count(2)
        assert "q=atlas" in page.url
        page.reload()
        expect(page.locator(".runs tbody tr")).to_have_count(2)
        assert complaints == []


def test_a_run_is_opened_and_walked_through_by_keyboard_alone(browser: Browser, studio: Served) -> None:
    with window(browser, studio) as (page, complaints):
        page.locator(".runs").wait_for()
        page.keyboard.press("Control+k")
        page.keyboard.type("bot.battery 2")
        expect(page.locator(".palette-run")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("bot.battery.yaml")
        expect(page.locator(".item")).to_have_count(7)
        page.keyboard.press("j")
        expect(page.locator("#detail-title")).to_have_text("test 3")
        page.keyboard.press("j")
        page.keyboard.press("j")
        expect(page.locator("#detail-title")).to_contain_text("<img src=x")
        page.keyboard.press("Escape")
        expect(page.locator("#detail-title")).to_have_count(0)
        assert complaints == []


def test_outcomes_are_filtered_and_the_grid_has_the_answers(browser: Browser, studio: Served) -> None:
    run = studio.run_ids()["suite 2"]
    with window(browser, studio, path=f"/studio/runs/{run}") as (page, complaints):
        page.get_by_role("button", name="3 fail").click()
        expect(page.locator(".item")).to_have_count(3)
        assert "outcome=fail" in page.url
        page.get_by_role("button", name="Grid").click()
        expect(page.locator(".answer-cell")).to_have_count(3)
        page.get_by_role("button", name="Clear filters").click()
        expect(page.locator(".item")).to_have_count(7)
        page.get_by_role("combobox", name="Different from").select_option(index=1)
        expect(page.locator(".item")).to_have_count(1)
        expect(page.locator(".item")).to_contain_text("was pass")
        assert complaints == []


def test_two_runs_are_compared_with_regressions_first(browser: Browser, studio: Served) -> None:
    with window(browser, studio) as (page, complaints):
        for run in (1, 2):
            page.get_by_role("checkbox", name=f"Choose run {run} of bot.battery.yaml").check()
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("heading", name="1 row changed")).to_be_visible()
        page.locator(".changed summary").click()
        expect(page.locator(".both section")).to_have_count(2)
        expect(page.locator(".changed")).to_contain_text("pass")
        assert page.locator("img").count() == 0
        assert complaints == []


def test_an_answer_is_labelled(browser: Browser, studio: Served) -> None:
    run = next(one["id"] for one in _runs(studio) if one["name"] == "second")
    with window(browser, studio, path=f"/studio/runs/{run}?row=1&order=position") as (page, complaints):
        page.get_by_label("your name").fill("Ada")
        page.get_by_role("button", name="Wrong").click()
        expect(page.get_by_text("Labelled wrong")).to_be_visible()
        expect(page.locator(".item", has_text="What is 1?")).to_contain_text("correct 0")
        assert complaints == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_can_be_read_by_everybody(
    browser: Browser, studio: Served, scheme: str, width: int
) -> None:
    ids = studio.run_ids()
    paths = {
        "/studio": ".runs",
        f"/studio/runs/{ids['suite 2']}": ".list",
        f"/studio/runs/{ids['suite 2']}?view=figures": ".chart-grid, .card",
        f"/studio/runs/{ids['suite 2']}?view=grid": ".answers-grid",
        f"/studio/runs/{ids['suite 2']}?row=0": "#detail-title",
        f"/studio/runs/{ids['evaluation 2']}?row=0": "#pair-title",
        f"/studio/compare?baseline={ids['suite 1']}&run={ids['suite 2']}": ".changed summary",
        "/studio/compare": ".empty",
        "/studio/runs/none-1": ".notice-error",
    }
    options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True}
    with window(browser, studio, width=width, **options) as (page, _):
        for path, there in paths.items():
            page.goto(studio.url + path)
            page.locator(there).first.wait_for()
            page.evaluate(AXE.read_text("utf-8"))
            wrong = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => one.id))")
            assert wrong == [], path
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path


def test_without_runs_the_page_says_how_to_make_one(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    with served([f"suites:{tmp_path / 'runs'}"]) as empty, window(browser, empty) as (page, complaints):
        expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        assert complaints == []


def test_a_server_that_is_gone_is_an_error_that_says_so(browser: Browser, studio: Served) -> None:
    with window(browser, studio) as (page, _):
        page.locator(".runs").wait_for()
        page.context.set_offline(True)
        page.get_by_role("searchbox", name="Search projects").fill("x")
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer")


def _runs(studio: Served) -> list[dict[str, Any]]:
    found: Any = studio.get("/runs")["runs"]
    return list(found)
