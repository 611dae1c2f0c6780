"""The report of a run, looked through in a real browser."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.runs.page_runs import made_results
from tests.walks.browsing import opened
from tests.walks.report_pages import lone, page_of, report_of

AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve tests, each asked of two sources."""
    return report_of(tmp_path_factory.mktemp("report"), 12)


def test_it_opens_without_a_complaint_and_tells_what_came_of_the_run(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        expect(seen.page.get_by_role("heading", level=1)).to_have_text(
            "City desk: what callers ask every day"
        )
        expect(seen.page.get_by_role("status")).to_have_text("24 listed")
        expect(seen.page.get_by_role("main")).to_contain_text("1 of 4 calibrated")
        assert seen.complaints == []


def test_outcomes_and_words_narrow_the_list_and_the_address_keeps_them(
    browser: Browser, report: Path
) -> None:
    with opened(browser, report) as seen:
        seen.page.get_by_role("button", name=re.compile("pass$")).click()
        seen.page.get_by_role("searchbox").fill("closed museum")
        status = seen.page.get_by_role("status")
        expect(status).to_have_text(re.compile(r"^\d of 24 listed$"))
        found = status.text_content()
        expect(seen.page).to_have_url(re.compile("q=closed"))
        seen.page.reload()
        expect(status).to_have_text(str(found))
        seen.page.get_by_role("button", name="Clear filters").click()
        expect(status).to_have_text("24 listed")


def test_it_can_be_gone_through_by_keys_alone(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        keys, open_ = seen.page.keyboard, seen.page.locator('[aria-selected="true"]')
        keys.press("j")
        keys.press("ArrowDown")
        expect(open_).to_have_attribute("aria-posinset", "2")
        keys.press("k")
        expect(open_).to_have_attribute("aria-posinset", "1")
        keys.press("Enter")
        expect(seen.page.get_by_role("heading", level=2)).to_be_focused()
        keys.press("Escape")
        expect(open_).to_have_count(0)
        keys.press("/")
        expect(seen.page.get_by_role("searchbox")).to_be_focused()
        keys.press("j")
        expect(seen.page.get_by_role("searchbox")).to_have_value("j")
        keys.press("Escape")
        keys.press("Escape")
        keys.press("?")
        expect(seen.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_what_wants_looking_at_comes_first_unless_the_battery_is_to_decide(
    browser: Browser, report: Path
) -> None:
    with opened(browser, report) as seen:
        first = seen.page.get_by_role("listbox", name="Tests").get_by_role("option").first
        expect(first).not_to_have_class(re.compile("item-pass"))
        seen.page.get_by_role("combobox", name="Order").select_option("as in the battery")
        expect(first).to_have_id("test-0")
        expect(seen.page).to_have_url(re.compile("order=file"))
        seen.page.reload()
        expect(first).to_have_id("test-0")


def test_a_filter_stays_while_the_list_is_gone_through(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        chip = seen.page.get_by_role("button", name=re.compile("pass$"))
        chip.click()
        seen.page.keyboard.press("j")
        seen.page.keyboard.press("Enter")
        expect(seen.page.get_by_role("heading", level=2)).to_be_focused()
        expect(chip).to_have_attribute("aria-pressed", "true")


def test_variables_and_prompts_are_searched_and_name_a_test_that_has_no_name(
    browser: Browser, tmp_path: Path
) -> None:
    nameless = replace(lone("Paris."), description="", vars={"country": "France"}, prompt="Name its capital!")
    other = replace(nameless, test=2, key="t2", vars={"country": "Peru"}, prompt="Name its river!")
    with opened(browser, page_of(tmp_path, nameless, other)) as seen:
        tests = seen.page.get_by_role("listbox", name="Tests").get_by_role("option")
        for words in ("france", "capital"):
            seen.page.get_by_role("searchbox").fill(words)
            expect(tests).to_have_count(1)
            expect(tests).to_contain_text("country=France")


def test_the_grid_shows_sources_by_tests(browser: Browser, report: Path) -> None:
    with opened(browser, report, hash_="#view=grid") as seen:
        grid = seen.page.get_by_role("table")
        expect(grid.get_by_role("columnheader")).to_have_text(["test", "small-model", "large-model"])
        expect(grid.get_by_role("row")).to_have_count(13)
        seen.page.get_by_role("checkbox").check()
        assert grid.get_by_role("row").count() < 13
        grid.get_by_role("cell").first.get_by_role("button").click()
        expect(seen.page.get_by_role("region", name="Answer")).to_be_visible()


def test_the_histogram_has_the_line_drawn_in(browser: Browser, report: Path) -> None:
    with opened(browser, report, hash_="#view=scores") as seen:
        picture = seen.page.get_by_role("img", name=re.compile("scores of means › similarity"))
        expect(picture.locator("[stroke-dasharray] line")).to_have_count(1)
        assert picture.locator("rect").count() > 5
        assert seen.complaints == []


def test_a_run_without_results_says_so(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(tmp_path)) as seen:
        expect(seen.page.get_by_role("navigation", name="Tests")).to_contain_text("This run has no results.")
        assert seen.complaints == []


def test_paper_gets_all_tests_that_are_listed(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        seen.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        expect(seen.page.locator("#print tbody tr")).to_have_count(24)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("hash_", ["", "#test=3.0.0", "#view=grid", "#view=scores"])
def test_nobody_is_kept_out(browser: Browser, report: Path, hash_: str) -> None:
    with opened(browser, report, hash_=hash_, unguarded=True) as seen:
        seen.page.locator("main :is(article, table, figure, .grid-row)").first.wait_for()
        seen.page.add_script_tag(path=AXE)
        for scheme in SCHEMES:
            seen.page.emulate_media(color_scheme=scheme)
            found = seen.page.evaluate("axe.run().then(({ violations }) => violations)")

            assert [(one["id"], one["nodes"][0]["html"], one["help"]) for one in found] == []


def test_a_telephone_shows_one_thing_at_a_time(browser: Browser, report: Path) -> None:
    with opened(browser, report, width=400) as seen:
        tests = seen.page.get_by_role("navigation", name="Tests")
        expect(tests).to_be_hidden()
        seen.page.get_by_role("button", name="Tests", exact=True).click()
        tests.get_by_role("listbox", name="Tests").get_by_role("option").first.click()
        expect(seen.page.get_by_role("region", name="Answer")).to_be_visible()
        expect(tests).to_be_hidden()
        wide = seen.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 400


def test_ten_thousand_tests_open_quickly(browser: Browser, tmp_path: Path) -> None:
    (one,) = made_results(1, "one", Random(4))
    small = replace(one, verdict=replace(one.verdict, parts=one.verdict.parts[:1]), scores=one.scores[:1])
    results = (replace(small, test=at, key=f"t{at}") for at in range(1, 10_001))
    page = page_of(tmp_path, *results)
    with opened(browser, page) as seen:
        expect(seen.page.get_by_role("status")).to_have_text("10,000 listed")
        tests = seen.page.get_by_role("listbox", name="Tests")
        tests.get_by_role("option").first.wait_for()
        ready = seen.page.evaluate("performance.now()")
        assert tests.get_by_role("option").count() < 60
        tests.evaluate("list => { list.scrollTop = list.scrollHeight }")
        expect(tests.get_by_role("option").last).to_have_attribute("aria-posinset", "10000")
        assert ready < 3000
